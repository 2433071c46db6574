//! The pages of the format and FRAMES.md agree with what is written: every field, both ways.

use std::collections::{BTreeMap, BTreeSet};

use nojson::{JsonValueKind, RawJson, RawJsonValue};
use tourbillon_record::{Frame, Line};

use crate::{calls, commands, comparison_lines, count_lines, otherwise, samples, teams};

const DOCUMENT: &str = concat!(
    include_str!("../../../../docs/reference/record-format.md"),
    include_str!("../../../../docs/reference/record-fields.md"),
    include_str!("../../FRAMES.md")
);

/// Line type, field path, and what was found or stated about it.
type Fields = BTreeMap<(String, String), BTreeSet<String>>;

/// The tables below the headings that name a type: the types of each field.
///
/// `text?` may be missing; `object?, as `launch.chain`` has the members of that field of another line. Every line begins
/// with `type` and `schema`.
fn stated() -> Fields {
    let mut fields = Fields::new();
    let mut kind = None;
    let mut likened = Vec::new();
    for line in DOCUMENT.lines() {
        if line.starts_with('#') {
            kind = line
                .trim_start_matches('#')
                .strip_prefix(" `")
                .and_then(|rest| rest.strip_suffix('`'));
            for (name, word) in [("type", "text"), ("schema", "whole")] {
                let types = BTreeSet::from([word.to_owned()]);
                fields.extend(kind.map(|kind| ((kind.to_owned(), name.to_owned()), types)));
            }
        }
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        if let (Some(kind), ["", names, types, meaning, ""]) = (kind, &cells[..])
            && names.starts_with('`')
        {
            assert!(!meaning.is_empty(), "{kind}: {names} has no meaning");
            let (types, other) = types.split_once(", as ").unwrap_or((types, ""));
            let required = types.trim_end_matches('?');
            let mut words: BTreeSet<_> = required.split(" or ").map(str::to_owned).collect();
            if required != types {
                words.insert("missing".to_owned());
            }
            for name in names.split(", ").map(|name| name.trim_matches('`')) {
                if !other.is_empty() {
                    let list = if required == "objects" { "[]" } else { "" };
                    likened.push((kind.to_owned(), format!("{name}{list}"), other));
                }
                let earlier = fields.insert((kind.to_owned(), name.to_owned()), words.clone());
                assert_eq!(earlier, None, "{kind}: `{name}` stands there twice");
            }
        }
    }
    for (kind, name, other) in likened {
        let (other_kind, object) = other.trim_matches('`').split_once('.').expect("a field");
        let found = fields.iter().filter_map(|((kind, field), types)| {
            let member = field.strip_prefix(object)?.trim_start_matches("[]");
            let member = member.strip_prefix('.').filter(|_| kind == other_kind)?;
            Some((format!("{name}.{member}"), types.clone()))
        });
        let members: Vec<_> = found.collect();
        for (field, types) in members {
            fields.insert((kind.clone(), field), types);
        }
    }
    fields
}

/// Everything that is written, as text.
pub(crate) fn written() -> Vec<String> {
    let lines = samples::lines().into_iter().chain(samples::plain_lines());
    let lines = lines
        .chain(samples::contention())
        .chain(comparison_lines::disturbed())
        .chain(comparison_lines::lines())
        .chain(comparison_lines::asserted())
        .chain(comparison_lines::plain_lines())
        .chain(count_lines::lines())
        .chain(count_lines::fenced())
        .chain(count_lines::stepped())
        .chain([
            count_lines::without_time(),
            count_lines::imprecise(),
            samples::rate(),
            samples::uneven(),
        ])
        .chain([Some(9_671_406_556_917_033_397), None].map(samples::sharded))
        .chain([samples::without_cycles(), samples::with_lines()])
        .chain(otherwise::lines())
        .chain(otherwise::with_units())
        .chain(teams::lines())
        .chain(calls::lines())
        .chain(commands::lines());
    let mut texts: Vec<_> = lines.map(|line| line.encode()).collect();
    texts.extend(samples::frames().iter().map(Frame::encode));
    texts.push(samples::ending_early().encode());
    texts.push(samples::stepped().encode());
    texts.extend(
        [
            comparison_lines::of_blocks(),
            comparison_lines::rough(),
            comparison_lines::with_probes(),
        ]
        .map(|line| line.encode()),
    );
    texts.extend(comparison_lines::of_numbers().map(|line| line.encode()));
    texts.extend(otherwise::better_with_more().map(|line| line.encode()));
    texts.push(otherwise::of_build().encode());
    texts.extend(samples::on_one_kind().map(|line| line.encode()));
    texts.push(samples::plan_on_one_kind().encode());
    texts.extend(comparison_lines::frames().iter().map(Frame::encode));
    texts.extend(otherwise::frames().iter().map(Frame::encode));
    texts
}

fn found() -> Fields {
    let mut fields = Fields::new();
    for text in written() {
        let json = RawJson::parse(&text).unwrap();
        collect(json.value(), &type_of(&text), "", &mut fields);
    }
    fields
}

pub(crate) fn type_of(text: &str) -> String {
    let json = RawJson::parse(text).unwrap();
    let kind = json.value().to_member("type").unwrap().required().unwrap();
    kind.to_unquoted_string_str().unwrap().into_owned()
}

fn collect(object: RawJsonValue<'_, '_>, kind: &str, path: &str, fields: &mut Fields) {
    for (name, value) in object.to_object().unwrap() {
        let path = format!("{path}{}", name.to_unquoted_string_str().unwrap());
        let word = match value.kind() {
            JsonValueKind::Null => "null",
            JsonValueKind::Boolean => "flag",
            JsonValueKind::Integer => "whole",
            JsonValueKind::Float => "number",
            JsonValueKind::String => "text",
            JsonValueKind::Object => {
                collect(value, kind, &format!("{path}."), fields);
                "object"
            }
            JsonValueKind::Array => {
                let mut word = "list";
                for item in value.to_array().unwrap() {
                    word = match item.kind() {
                        JsonValueKind::Object => {
                            collect(item, kind, &format!("{path}[]."), fields);
                            "objects"
                        }
                        JsonValueKind::String => "texts",
                        JsonValueKind::Float => "numbers",
                        _ => "wholes",
                    };
                }
                word
            }
        };
        let words = fields.entry((kind.to_owned(), path)).or_default();
        // An empty list says nothing about its items.
        if word != "list" {
            words.insert(word.to_owned());
        }
    }
}

#[test]
fn every_field_is_documented_and_every_documented_field_is_written() {
    let (stated, found) = (stated(), found());
    let stated_names: BTreeSet<_> = stated.keys().collect();
    let found_names: BTreeSet<_> = found.keys().collect();
    let missing: Vec<_> = found_names.difference(&stated_names).collect();
    let invented: Vec<_> = stated_names.difference(&found_names).collect();
    assert!(missing.is_empty(), "written, not in the pages: {missing:?}");
    assert!(
        invented.is_empty(),
        "in the pages, never written: {invented:?}"
    );
}

#[test]
fn every_field_has_the_documented_type() {
    for ((kind, name), found) in found() {
        let mut stated = stated()[&(kind.clone(), name.clone())].clone();
        stated.remove("missing");
        for (signed, whole) in [("integer", "whole"), ("integers", "wholes")] {
            if stated.remove(signed) {
                stated.insert(whole.to_owned());
            }
        }
        assert_eq!(stated, found, "{kind}: `{name}`");
    }
}

/// Takes each field at the top level away, and sets it to `null`.
#[test]
fn exactly_the_documented_fields_may_be_absent() {
    let stated = stated();
    for text in written() {
        let kind = type_of(&text);
        let decodes = |text: &str| match kind.as_str() {
            "hello" | "plan" | "progress" | "panicking" | "bye" => Frame::decode(text).is_ok(),
            _ => Line::decode(text).is_ok(),
        };
        assert!(decodes(&text), "{text}");
        let json = RawJson::parse(&text).unwrap();
        for (name, value) in json.value().to_object().unwrap() {
            let (name, value) = (name.as_raw_str(), value.as_raw_str());
            let member = format!("{name}:{value}");
            let set_null = text.replacen(&member, &format!("{name}:null"), 1);
            let taken_away = text.replacen(&member, r#""other":0"#, 1);
            let key = (kind.clone(), name.trim_matches('"').to_owned());
            if value == "null" {
                assert!(decodes(&taken_away), "{kind}: {name} cannot be absent");
            } else if !stated[&key].contains("null") && !stated[&key].contains("missing") {
                assert!(
                    !decodes(&set_null),
                    "{kind}: {name} is read though it is null"
                );
                assert!(
                    !decodes(&taken_away),
                    "{kind}: {name} is read though it is not there"
                );
            }
        }
    }
}

#[test]
fn every_type_has_examples_and_they_are_written_like_that() {
    let mut examples = BTreeSet::new();
    let blocks = DOCUMENT.split("```json\n").skip(1);
    for line in blocks.flat_map(|block| block.split("```").next().unwrap().lines()) {
        let written = match Line::decode(line) {
            Ok(line) => line.encode(),
            Err(error) if error.is_unknown_type() => Frame::decode(line).unwrap().encode(),
            Err(error) => panic!("{error}: {line}"),
        };
        assert_eq!(written, line);
        examples.insert(type_of(line));
    }
    let types: BTreeSet<_> = stated().into_keys().map(|(kind, _)| kind).collect();
    assert_eq!(examples, types);
}

#[test]
fn the_document_is_about_this_schema() {
    assert!(DOCUMENT.contains(&format!("This is schema {}.", tourbillon_record::SCHEMA)));
}
