//! The lines of the listing.

use std::collections::{BTreeMap, BTreeSet};

use quote::ToTokens;
use syn::{Attribute, Field, Fields, ImplItem, Item, ItemImpl, TraitItem, Type};

use crate::source::{Crate, Import, Names, is_compiled, is_hidden, is_pub, name_of};

/// The listing: for each public path its lines.
pub(crate) struct Listing {
    modules: BTreeSet<Names>,
    entries: BTreeMap<String, Vec<String>>,
}

/// The implementations of each type, by where the type is defined.
type Impls<'c> = BTreeMap<(Names, String), Vec<&'c ItemImpl>>;

impl Listing {
    pub(crate) fn of(source: &Crate) -> Self {
        let impls = impls(source);
        let mut listing = Listing { modules: BTreeSet::new(), entries: BTreeMap::new() };
        for (path, module) in source.modules.iter().filter(|(_, module)| module.is_public) {
            listing.modules.insert(path.clone());
            let at = [&["apply_patch".to_owned()], path.as_slice()].concat().join("::");
            for item in &module.items {
                if let Some(name) = name_of(item).filter(|_| is_public(item)) {
                    listing.add(&at, &name, item, impls.get(&(path.clone(), name.clone())));
                }
            }
            for Import { name, origin, .. } in module.uses.iter().filter(|import| import.is_public) {
                match source.resolve(path, origin) {
                    Some((home, own)) => {
                        let items = &source.modules[&home].items;
                        let item = items.iter().find(|item| name_of(item).as_ref() == Some(&own)).unwrap();
                        listing.add(&at, name, item, impls.get(&(home, own)));
                    }
                    None => {
                        listing
                            .entries
                            .insert(format!("{at}::{name}"), vec![format!("use {}", origin.join("::"))]);
                    }
                }
            }
        }
        listing
    }

    /// The number of public modules, the root not counted.
    pub(crate) fn modules(&self) -> usize {
        self.modules.len() - 1
    }

    /// The number of public items, without their methods, fields and variants.
    pub(crate) fn names(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for (path, lines) in &self.entries {
            for (nth, line) in lines.iter().enumerate() {
                let (before, between) = if nth == 0 { (path.as_str(), ": ") } else { ("", "    ") };
                text.extend([before, between, line, "\n"]);
            }
        }
        text
    }

    fn add(&mut self, at: &str, name: &str, item: &Item, impls: Option<&Vec<&ItemImpl>>) {
        let mut lines = vec![head(item)];
        lines.extend(members(item));
        let mut more: Vec<String> = impls.into_iter().flatten().flat_map(|item| methods(item)).collect();
        more.sort();
        lines.append(&mut more);
        self.entries.insert(format!("{at}::{name}"), lines);
    }
}

fn impls(source: &Crate) -> Impls<'_> {
    let mut impls = Impls::new();
    for (path, module) in &source.modules {
        for item in &module.items {
            let Item::Impl(item) = item else { continue };
            let Type::Path(own) = &*item.self_ty else { continue };
            let names: Names = own.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            if let Some(home) = source.resolve(path, &names) {
                impls.entry(home).or_default().push(item);
            }
        }
    }
    impls
}

fn is_public(item: &Item) -> bool {
    match item {
        Item::Const(item) => is_pub(&item.vis) && !is_hidden(&item.attrs),
        Item::Enum(item) => is_pub(&item.vis) && !is_hidden(&item.attrs),
        Item::Fn(item) => is_pub(&item.vis) && !is_hidden(&item.attrs),
        Item::Struct(item) => is_pub(&item.vis) && !is_hidden(&item.attrs),
        Item::Trait(item) => is_pub(&item.vis) && !is_hidden(&item.attrs),
        Item::Type(item) => is_pub(&item.vis) && !is_hidden(&item.attrs),
        _ => false,
    }
}

/// What an item is: its kind and signature, and what is derived for it.
fn head(item: &Item) -> String {
    match item {
        Item::Const(item) => format!("const {}", tokens(&item.ty)),
        Item::Enum(item) => format!("enum{}{}", tokens(&item.generics), traits(&item.attrs)),
        Item::Fn(item) => tokens(&item.sig),
        Item::Struct(item) => format!("struct{}{}", tokens(&item.generics), traits(&item.attrs)),
        Item::Trait(item) => format!("trait: {}", tokens(&item.supertraits)),
        Item::Type(item) => format!("type = {}", tokens(&item.ty)),
        _ => String::new(),
    }
}

/// Returns `non_exhaustive` and the derived traits.
fn traits(attributes: &[Attribute]) -> String {
    let mut words = Vec::new();
    for attribute in attributes {
        if attribute.path().is_ident("non_exhaustive") {
            words.push("non_exhaustive".to_owned());
        } else if attribute.path().is_ident("derive") {
            words.push(tokens(&attribute.meta));
        }
    }
    words.insert(0, String::new());
    words.join(", ")
}

fn members(item: &Item) -> Vec<String> {
    match item {
        Item::Struct(item) => fields(&item.fields, true),
        Item::Enum(item) => {
            let visible = item.variants.iter().filter(|variant| !is_hidden(&variant.attrs));
            visible
                .map(|variant| format!("{}({})", variant.ident, fields(&variant.fields, false).join(", ")))
                .collect()
        }
        Item::Trait(item) => {
            let signature = |item: &TraitItem| match item {
                TraitItem::Fn(method) => Some(format!(
                    "{}{}",
                    tokens(&method.sig),
                    if method.default.is_some() { " { default }" } else { "" }
                )),
                _ => None,
            };
            item.items.iter().filter_map(signature).collect()
        }
        _ => Vec::new(),
    }
}

/// Fields in their order; of a struct the public ones only.
fn fields(fields: &Fields, only_public: bool) -> Vec<String> {
    let is_listed =
        |field: &&Field| !only_public || is_pub(&field.vis) && field.attrs.iter().all(is_compiled);
    let visible = fields.iter().filter(is_listed);
    visible
        .map(|field| match &field.ident {
            Some(name) => format!("{name}: {}", tokens(&field.ty)),
            None => tokens(&field.ty),
        })
        .collect()
}

/// The public methods of an implementation, or the name of the trait.
fn methods(item: &ItemImpl) -> Vec<String> {
    if let Some((name, _)) = &item.trait_ {
        return vec![format!("impl {}", tokens(name))];
    }
    let signature = |item: &ImplItem| match item {
        ImplItem::Fn(method)
            if is_pub(&method.vis) && !is_hidden(&method.attrs) && method.attrs.iter().all(is_compiled) =>
        {
            Some(tokens(&method.sig))
        }
        ImplItem::Const(constant) if is_pub(&constant.vis) => {
            Some(format!("const {}: {}", constant.ident, tokens(&constant.ty)))
        }
        _ => None,
    };
    item.items.iter().filter_map(signature).collect()
}

/// The source of a part, without the spaces that the printer puts around signs.
fn tokens(part: &impl ToTokens) -> String {
    let mut text = part.to_token_stream().to_string();
    let tight = [
        (" :: ", "::"),
        (" , ", ", "),
        (" : ", ": "),
        ("< ", "<"),
        (" <", "<"),
        (" >", ">"),
        ("& ", "&"),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        ("[ ", "["),
        (" ]", "]"),
        (" ;", ";"),
        (" ,", ","),
        ("' ", "'"),
        ("->", " -> "),
        ("  ", " "),
        (",)", ")"),
    ];
    for (spaced, close) in tight {
        text = text.replace(spaced, close);
    }
    text.replace("  ", " ")
}
