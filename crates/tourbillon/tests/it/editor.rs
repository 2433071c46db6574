//! What rust-analyzer offers in an editor, over its protocol.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use nojson::{RawJson, RawJsonValue};

use crate::tidy::workspace;

/// What the client can do, and no check of the whole workspace.
const OPTIONS: &str = r#"
    "capabilities":{"experimental":{
        "serverStatusNotification":true,
        "commands":{"commands":["rust-analyzer.runSingle","rust-analyzer.debugSingle"]}
    }},
    "initializationOptions":{"checkOnSave":false,"cachePriming":{"enable":false}}
"#;

/// A server, ended with its last owner.
struct Server {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    requests: u32,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    /// Starts one for a folder, and waits until it has read everything.
    fn start(folder: &Path) -> Server {
        let mut process = Command::new("rust-analyzer")
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("rust-analyzer is on the path");
        let mut server = Server {
            input: process.stdin.take().expect("a pipe"),
            output: BufReader::new(process.stdout.take().expect("a pipe")),
            process,
            requests: 0,
        };
        let root = uri(folder);
        let parameters = format!(r#"{{"processId":null,"rootUri":{root},{OPTIONS}}}"#);
        server.answer("initialize", &parameters);
        server.send(r#""method":"initialized","params":{}"#);
        while !server.next().contains(r#""quiescent":true"#) {}
        server
    }

    fn send(&mut self, members: &str) {
        let message = format!(r#"{{"jsonrpc":"2.0",{members}}}"#);
        let length = message.len();
        let sent = write!(self.input, "Content-Length: {length}\r\n\r\n{message}");
        sent.and_then(|()| self.input.flush()).expect("a reader");
    }

    /// The next message.
    fn next(&mut self) -> String {
        let mut length = 0;
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("a line");
            assert_ne!(read, 0, "rust-analyzer ended");
            match line.trim_end().split_once(": ") {
                Some(("Content-Length", value)) => length = value.parse().expect("a length"),
                Some(_) => {}
                None => break,
            }
        }
        let mut message = vec![0; length];
        self.output.read_exact(&mut message).expect("a message");
        String::from_utf8(message).expect("text")
    }

    /// The answer to a request.
    fn answer(&mut self, method: &str, parameters: &str) -> String {
        self.requests += 1;
        let id = self.requests;
        self.send(&format!(
            r#""id":{id},"method":"{method}","params":{parameters}"#
        ));
        loop {
            let message = self.next();
            let is_it = {
                let json = RawJson::parse(&message).expect("JSON");
                let json = json.value();
                text(json, &["id"]) == id.to_string() && text(json, &["method"]).is_empty()
            };
            if is_it {
                return message;
            }
        }
    }
}

/// The address of a file, with its quotes.
fn uri(path: &Path) -> String {
    format!("\"file://{}\"", path.display())
}

/// The value at the end of the members' names as text; empty where there is none.
fn text(json: RawJsonValue<'_, '_>, path: &[&str]) -> String {
    let mut value = json;
    for name in path {
        let member = value.to_member(name).ok();
        match member.and_then(|member| member.optional()) {
            Some(member) => value = member,
            None => return String::new(),
        }
    }
    match value.to_unquoted_string_str() {
        Ok(text) => text.into_owned(),
        Err(_) => value.as_raw_str().to_owned(),
    }
}

/// The entries of the list in the answer.
fn entries<'t, 'r>(json: &'r RawJson<'t>) -> Vec<RawJsonValue<'t, 'r>> {
    let result = json.value().to_member("result").expect("an object");
    let result = result.required().expect("a result");
    result.to_array().expect("a list").collect()
}

/// Lines with the attribute, from 0, each with the name of its function.
fn benchmarks(source: &str) -> Vec<(usize, String)> {
    let lines: Vec<&str> = source.lines().collect();
    let is_attribute = |line: &str| {
        let line = line.trim_start();
        line.starts_with("#[bench") || line.starts_with("#[tourbillon::bench")
    };
    let mut found = Vec::new();
    for (at, _) in lines
        .iter()
        .enumerate()
        .filter(|(_, line)| is_attribute(line))
    {
        let function = lines[at..].iter().find_map(|line| {
            let (_, name) = line.split_once("fn ")?;
            name.split(['(', '<']).next()
        });
        found.push((at, function.expect("a function").to_owned()));
    }
    found
}

#[test]
#[ignore = "needs rust-analyzer; scripts/editor.sh runs this"]
fn every_benchmark_of_the_examples_has_one_run_bench_lens() {
    let workspace = workspace().canonicalize().expect("the workspace");
    let mut server = Server::start(&workspace);
    let folder = workspace.join("examples/benches");
    let files = std::fs::read_dir(&folder).expect("a folder");
    let mut files: Vec<_> = files.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.is_file());
    files.sort();
    assert!(files.len() > 10, "{files:?}");
    for file in files {
        let source = std::fs::read_to_string(&file).expect("a file");
        let expected = benchmarks(&source);
        let target = file.file_stem().expect("a name").to_string_lossy();
        let document = format!(r#"{{"textDocument":{{"uri":{}}}}}"#, uri(&file));

        let answer = server.answer("experimental/runnables", &document);
        let json = RawJson::parse(&answer).expect("JSON");
        let mut found = Vec::new();
        for runnable in entries(&json) {
            let label = text(runnable, &["label"]);
            assert!(!label.starts_with("test"), "{file:?}: {label}");
            if label.starts_with("bench ") {
                let line = text(runnable, &["location", "targetRange", "start", "line"]);
                let cargo = text(runnable, &["args", "cargoArgs"]);
                let program = text(runnable, &["args", "executableArgs"]);
                // Features that the target requires follow.
                let expected = format!(r#"["bench","--package","examples","--bench","{target}""#);
                assert!(cargo.starts_with(&expected), "{file:?}: {cargo}");
                let (path, rest) = program.split_once("\",\"").expect("arguments");
                assert!(rest.starts_with("--exact\""), "{program}");
                let path = tourbillon_values::editor_path(path.trim_start_matches("[\""));
                let path = path.unwrap_or_else(|| panic!("{program}"));
                let function = path.rsplit("::").next().unwrap_or_default().to_owned();
                found.push((line.parse().expect("a number"), function));
            }
        }
        found.sort();
        // What a macro writes has its lens where the macro is called.
        if source.contains("macro_rules!") {
            assert!(!found.is_empty(), "{file:?}");
        } else {
            assert_eq!(found, expected, "{file:?}");
        }

        let answer = server.answer("textDocument/codeLens", &document);
        let json = RawJson::parse(&answer).expect("JSON");
        let lenses = entries(&json);
        let titled = |title: &str| {
            let is_it =
                |lens: &&RawJsonValue<'_, '_>| text(**lens, &["command", "title"]).ends_with(title);
            lenses.iter().filter(is_it).count()
        };
        assert_eq!(titled("Run Bench"), found.len(), "{file:?}");
        assert_eq!(titled("Run Test") + titled("Run Tests"), 0, "{file:?}");
    }
}
