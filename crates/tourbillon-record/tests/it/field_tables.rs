//! docs/reference/record-fields.md: the members of all lines, from the structs that hold them.
//!
//! `object!` has the names and their order, the Rust type of a field the type, its doc comment the meaning. A field that
//! has other members than the one of its name lists them: "* `absent`, text?: why there is none". In doc comments,
//! a link to an enumeration or one of its values becomes a link to its words or the word, a path such as
//! `docs/reference/outcomes.md` a link, and `None` is a missing member.

use std::collections::HashMap;

use syn::Type;

use crate::document::{type_of, written};
use crate::sources::{Field, Sources, Word, innermost, parts};

const PAGE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../docs/reference/record-fields.md"
);

const HEAD: &str = "\
# Fields of a record

Made from the sources. The [record format](record-format.md) has the rules, the types and their units, and the order of
the lines. Each line begins with `type`, as in the heading, and `schema`. A line as a test writes it follows each table;
[words](#words) are at the end.
";

#[test]
fn the_page_of_fields_is_that_of_the_sources() {
    let sources = Sources::read();
    let mut tables = Tables {
        sources: &sources,
        listed: HashMap::new(),
        rows: Vec::new(),
    };
    let page = tables.page();
    if std::env::var_os("TOURBILLON_ACCEPT").is_some() {
        std::fs::write(PAGE, &page).unwrap();
    }
    let kept = std::fs::read_to_string(PAGE).unwrap_or_default();
    let remedy = "TOURBILLON_ACCEPT=1 cargo test -p tourbillon-record page_of_fields";
    assert!(
        kept == page,
        "docs/reference/record-fields.md is another; {remedy}"
    );
}

/// The cells of a row. The type of the line is before the name of the field.
type Row = [String; 3];

struct Tables<'s> {
    sources: &'s Sources,
    /// Where the members of a struct are listed.
    listed: HashMap<String, String>,
    /// Of the table that is made.
    rows: Vec<Row>,
}

impl Tables<'_> {
    fn page(&mut self) -> String {
        let mut page = HEAD.to_owned();
        let written = written();
        for line in &self.sources.lines {
            let name = innermost(line.payload.as_ref().unwrap());
            let docs = self.prose(&self.sources.structs[&name].docs);
            page += &format!("\n## `{}`\n\n{docs}\n\n", line.word);
            page += "| field | type | meaning |\n|---|---|---|\n";
            self.add_members(&name, &format!("{}.", line.word));
            for [name, types, meaning] in self.rows.drain(..) {
                let (_, member) = name.split_once('.').unwrap();
                page += &format!("| `{member}` | {types} | {meaning} |\n");
            }
            let mut examples = written.iter();
            let example = examples.find(|text| type_of(text) == line.word).unwrap();
            page += &format!("\n```json\n{example}\n```\n");
        }
        page += "\n## Words\n";
        for (name, words) in &self.sources.words {
            page += &format!("\n### {name}\n\n{}", self.words(words));
        }
        page
    }

    fn words(&self, words: &[Word]) -> String {
        let mut table = "| word | meaning |\n|---|---|\n".to_owned();
        for word in words {
            let mut meaning = self.sentence(&word.docs);
            if let Some(unit) = word.unit.as_ref().filter(|unit| !unit.is_empty()) {
                meaning += &format!(" (`{unit}`)");
            }
            table += &format!("| `{}` | {meaning} |\n", word.word);
        }
        table
    }

    /// The members of a struct: those in the list of `object!`, else its fields.
    fn add_members(&mut self, name: &str, prefix: &str) {
        let sources = self.sources;
        let field_of = |name: &str, field: &str| {
            let mut fields = sources.structs[name].fields.iter();
            fields.find(|one| one.name == field).unwrap()
        };
        let Some(members) = sources.members.get(name) else {
            let fields = sources.structs[name].fields.iter();
            for field in fields.filter(|field| field.name != "unknown") {
                self.add_member(&field.name, field, prefix);
            }
            return;
        };
        for member in members {
            let outer = field_of(name, &member.field);
            let inner = member.inner.as_ref();
            let field = inner.map(|inner| field_of(&innermost(&outer.ty), inner));
            self.add_member(&member.name, field.unwrap_or(outer), prefix);
        }
    }

    /// A member, the members of its value, and what else the field has.
    fn add_member(&mut self, name: &str, field: &Field, prefix: &str) {
        let text = Vec::from_iter(field.docs.split_whitespace()).join(" ");
        let mut items = text.split("* `");
        let meaning = self.sentence(items.next().unwrap_or_default().trim());
        let value = self.value(&field.ty);
        let mut rows = Vec::from_iter(items.map(|item| self.item(item.trim(), prefix)));
        if rows.is_empty() {
            let link = match self.sources.words.get(&value) {
                Some(_) => format!(" ([words](#{}))", value.to_lowercase()),
                None => String::new(),
            };
            let [name, types] = [format!("{prefix}{name}"), self.types(&field.ty)];
            rows.push([name, types, meaning + &link]);
        }
        let others = rows.split_off(1);
        let [name, types, _] = &mut rows[0];
        let is_list = types.starts_with("objects");
        let path = format!("{name}{}.", if is_list { "[]" } else { "" });
        let place = self.listed.get(&value);
        let is_new = place.is_none() && self.sources.members.contains_key(&value);
        if let Some(place) = place {
            *types += &format!(", as `{place}`");
        } else if is_new {
            self.listed.insert(value.clone(), name.clone());
        }
        self.rows.extend(rows);
        if is_new {
            self.add_members(&value, &path);
        }
        self.rows.extend(others);
        let words = self.sources.words.get(&value);
        let beside = words.into_iter().flatten();
        self.add_beside(beside, if is_list { &path } else { prefix });
    }

    /// The members that some words have beside them.
    fn add_beside<'w>(&mut self, words: impl Iterator<Item = &'w Word>, prefix: &str) {
        let fields = words.flat_map(|word| word.fields.iter().map(move |field| (word, field)));
        for (word, field) in fields {
            let name = format!("{prefix}{}", field.name);
            let types = self.types(&field.ty) + "?";
            let docs = field.docs[..1].to_lowercase() + &field.docs[1..];
            let meaning = format!("`{}`: {}", word.word, self.sentence(&docs));
            match self.rows.iter_mut().find(|row| row[0] == name) {
                Some(row) => row[2] += &format!("; {meaning}"),
                None => self.rows.push([name, types, meaning]),
            }
        }
    }

    /// "absent`, text?: why there is none"
    fn item(&self, item: &str, prefix: &str) -> Row {
        let (name, rest) = item.split_once("`, ").expect(item);
        let (types, meaning) = rest.split_once(": ").expect(item);
        let meaning = meaning[..1].to_uppercase() + &self.sentence(&meaning[1..]);
        [format!("{prefix}{name}"), types.to_owned(), meaning]
    }

    /// The struct or enumeration of a value, through structs around it.
    fn value(&self, ty: &Type) -> String {
        let name = innermost(ty);
        let around = self.sources.around.get(&name);
        around.map_or(name, innermost)
    }

    /// The type in JSON.
    fn types(&self, ty: &Type) -> String {
        let (name, inner) = parts(ty);
        match (&*name, inner) {
            ("Option", Some(inner)) => self.types(inner) + "?",
            ("Box", Some(inner)) => self.types(inner),
            ("Vec", Some(inner)) => self.types(inner) + "s",
            ("String", _) => "text".to_owned(),
            ("bool", _) => "flag".to_owned(),
            ("u8" | "u32" | "u64", _) => "whole".to_owned(),
            ("i32", _) => "integer".to_owned(),
            ("f64", _) => "number".to_owned(),
            _ if self.sources.words.contains_key(&name) => "text".to_owned(),
            // One that is empty is missing.
            _ => match self.sources.around.get(&name) {
                Some(around) => self.types(around) + "?",
                None => "object".to_owned(),
            },
        }
    }

    /// A doc comment as the cell of a table: without the point at its end, if it is one sentence.
    fn sentence(&self, docs: &str) -> String {
        let text = self.prose(docs).replace('\n', " ").replace('|', "\\|");
        match text.strip_suffix('.') {
            Some(one) if !one.contains(". ") => one.to_owned(),
            _ => text,
        }
    }

    /// A doc comment as a page has it.
    fn prose(&self, docs: &str) -> String {
        let docs = docs.replace(". `None`", ". Missing");
        linked(&self.with_words(&docs.replace("`None`", "missing")))
    }

    /// Links to Rust items: of a value its word, of an enumeration a link to its words.
    fn with_words(&self, docs: &str) -> String {
        let mut parts = docs.split("[`");
        let mut shown = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (path, rest) = part.split_once("`]").expect(part);
            let (name, variant) = path.split_once("::").unwrap_or((path, ""));
            let words = self.sources.words.get(name).expect(path);
            shown += &match words.iter().find(|word| word.variant == variant) {
                Some(word) => format!("`{}`", word.word),
                None => format!("[{path}](#{})", path.to_lowercase()),
            };
            shown += rest;
        }
        shown
    }
}

/// Paths of pages as links.
fn linked(docs: &str) -> String {
    let mut parts = docs.split("docs/");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (path, rest) = part.split_at(part.find([')', ' ', '\n']).unwrap_or(part.len()));
        let (name, _) = path.split_once(".md").expect(path);
        let name = name.rsplit('/').next().unwrap_or(name).replace('-', " ");
        shown += &match path.strip_prefix("reference/") {
            Some(beside) => format!("[{name}]({beside}){rest}"),
            None => format!("[{name}](../{path}){rest}"),
        };
    }
    shown
}
