//! Schemas of documents, and records of other schemas.

use std::path::Path;
use std::{env, fs};

use serde_json::{Map, Value, json};
use tourbillon_present::Kind;
use tourbillon_present::kind::{Holds, KINDS, Members};

use crate::folder::{Folder, run};

const MEASURED: &str =
    include_str!("../../../tourbillon-record/tests/golden/schema-2-measured.jsonl");

const RUN: &str = include_str!("../../../tourbillon-record/tests/golden/schema-2-run.jsonl");
const VERDICTS: &str =
    include_str!("../../../tourbillon-record/tests/golden/schema-2-comparison.jsonl");

#[test]
fn figures_of_a_record_are_recomputed_as_they_were() {
    let folder = Folder::new("schema-figures");
    // The method of today has the slopes of that one.
    let record = MEASURED.replace("near-slopes-1", tourbillon_analysis::METHOD);
    fs::write(folder.join("run.jsonl"), record).expect("a record");
    let shown = run(&folder, &["show", "run.jsonl"]).stdout;
    assert!(shown.contains("76.4 ns"), "{shown}");
    let explained = run(&folder, &["explain", "format_number", "run.jsonl"]).stdout;
    let words: Vec<&str> = explained.split_whitespace().collect();
    let page = words.join(" ");
    let same = page.matches("recomputed figures are the same");
    assert_eq!(same.count(), 2, "time and cycles in\n{explained}");
}

#[test]
fn a_document_is_of_the_kind_of_its_records() {
    let folder = Folder::new("schema-kinds");
    let begin: Vec<&str> = RUN.lines().take(2).collect();
    let run_with_verdicts = format!("{}\n{VERDICTS}", begin.join("\n"));
    // What `is_comparison` looks for: the names of both builds.
    let facts =
        r#""facts":[{"name":"reference","value":"main"},{"name":"candidate","value":"head"},"#;
    let of_builds = run_with_verdicts.replacen("\"facts\":[", facts, 1);
    for (file, text, kind, table) in [
        ("run.jsonl", MEASURED, "results", "rows"),
        ("sides.jsonl", &run_with_verdicts, "results", "verdicts"),
        ("builds.jsonl", &of_builds, "comparison", "rows"),
    ] {
        fs::write(folder.join(file), text).expect("a record");
        let ran = run(&folder, &["show", file, "--format", "json"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let document: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        assert_eq!(document["kind"], kind);
        let rows = document[table].as_array().expect("a table");
        assert!(!rows.is_empty(), "{file}");
        let has_verdict = rows.iter().any(|row| row.get("verdict").is_some());
        assert_eq!(has_verdict, file != "run.jsonl", "{file}");
        let page = run(&folder, &["show", file, "--format", "html"]);
        assert_eq!(page.code, Some(0), "{page:?}");
    }
    let both = ["show", "run.jsonl", "builds.jsonl", "--format", "json"];
    let ran = run(&folder, &both);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("comparison and results"), "{ran:?}");
}

#[test]
fn another_schema_is_an_error_with_a_remedy() {
    let folder = Folder::new("schema-other");
    for (schema, remedy) in [(1, "measure again"), (99, "or a newer one")] {
        let text = MEASURED.replace("\"schema\":2,", &format!("\"schema\":{schema},"));
        fs::write(folder.join("run.jsonl"), text).expect("a record");
        for arguments in [
            &["show", "run.jsonl"][..],
            &["report", "run.jsonl"],
            &["explain", "format_number", "run.jsonl"],
        ] {
            let ran = run(&folder, arguments);
            assert_eq!(ran.code, Some(5), "{ran:?}");
            let error =
                format!("\"run.jsonl\" cannot be read: line 1: written in schema {schema}, ");
            assert!(ran.stderr.contains(&error), "{}", ran.stderr);
            assert!(ran.stderr.contains(remedy), "{}", ran.stderr);
        }
    }
}

#[test]
fn the_schemas_of_documents_are_those_of_the_code() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/schemas");
    for kind in KINDS {
        let text = format!("{:#}\n", schema(kind));
        let path = folder.join(format!("{}-{}.json", kind.name, kind.version));
        if env::var_os("TOURBILLON_ACCEPT").is_some() {
            fs::create_dir_all(&folder).expect("a folder");
            fs::write(&path, &text).expect("a file");
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        let remedy = "TOURBILLON_ACCEPT=1 cargo test -p cargo-tourbillon --test it schemas";
        assert_eq!(written, text, "{} is written by `{remedy}`", path.display());
    }
}

/// The form of documents of a kind as JSON Schema (draft 2020-12).
fn schema(kind: &Kind) -> Value {
    let text = json!({ "type": "string" });
    let array = |items: Value| json!({ "type": "array", "items": items });
    let note = json!({
        "type": "object",
        "properties": { "about": array(text.clone()), "text": text },
    });
    let mut properties = json!({
        "kind": { "const": kind.name },
        "version": { "const": kind.version },
        "title": text,
        "answer": text,
        "details": text,
        "texts": array(text.clone()),
        "notes": array(note),
    });
    for (name, members) in kind.tables {
        properties[name] = array(row(members));
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("{} {}", kind.name, kind.version),
        "type": "object",
        "required": ["kind", "version"],
        "properties": properties,
    })
}

fn row(members: Members) -> Value {
    let mut properties = Map::new();
    for (holds, names) in members {
        let name_of_type = match holds {
            Holds::Text => "string",
            Holds::Number => "number",
            Holds::Flag => "boolean",
        };
        for name in names.split(' ') {
            properties.insert(name.to_owned(), json!({ "type": [name_of_type, "null"] }));
        }
    }
    json!({ "type": "object", "properties": properties })
}
