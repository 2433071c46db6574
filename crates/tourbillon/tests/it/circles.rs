//! The files of a crate depend on one another in one direction only.
//!
//! A file depends on another when it names an item of it, by `use` or by a path; re-exports are looked through,
//! tests do not count. A file that declares modules does not depend on them by that alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

/// A path as it is written: `crate::a::B` in three parts.
type Names = Vec<String>;

/// What a name stands for in a module.
enum Meaning {
    Item,
    Module,
    /// Brought in by `use`, from there.
    Import(Names),
}

/// A module: its file, the names in it, and the paths that its code mentions.
#[derive(Default)]
struct Module {
    file: PathBuf,
    names: BTreeMap<String, Meaning>,
    globs: Vec<Names>,
    mentioned: Vec<Names>,
}

/// All modules of a crate by their path from its root.
#[derive(Default)]
struct Crate {
    modules: BTreeMap<Names, Module>,
}

impl Crate {
    fn load(root: &Path) -> Crate {
        let mut loaded = Crate::default();
        let folder = root.parent().expect("a folder");
        loaded.load_file(root, Names::new(), folder);
        loaded
    }

    /// `folder` is that of the modules that the file declares.
    fn load_file(&mut self, file: &Path, path: Names, folder: &Path) {
        let text = fs::read_to_string(file).expect("sources can be read");
        let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{file:?}: {error}"));
        self.load_items(parsed.items, file, path, folder);
    }

    fn load_items(&mut self, items: Vec<syn::Item>, file: &Path, path: Names, folder: &Path) {
        let mut module = Module {
            file: file.to_owned(),
            ..Module::default()
        };
        for item in items {
            if is_test(&item) {
                continue;
            }
            match item {
                syn::Item::Mod(child) => {
                    let name = child.ident.to_string();
                    module.names.insert(name.clone(), Meaning::Module);
                    let below = [&path[..], std::slice::from_ref(&name)].concat();
                    match child.content {
                        Some((_, items)) => {
                            self.load_items(items, file, below, &folder.join(&name));
                        }
                        None => {
                            let (files, folder) = places_of(&child.attrs, &name, file, folder);
                            for file in files {
                                self.load_file(&file, below.clone(), &folder);
                            }
                        }
                    }
                }
                syn::Item::Use(import) => {
                    let is_public = !matches!(import.vis, syn::Visibility::Inherited);
                    module.import(&import.tree, &mut Names::new(), is_public);
                }
                item => {
                    module
                        .names
                        .extend(name_of(&item).map(|name| (name, Meaning::Item)));
                    let mut mentions = Mentions::default();
                    mentions.visit_item(&item);
                    module.mentioned.append(&mut mentions.paths);
                }
            }
        }
        // One name may stand for two files, of which each system has one.
        let entry = self.modules.entry(path).or_default();
        entry.file = module.file;
        entry.names.append(&mut module.names);
        entry.globs.append(&mut module.globs);
        entry.mentioned.append(&mut module.mentioned);
    }

    /// The file of the item that a path leads to, in this crate.
    fn file_of(&self, from: &[String], path: &[String], depth: usize) -> Option<&Path> {
        let (mut module, mut rest) = (from.to_vec(), path);
        match path.first()?.as_str() {
            "crate" => (module, rest) = (Names::new(), &path[1..]),
            "self" => rest = &path[1..],
            _ => {
                while rest.first().is_some_and(|name| name == "super") {
                    module.pop();
                    rest = &rest[1..];
                }
            }
        }
        loop {
            let there = self.modules.get(&module)?;
            let Some((name, after)) = rest.split_first() else {
                return Some(&there.file);
            };
            match there.names.get(name) {
                Some(Meaning::Module) => module.push(name.clone()),
                Some(Meaning::Item) => return Some(&there.file),
                // A circle of imports ends here; no real chain is so long.
                Some(Meaning::Import(_)) if depth > 8 => return None,
                Some(Meaning::Import(path)) => {
                    return self.file_of(&module, &[path, after].concat(), depth + 1);
                }
                None if depth > 8 => return None,
                None => {
                    return there.globs.iter().find_map(|glob| {
                        let path = [glob, rest].concat();
                        self.file_of(&module, &path, depth + 1)
                    });
                }
            }
            rest = after;
        }
    }

    /// Which other files each file needs.
    fn needs(&self) -> BTreeMap<&Path, BTreeSet<&Path>> {
        let mut needs: BTreeMap<&Path, BTreeSet<&Path>> = BTreeMap::new();
        for (path, module) in &self.modules {
            for mentioned in &module.mentioned {
                // Of `Type::new` and the like, the longest part that leads somewhere.
                let found = (1..=mentioned.len())
                    .rev()
                    .filter(|&length| !is_keyword(&mentioned[length - 1]))
                    .find_map(|length| self.file_of(path, &mentioned[..length], 0));
                if let Some(file) = found
                    && file != module.file
                {
                    needs.entry(&module.file).or_default().insert(file);
                }
            }
        }
        needs
    }
}

impl Module {
    fn import(&mut self, tree: &syn::UseTree, prefix: &mut Names, is_public: bool) {
        let mut add = |name: String, path: Names| {
            // What is exported is not used by that.
            if !is_public {
                self.mentioned.push(path.clone());
            }
            self.names.entry(name).or_insert(Meaning::Import(path));
        };
        match tree {
            syn::UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.import(&path.tree, prefix, is_public);
                prefix.pop();
            }
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, prefix, is_public);
                }
            }
            syn::UseTree::Name(name) if name.ident == "self" => {
                let last = prefix.last().cloned().unwrap_or_default();
                add(last, prefix.clone());
            }
            syn::UseTree::Name(name) => {
                let name = name.ident.to_string();
                add(name.clone(), [&prefix[..], &[name]].concat());
            }
            syn::UseTree::Rename(rename) => {
                let path = [&prefix[..], &[rename.ident.to_string()]].concat();
                add(rename.rename.to_string(), path);
            }
            syn::UseTree::Glob(_) => self.globs.push(prefix.clone()),
        }
    }
}

/// Collects the paths that code mentions.
#[derive(Default)]
struct Mentions {
    paths: Vec<Names>,
}

impl<'a> Visit<'a> for Mentions {
    fn visit_path(&mut self, path: &'a syn::Path) {
        let names = path.segments.iter().map(|part| part.ident.to_string());
        self.paths.push(names.collect());
        visit::visit_path(self, path);
    }

    /// `pub(in path)` mentions a module and does not use it.
    fn visit_visibility(&mut self, _: &'a syn::Visibility) {}

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        self.tokens(call.tokens.clone());
    }

    fn visit_item_use(&mut self, import: &'a syn::ItemUse) {
        let mut inner = Module::default();
        inner.import(&import.tree, &mut Names::new(), false);
        self.paths.append(&mut inner.mentioned);
    }
}

impl Mentions {
    /// Paths in the arguments of a macro, which are not parsed.
    fn tokens(&mut self, tokens: TokenStream) {
        let (mut path, mut colons) = (Names::new(), 0);
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        self.paths.push(std::mem::take(&mut path));
                    }
                    path.push(name.to_string());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                other => {
                    self.paths.push(std::mem::take(&mut path));
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        self.tokens(group.stream());
                    }
                }
            }
        }
        self.paths.push(path);
        self.paths.retain(|path| !path.is_empty());
    }
}

fn is_keyword(name: &str) -> bool {
    matches!(name, "crate" | "self" | "super")
}

/// Whether an item is there for tests only.
pub(crate) fn is_test(item: &syn::Item) -> bool {
    let attributes = match item {
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        _ => return false,
    };
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) if list.path.is_ident("cfg") => {
            let condition = list.tokens.to_string();
            condition == "test" || condition.starts_with("all (test")
        }
        _ => false,
    })
}

/// The name that an item has in its module.
fn name_of(item: &syn::Item) -> Option<String> {
    Some(match item {
        syn::Item::Const(item) => item.ident.to_string(),
        syn::Item::Enum(item) => item.ident.to_string(),
        syn::Item::Fn(item) => item.sig.ident.to_string(),
        syn::Item::Macro(item) => item.ident.as_ref()?.to_string(),
        syn::Item::Static(item) => item.ident.to_string(),
        syn::Item::Struct(item) => item.ident.to_string(),
        syn::Item::Trait(item) => item.ident.to_string(),
        syn::Item::Type(item) => item.ident.to_string(),
        syn::Item::Union(item) => item.ident.to_string(),
        _ => return None,
    })
}

/// The files of a module that is declared without a body, one or one for each system, and the folder of its
/// modules.
fn places_of(
    attributes: &[syn::Attribute],
    name: &str,
    file: &Path,
    folder: &Path,
) -> (Vec<PathBuf>, PathBuf) {
    let written = attributes.iter().filter_map(|attribute| {
        let text = match &attribute.meta {
            syn::Meta::NameValue(pair) if pair.path.is_ident("path") => {
                let syn::Expr::Lit(literal) = &pair.value else {
                    return None;
                };
                match &literal.lit {
                    syn::Lit::Str(text) => return Some(text.value()),
                    _ => return None,
                }
            }
            syn::Meta::List(list) if list.path.is_ident("cfg_attr") => list.tokens.to_string(),
            _ => return None,
        };
        let (_, path) = text.split_once("path = \"")?;
        Some(path.split_once('"')?.0.to_owned())
    });
    let mut files: Vec<PathBuf> = written.map(|path| file.with_file_name(path)).collect();
    if files.is_empty() {
        let candidates = [format!("{name}.rs"), format!("{name}/mod.rs")];
        let candidates = candidates.map(|candidate| folder.join(candidate));
        files.extend(candidates.into_iter().filter(|file| file.exists()));
    }
    assert!(
        !files.is_empty(),
        "{file:?} declares {name}, which is not there"
    );
    (files, folder.join(name))
}

/// A circle among the files, if there is one: each needs the next, and the last the first.
fn circle<'a>(needs: &BTreeMap<&'a Path, BTreeSet<&'a Path>>) -> Option<Vec<&'a Path>> {
    fn walk<'a>(
        file: &'a Path,
        needs: &BTreeMap<&'a Path, BTreeSet<&'a Path>>,
        trail: &mut Vec<&'a Path>,
        done: &mut BTreeSet<&'a Path>,
    ) -> Option<Vec<&'a Path>> {
        if let Some(start) = trail.iter().position(|&on| on == file) {
            return Some(trail[start..].to_vec());
        }
        if !done.insert(file) {
            return None;
        }
        trail.push(file);
        let found = needs
            .get(file)
            .into_iter()
            .flatten()
            .find_map(|next| walk(next, needs, trail, done));
        trail.pop();
        found
    }
    let mut done = BTreeSet::new();
    needs
        .keys()
        .find_map(|file| walk(file, needs, &mut Vec::new(), &mut done))
}

/// The root files of the crates: libraries, and the one program.
fn roots() -> Vec<PathBuf> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut roots = Vec::new();
    for entry in fs::read_dir(crates).expect("the folder of the crates") {
        let sources = entry.expect("an entry").path().join("src");
        for name in ["lib.rs", "main.rs"] {
            let root = sources.join(name);
            if root.exists() {
                roots.push(root);
            }
        }
    }
    roots.sort();
    roots
}

#[test]
fn no_circle_of_files() {
    let mut circles = Vec::new();
    for root in roots() {
        let loaded = Crate::load(&root);
        let needs = loaded.needs();
        assert!(loaded.modules.len() < 7 || !needs.is_empty(), "{root:?}");
        if let Some(circle) = circle(&needs) {
            circles.push(format!("{circle:#?}"));
        }
    }
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}

#[test]
fn a_circle_is_found_through_an_import_and_a_macro() {
    let mut loaded = Crate::default();
    let mut add = |path: &[&str], file: &str, text: &str| {
        let items = syn::parse_file(text).expect("code").items;
        let path = path.iter().map(|&name| name.to_owned()).collect();
        loaded.load_items(items, Path::new(file), path, Path::new(""));
    };
    add(
        &["a"],
        "a.rs",
        "pub struct A; fn f() { g!(0, crate::B::new()) }",
    );
    add(
        &["b"],
        "b.rs",
        "use super::a::A; pub struct B; fn b(_: A) {}",
    );
    add(&["c"], "c.rs", "use crate::{A, B}; fn c(_: A, _: B) {}");
    let root = loaded.modules.entry(Names::new()).or_default();
    for (name, from) in [("A", "a"), ("B", "b")] {
        let path = vec!["self".to_owned(), from.to_owned(), name.to_owned()];
        root.names.insert(name.to_owned(), Meaning::Import(path));
        root.names.insert(from.to_owned(), Meaning::Module);
    }
    let needs = loaded.needs();
    assert_eq!(needs[Path::new("c.rs")].len(), 2);
    let circle = circle(&needs).expect("a needs b, b needs a");
    assert_eq!(circle, [Path::new("a.rs"), Path::new("b.rs")]);
}
