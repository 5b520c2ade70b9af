//! Which file imports which, and the circles in that.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

use crate::source::{Crate, Import, Module, Names};

/// The imports of a crate: a file, the files that it imports, and the names that it takes from each.
pub(crate) struct Graph {
    imports: BTreeMap<String, BTreeMap<String, BTreeSet<String>>>,
}

impl Graph {
    pub(crate) fn of(source: &Crate) -> Self {
        let mut imports: BTreeMap<String, BTreeMap<_, BTreeSet<_>>> = BTreeMap::new();
        for (at, module) in &source.modules {
            let from = imports.entry(file_of(module)).or_default();
            let mut paths = BTreeSet::new();
            for item in &module.items {
                collect(item.to_token_stream(), &mut paths);
            }
            // A re-export alone is no use of the name.
            let is_used = |import: &&Import| {
                !import.is_handed_on || paths.iter().any(|path| path.first() == Some(&import.name))
            };
            let imported: Vec<Names> =
                module.uses.iter().filter(is_used).map(|import| import.origin.clone()).collect();
            for path in paths.iter().filter(|path| path.len() > 1).chain(&imported) {
                if let Some((home, name)) = definition(source, at, path) {
                    from.entry(file_of(&source.modules[&home])).or_default().insert(name);
                }
            }
        }
        for (file, others) in &mut imports {
            others.remove(file);
        }
        Graph { imports }
    }

    pub(crate) fn files(&self) -> usize {
        self.imports.len()
    }

    pub(crate) fn imports(&self) -> usize {
        self.imports.values().map(BTreeMap::len).sum()
    }

    /// Returns the groups of files that reach each other.
    pub(crate) fn cycles(&self) -> Vec<Vec<String>> {
        let reached: BTreeMap<&String, BTreeSet<&String>> =
            self.imports.keys().map(|file| (file, self.reached_from(file))).collect();
        let mut cycles = BTreeSet::new();
        for (file, others) in &reached {
            let back = |other: &&&String| reached.get(*other).is_some_and(|its| its.contains(file));
            let cycle: Vec<String> = others.iter().filter(back).map(|other| (*other).clone()).collect();
            if !cycle.is_empty() {
                cycles.insert(cycle);
            }
        }
        cycles.into_iter().collect()
    }

    fn reached_from(&self, file: &String) -> BTreeSet<&String> {
        let mut reached = BTreeSet::new();
        let mut open = vec![file];
        while let Some(next) = open.pop() {
            for other in self.imports.get(next).into_iter().flat_map(BTreeMap::keys) {
                if reached.insert(other) {
                    open.push(other);
                }
            }
        }
        reached
    }

    /// Lists the imports between the files of a circle, with the names.
    pub(crate) fn describe(&self, files: &[String]) -> String {
        let mut text = String::new();
        for file in files {
            for (other, names) in self.imports[file].iter().filter(|(other, _)| files.contains(other)) {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                writeln!(text, "  {file} -> {other}: {}", names.join(", ")).unwrap();
            }
        }
        text
    }
}

fn file_of(module: &Module) -> String {
    module.file.to_string_lossy().into_owned()
}

/// Finds the definition of a path, or of its beginning: `Kind` in `kind::Kind::Variant`.
fn definition(source: &Crate, at: &[String], path: &[String]) -> Option<(Names, String)> {
    (1..=path.len()).rev().find_map(|length| source.resolve(at, &path[..length]))
}

/// Collects the paths of a part of the source: names with `::` between, and single names.
fn collect(tokens: TokenStream, paths: &mut BTreeSet<Names>) {
    let mut path = Names::new();
    let mut colons = 0;
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                if colons != 2 {
                    paths.insert(std::mem::take(&mut path));
                }
                path.push(name.to_string());
                colons = 0;
            }
            TokenTree::Punct(sign) if sign.as_char() == ':' && !path.is_empty() => colons += 1,
            other => {
                paths.insert(std::mem::take(&mut path));
                colons = 0;
                if let TokenTree::Group(group) = other {
                    collect(group.stream(), paths);
                }
            }
        }
    }
    paths.insert(path);
}
