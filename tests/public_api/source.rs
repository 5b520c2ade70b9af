//! The modules of a crate, read from its files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use syn::{Attribute, Item, Meta, UseTree, Visibility};

/// How many re-exports and modules a path may lead through. A name of another crate may lead back to itself.
const MAX_STEPS: usize = 16;

/// A path of names from the root of the crate.
pub(crate) type Names = Vec<String>;

/// A module with its items, test code left out.
#[derive(Default)]
pub(crate) struct Module {
    /// The file, relative to the folder of the crate's first file.
    pub(crate) file: PathBuf,
    pub(crate) is_public: bool,
    pub(crate) items: Vec<Item>,
    pub(crate) uses: Vec<Import>,
}

/// A name that `use` brings in.
pub(crate) struct Import {
    /// The name here.
    pub(crate) name: String,
    /// The path of the definition; of the module for `*`.
    pub(crate) origin: Names,
    pub(crate) is_public: bool,
    /// Whether other modules can use the name from here.
    pub(crate) is_handed_on: bool,
}

/// All modules of a crate, by their path.
pub(crate) struct Crate {
    pub(crate) modules: BTreeMap<Names, Module>,
}

impl Crate {
    pub(crate) fn read(lib: &Path) -> Self {
        let mut modules = BTreeMap::new();
        let (root, file) = (lib.parent().unwrap(), Path::new(lib.file_name().unwrap()));
        read_module(
            &mut modules,
            Vec::new(),
            Whole { items: parse(lib), file, is_public: true },
            root,
            Path::new(""),
        );
        Crate { modules }
    }

    /// Finds the definition that a path means in a module: the module of the definition, and its name there.
    pub(crate) fn resolve(&self, from: &[String], path: &[String]) -> Option<(Names, String)> {
        self.resolve_within(from, path, MAX_STEPS)
    }

    fn resolve_within(&self, from: &[String], path: &[String], steps: usize) -> Option<(Names, String)> {
        let steps = steps.checked_sub(1)?;
        let mut at = from.to_vec();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => (at, rest) = (Vec::new(), path.get(1..)?),
            "self" => rest = path.get(1..)?,
            _ => {}
        }
        while rest.first().is_some_and(|name| name == "super") {
            at.pop()?;
            rest = rest.get(1..)?;
        }
        let (name, inner) = rest.split_first()?;
        let module = self.modules.get(&at)?;
        let child = [at.as_slice(), std::slice::from_ref(name)].concat();
        if inner.is_empty() {
            if module.items.iter().any(|item| name_of(item).as_ref() == Some(name)) {
                return Some((at, name.clone()));
            }
        } else if self.modules.contains_key(&child) {
            return self.resolve_within(&child, inner, steps);
        }
        let Some(import) = module.uses.iter().find(|import| import.name == *name) else {
            let globs = module.uses.iter().filter(|import| import.name == "*");
            let origins = globs.map(|glob| [glob.origin.as_slice(), path].concat());
            return origins
                .filter(|origin| origin != path)
                .find_map(|origin| self.resolve_within(&at, &origin, steps));
        };
        let origin = [import.origin.as_slice(), inner].concat();
        // A path that begins with its own name is of another crate.
        if origin.first() == Some(name) && origin.len() == path.len() {
            None
        } else {
            self.resolve_within(&at, &origin, steps)
        }
    }
}

fn parse(file: &Path) -> Vec<Item> {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    syn::parse_file(&text).unwrap().items
}

/// What a module is read from.
struct Whole<'f> {
    items: Vec<Item>,
    file: &'f Path,
    is_public: bool,
}

/// Reads the items of a module, and the modules in it. `folder` is where files of inner modules are, below `root`.
fn read_module(
    modules: &mut BTreeMap<Names, Module>,
    path: Names,
    whole: Whole<'_>,
    root: &Path,
    folder: &Path,
) {
    let Whole { items, file, is_public } = whole;
    let mut module = Module { file: file.to_owned(), is_public, ..Module::default() };
    for item in items {
        if !attributes(&item).iter().all(is_compiled) {
            continue;
        }
        match item {
            Item::Mod(inner) => {
                let name = inner.ident.to_string();
                let is_public = is_public && is_pub(&inner.vis) && !is_hidden(&inner.attrs);
                let place = folder.join(&name);
                let path = [path.as_slice(), &[name]].concat();
                if let Some((_, items)) = inner.content {
                    read_module(modules, path, Whole { items, file, is_public }, root, &place);
                } else {
                    let file = file_of(root, &place);
                    let whole = Whole { items: parse(&root.join(&file)), file: &file, is_public };
                    read_module(modules, path, whole, root, &place);
                }
            }
            Item::Use(item) => {
                let is_public = is_pub(&item.vis) && !is_hidden(&item.attrs);
                let is_handed_on = !matches!(item.vis, Visibility::Inherited);
                flatten(&item.tree, &mut Vec::new(), &mut |name, origin| {
                    module.uses.push(Import { name, origin, is_public, is_handed_on });
                });
            }
            item => module.items.push(item),
        }
    }
    modules.insert(path, module);
}

fn file_of(root: &Path, place: &Path) -> PathBuf {
    let file = place.with_extension("rs");
    if root.join(&file).exists() { file } else { place.join("mod.rs") }
}

fn flatten(tree: &UseTree, before: &mut Names, found: &mut dyn FnMut(String, Names)) {
    let with = |before: &Names, name: &str| {
        let mut path = before.clone();
        if name != "self" || path.is_empty() {
            path.push(name.to_owned());
        }
        path
    };
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            flatten(&path.tree, before, found);
            before.pop();
        }
        UseTree::Name(name) => {
            let path = with(before, &name.ident.to_string());
            found(path.last().unwrap().clone(), path);
        }
        UseTree::Rename(rename) => found(rename.rename.to_string(), with(before, &rename.ident.to_string())),
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, before, found)),
        UseTree::Glob(_) => found("*".to_owned(), before.clone()),
    }
}

pub(crate) fn is_pub(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

pub(crate) fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("doc")
            && matches!(&attribute.meta, Meta::List(list) if list.tokens.to_string() == "hidden")
    })
}

/// Checks whether a `cfg` holds for a caller with the feature `cli`, on any system.
pub(crate) fn is_compiled(attribute: &Attribute) -> bool {
    match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg") => holds(&list.tokens.to_string()),
        _ => true,
    }
}

fn holds(condition: &str) -> bool {
    match condition {
        "test" | "feature = \"internals\"" => false,
        _ if condition.starts_with("any (") => {
            condition.trim_start_matches("any (").trim_end_matches(')').split(" , ").any(holds)
        }
        _ => match condition.strip_prefix("not (").and_then(|inner| inner.strip_suffix(')')) {
            Some("test" | "feature = \"internals\"") | None => true,
            Some(inner) => inner.contains(" = ") && !holds(inner),
        },
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// The name that an item defines.
pub(crate) fn name_of(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Fn(item) => item.sig.ident.to_string(),
        Item::Struct(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        _ => return None,
    })
}
