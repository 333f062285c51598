//! The public names of a package: what a path from outside reaches.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use syn::{Attribute, Fields, ImplItem, Item, TraitItem, Type, UseTree, Visibility};

use super::source::{Place, Source, is_left_out, name};

/// How many re-exports may stand behind one another.
const DEEPEST: usize = 16;

/// What was found so far.
#[derive(Default)]
struct Found {
    names: BTreeSet<String>,
    /// Items by their place and name, with the path under which each was found first.
    items: BTreeMap<(Place, String), String>,
}

impl Found {
    fn insert(&mut self, name: String) {
        self.names.insert(name);
    }

    fn extend(&mut self, names: impl IntoIterator<Item = String>) {
        self.names.extend(names);
    }
}

/// Every public name, sorted: items and modules by their paths, members of types behind them. What is reached by two paths has its members
/// behind the first; the second says which that is.
pub fn names(source: &Source) -> Vec<String> {
    let mut found = Found::default();
    module(source, &[], &[], 0, &mut found);
    for items in source.modules.values() {
        let macros = items.iter().filter_map(|item| match item {
            Item::Macro(m) if m.attrs.iter().any(|a| a.path().is_ident("macro_export")) => Some(m),
            _ => None,
        });
        let macros = macros.filter(|m| !is_left_out(&m.attrs)).filter_map(|m| m.ident.as_ref());
        found.extend(macros.map(|ident| format!("{ident}!")));
    }
    // A macro for everybody that is written as a function.
    for item in source.modules.get(&Vec::new()).into_iter().flatten() {
        if let Item::Fn(function) = item {
            let derives = function.attrs.iter().filter(|a| a.path().is_ident("proc_macro_derive"));
            for derive in derives {
                let words = quoted(derive);
                found.insert(format!("derive({words})"));
            }
        }
    }
    found.names.into_iter().collect()
}

/// The words between the parentheses of an attribute.
fn quoted(attribute: &Attribute) -> String {
    match &attribute.meta {
        syn::Meta::List(list) => list.tokens.to_string(),
        _ => String::new(),
    }
}

/// Whether an item is for everybody.
fn is_public(visibility: &Visibility, attributes: &[Attribute]) -> bool {
    matches!(visibility, Visibility::Public(_)) && !is_left_out(attributes)
}

fn joined(shown: &[String]) -> String {
    shown.join("::")
}

fn with(path: &[String], last: &str) -> Place {
    let mut longer = path.to_vec();
    longer.push(last.to_owned());
    longer
}

/// Adds what a module offers, under the path by which it is reached.
fn module(source: &Source, place: &[String], shown: &[String], depth: usize, found: &mut Found) {
    if depth > DEEPEST {
        return;
    }
    for item in source.modules.get(place).into_iter().flatten() {
        match item {
            Item::Mod(inner) if is_public(&inner.vis, &inner.attrs) => {
                let name = name(inner);
                let shown = with(shown, &name);
                found.insert(joined(&shown));
                module(source, &with(place, &name), &shown, depth, found);
            }
            Item::Use(import) if is_public(&import.vis, &import.attrs) => {
                uses(&import.tree, &mut Vec::new(), &mut |path, called| {
                    export(source, place, path, called, shown, depth, found);
                });
            }
            other => {
                if let Some(name) = public_name(other) {
                    members(source, place, &name, &with(shown, &name), found);
                }
            }
        }
    }
}

/// Calls back for every path of a `use`, with the name that it is given; `*` for everything below it.
fn uses(tree: &UseTree, path: &mut Place, each: &mut dyn FnMut(&[String], &str)) {
    match tree {
        UseTree::Path(step) => {
            path.push(step.ident.to_string());
            uses(&step.tree, path, each);
            path.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| uses(tree, path, each)),
        UseTree::Glob(_) => each(path, "*"),
        UseTree::Name(last) if last.ident == "self" => {
            let called = path.last().cloned().unwrap_or_default();
            each(path, &called);
        }
        UseTree::Name(last) => {
            let called = last.ident.to_string();
            each(&with(path, &called), &called);
        }
        UseTree::Rename(last) => each(&with(path, &last.ident.to_string()), &last.rename.to_string()),
    }
}

/// Adds what a re-export offers.
fn export(
    source: &Source,
    place: &[String],
    path: &[String],
    called: &str,
    shown: &[String],
    depth: usize,
    found: &mut Found,
) {
    let Some(target) = inside(source, place, path) else {
        let name = joined(&with(shown, called));
        found.insert(format!("{name} = {}", path.join("::")));
        return;
    };
    if called == "*" {
        module(source, &target, shown, depth + 1, found);
        return;
    }
    let shown = with(shown, called);
    if source.modules.contains_key(&target) {
        found.insert(joined(&shown));
        module(source, &target, &shown, depth + 1, found);
        return;
    }
    let Some((last, above)) = target.split_last() else {
        return;
    };
    reached(source, above, last, &shown, depth, found);
}

/// Adds an item of a module, or what the module re-exports by its name.
fn reached(source: &Source, place: &[String], name: &str, shown: &[String], depth: usize, found: &mut Found) {
    let items = source.modules.get(place).into_iter().flatten();
    if items.clone().any(|item| any_name(item).as_deref() == Some(name)) {
        members(source, place, name, shown, found);
        return;
    }
    if depth > DEEPEST {
        return;
    }
    for item in items {
        let Item::Use(import) = item else { continue };
        uses(&import.tree, &mut Vec::new(), &mut |path, called| {
            let Some(target) = inside(source, place, path) else {
                if called == name {
                    found.insert(format!("{} = {}", joined(shown), path.join("::")));
                }
                return;
            };
            if called == name {
                if let Some((last, above)) = target.split_last() {
                    reached(source, above, last, shown, depth + 1, found);
                }
            } else if called == "*" {
                reached(source, &target, name, shown, depth + 1, found);
            }
        });
    }
}

/// The place inside the package that a path of a `use` leads to; none where it leads to another package.
fn inside(source: &Source, place: &[String], path: &[String]) -> Option<Place> {
    let mut base = place.to_vec();
    let mut rest = path;
    match rest.first()?.as_str() {
        "crate" => {
            base.clear();
            rest = &rest[1..];
        }
        "self" => rest = &rest[1..],
        "super" => {
            while rest.first().is_some_and(|s| s == "super") {
                base.pop();
                rest = &rest[1..];
            }
        }
        first => {
            let items = source.modules.get(place).into_iter().flatten();
            let is_own = items.clone().any(|item| any_name(item).as_deref() == Some(first));
            if !is_own {
                return None;
            }
        }
    }
    base.extend(rest.iter().map(|s| s.trim_start_matches("r#").to_owned()));
    Some(base)
}

/// The name of an item that everybody may use, modules and imports aside.
fn public_name(item: &Item) -> Option<String> {
    let public = match item {
        Item::Const(i) => is_public(&i.vis, &i.attrs),
        Item::Enum(i) => is_public(&i.vis, &i.attrs),
        Item::Fn(i) => is_public(&i.vis, &i.attrs) && !i.attrs.iter().any(|a| a.path().is_ident("proc_macro_derive")),
        Item::Static(i) => is_public(&i.vis, &i.attrs),
        Item::Struct(i) => is_public(&i.vis, &i.attrs),
        Item::Trait(i) => is_public(&i.vis, &i.attrs),
        Item::Type(i) => is_public(&i.vis, &i.attrs),
        Item::Union(i) => is_public(&i.vis, &i.attrs),
        _ => false,
    };
    public.then(|| any_name(item)).flatten()
}

/// The name of an item.
fn any_name(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(i) => i.ident.to_string(),
        Item::Enum(i) => i.ident.to_string(),
        Item::Fn(i) => i.sig.ident.to_string(),
        Item::Macro(i) => i.ident.as_ref()?.to_string(),
        Item::Mod(i) => name(i),
        Item::Static(i) => i.ident.to_string(),
        Item::Struct(i) => i.ident.to_string(),
        Item::Trait(i) => i.ident.to_string(),
        Item::Type(i) => i.ident.to_string(),
        Item::Union(i) => i.ident.to_string(),
        _ => return None,
    })
}

/// Adds an item and its public members.
fn members(source: &Source, place: &[String], name: &str, shown: &[String], found: &mut Found) {
    let shown = joined(shown);
    match found.items.entry((place.to_vec(), name.to_owned())) {
        Entry::Occupied(first) => {
            // One item may stand in a module twice, for different platforms.
            if *first.get() != shown {
                let again = format!("{shown} = {}", first.get());
                found.insert(again);
            }
            return;
        }
        Entry::Vacant(first) => first.insert(shown.clone()),
    };
    found.insert(shown.clone());
    let own = source.modules.get(place).into_iter().flatten();
    for item in own.filter(|item| any_name(item).as_deref() == Some(name)) {
        match item {
            Item::Struct(i) => fields(&shown, &i.fields, found),
            Item::Enum(i) => found.extend(i.variants.iter().map(|v| format!("{shown}::{}", v.ident))),
            Item::Trait(i) => found.extend(i.items.iter().filter_map(|item| {
                let (ident, attributes) = match item {
                    TraitItem::Const(i) => (&i.ident, &i.attrs),
                    TraitItem::Fn(i) => (&i.sig.ident, &i.attrs),
                    TraitItem::Type(i) => (&i.ident, &i.attrs),
                    _ => return None,
                };
                (!is_left_out(attributes)).then(|| format!("{shown}::{ident}"))
            })),
            _ => {}
        }
    }
    // Methods stand in any module of the package; a name stands for one type in it, or for one in each part of it.
    let namesakes: Vec<&Place> = source
        .modules
        .iter()
        .filter(|(_, items)| items.iter().any(|item| any_name(item).as_deref() == Some(name)))
        .map(|(place, _)| place)
        .collect();
    for (at, items) in &source.modules {
        let closest = namesakes.iter().max_by_key(|n| shared(n, at));
        if closest.is_some_and(|n| n.as_slice() != place) {
            continue;
        }
        for item in items {
            let Item::Impl(block) = item else { continue };
            if block.trait_.is_some() || !is_of(&block.self_ty, name) || is_left_out(&block.attrs) {
                continue;
            }
            found.extend(block.items.iter().filter_map(|item| {
                let (ident, visibility, attributes) = match item {
                    ImplItem::Const(i) => (&i.ident, &i.vis, &i.attrs),
                    ImplItem::Fn(i) => (&i.sig.ident, &i.vis, &i.attrs),
                    _ => return None,
                };
                is_public(visibility, attributes).then(|| format!("{shown}::{ident}"))
            }));
        }
    }
}

fn fields(shown: &str, fields: &Fields, found: &mut Found) {
    for (at, field) in fields.iter().enumerate() {
        if is_public(&field.vis, &field.attrs) {
            let name = field.ident.as_ref().map_or_else(|| at.to_string(), ToString::to_string);
            found.insert(format!("{shown}.{name}"));
        }
    }
}

/// How many modules two places have in common, from the root.
fn shared(one: &[String], other: &[String]) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

/// Whether a type is the one of this name.
fn is_of(r#type: &Type, name: &str) -> bool {
    matches!(r#type, Type::Path(path) if path.path.segments.last().is_some_and(|s| s.ident == name))
}
