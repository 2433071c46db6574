//! Pages, comments, messages and help texts are free of words that name no actor, or no thing that
//! another tool's user would search for.
//!
//! Names are no prose: text in backquotes, words that are joined to other signs (`--bench x`, `x.rs`),
//! string literals of one word, blocks of output, and blocks that a script writes.

use crate::tidy::{files, is_rust};

/// Words and phrases that are never right, each with what to write.
const WORDS: &[(&[&str], &str)] = &[
    (&["somebody"], "name the actor"),
    (&["someone"], "name the actor"),
    (&["whoever"], "name the actor"),
    (&["nobody"], "name the actor, or what does not happen"),
    (&["anybody"], "name the actor"),
    (&["is", "said"], "prints, reports, states"),
    (&["are", "said"], "print, report, state"),
    (&["was", "said"], "printed, reported, stated"),
    (&["is", "told"], "gets, receives, knows"),
    (&["are", "told"], "get, receive, know"),
    (&["was", "told"], "got, received"),
    (&["neighbour"], "contention, SMT sibling, guest"),
    (&["neighbours"], "contention, SMT siblings, guests"),
    (&["crowded"], "contended"),
    (&["scout"], "pilot launch"),
    (&["scouts"], "pilot launches"),
    (&["landmark"], "reference kernel"),
    (&["landmarks"], "reference kernels"),
    (&["mood"], "conditions"),
    (&["moods"], "conditions"),
    (&["passed", "over"], "discarded, ignored, skipped"),
    (&["given", "way"], "discarded"),
    (&["left", "out"], "discarded, without"),
    (&["but", "for"], "except, without"),
    (&["unless", "said", "otherwise"], "by default"),
    (&["everybody"], "name the actors"),
    (&["when", "told"], "name the event"),
    (&["can", "be", "told"], "can be distinguished"),
];

/// What holds the words themselves, and texts of other programs.
const OTHERS: &[&str] = &[
    "crates/tourbillon/tests/it/prose.rs",
    "crates/cargo-tourbillon/src/doctor/machines/",
];

/// A word in small letters with its line; `None` for a name or a sign, which ends a phrase.
type Token = (Option<String>, usize);

/// The tokens of a piece of prose that begins in a line.
fn tokens(text: &str, first: usize) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let at = |index: usize| chars.get(index).copied().unwrap_or(' ');
    let (mut tokens, mut line, mut quoted, mut index) = (Vec::new(), first, false, 0);
    while index < chars.len() {
        let c = chars[index];
        index += 1;
        if c == '\n' {
            line += 1;
            // A paragraph ends a name in backquotes that has no end.
            quoted &= at(index) != '\n';
        } else if c.is_alphanumeric() {
            let start = index - 1;
            while at(index).is_alphanumeric() || at(index) == '_' {
                index += 1;
            }
            let before = if start == 0 { ' ' } else { chars[start - 1] };
            let after = at(index);
            let joined = "\"'{_/.-:#<=".contains(before)
                || "\"_/=}".contains(after)
                || ".-:".contains(after)
                    && (at(index + 1).is_alphanumeric() || at(index + 1) == ':');
            let word: String = chars[start..index].iter().collect();
            let prose = !quoted && !joined;
            tokens.push((prose.then(|| word.to_lowercase()), line));
        } else if !c.is_whitespace() {
            quoted ^= c == '`';
            tokens.push((None, line));
        }
    }
    tokens
}

/// Comments and string literals of Rust code, each with its first line; comments of lines that follow
/// each other are one.
fn of_rust(code: &str) -> Vec<(String, usize)> {
    let mut pieces: Vec<(String, usize)> = Vec::new();
    // The piece of the last comment, and its last line.
    let mut last = None;
    let (mut rest, mut line, mut before) = (code, 1, ' ');
    while let Some(c) = rest.chars().next() {
        let raw = ["r", "br", "cr"].iter().find_map(|prefix| {
            let hashes = rest.strip_prefix(prefix)?;
            let text = hashes.trim_start_matches('#');
            let end = format!("\"{}", &hashes[..hashes.len() - text.len()]);
            Some((text.strip_prefix('"')?, end))
        });
        let joined = before.is_alphanumeric() || before == '_';
        let length = if let Some(comment) = rest.strip_prefix("//") {
            let length = comment.find('\n').unwrap_or(comment.len());
            let text = comment[..length].trim_start_matches(['/', '!']);
            let piece = match last {
                Some((piece, end)) if end + 1 == line => piece,
                _ => {
                    pieces.push((String::new(), line));
                    pieces.len() - 1
                }
            };
            let comment: &mut (String, usize) = &mut pieces[piece];
            if comment.1 < line {
                comment.0.push('\n');
            }
            comment.0.push_str(text);
            last = Some((piece, line));
            2 + length
        } else if let (false, Some((text, end))) = (joined, raw) {
            let length = text.find(&end).unwrap_or(text.len());
            pieces.push((text[..length].to_owned(), line));
            rest.len() - text.len() + (length + end.len()).min(text.len())
        } else if c == '"' {
            let (text, length) = literal(&rest[1..]);
            let is_name = !text.contains(char::is_whitespace);
            pieces.push((if is_name { String::new() } else { text }, line));
            1 + length
        } else if let Some(length) = character(rest) {
            length
        } else {
            c.len_utf8()
        };
        let (passed, remaining) = rest.split_at(length);
        line += passed.matches('\n').count();
        before = passed.chars().next_back().unwrap_or(' ');
        rest = remaining;
    }
    pieces
}

/// The text of a string literal without its escapes, and its length with the quote that ends it.
fn literal(rest: &str) -> (String, usize) {
    let mut text = String::new();
    let mut chars = rest.char_indices();
    while let Some((index, c)) = chars.next() {
        match c {
            '"' => return (text, index + 1),
            // A line that goes on is a line; any other escape is a sign.
            '\\' => text.push(match chars.next() {
                Some((_, '\n')) => '\n',
                _ => '\\',
            }),
            c => text.push(c),
        }
    }
    (text, rest.len())
}

/// The length of a character literal that the code begins with; `None` for lifetimes and all else.
fn character(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('\'')?;
    let mut chars = inside.chars();
    let first = chars.next()?;
    if first == '\\' {
        let escaped = 1 + chars.next()?.len_utf8();
        return Some(1 + escaped + inside[escaped..].find('\'')? + 1);
    }
    (chars.next() == Some('\'')).then_some(1 + first.len_utf8() + 1)
}

/// A page without blocks that are no Rust code, blocks that a script writes, and targets of links; its
/// lines stay where they are.
fn of_page(page: &str) -> String {
    let mut prose = String::new();
    let (mut fence, mut written): (Option<&str>, bool) = (None, false);
    for line in page.lines() {
        let text = line.trim_start();
        written &= !text.starts_with("<!-- end");
        if let Some(info) = text.strip_prefix("```") {
            fence = fence.is_none().then_some(info);
        } else if !written && fence.is_none_or(|info| info.starts_with("rust")) {
            // One line with a command is no block.
            let command = text.starts_with("<!-- command: ") && text.matches(": ").count() > 1;
            let marker = text.starts_with("<!-- ");
            written = marker && !text.starts_with("<!-- end") && !command;
            let line = if marker { "" } else { line };
            for (index, part) in line.split("](").enumerate() {
                let shown = if index == 0 {
                    part
                } else {
                    part.split_once(')').map_or("", |(_, after)| after)
                };
                prose.push_str(shown);
            }
        }
        prose.push('\n');
    }
    prose
}

/// The comments and messages of a script or a manifest; its lines stay where they are.
fn of_script(script: &str) -> String {
    let comment = |line: &str| {
        let (before, comment) = line.split_once('#')?;
        let begins = before.is_empty() || before.ends_with([' ', '\t']);
        begins.then(|| comment.to_owned())
    };
    let message = |line: &str| {
        let prints = ["echo ", "fail ", "printf "]
            .iter()
            .any(|word| line.contains(word));
        prints.then(|| line.split('\'').skip(1).step_by(2).collect::<String>())
    };
    let lines = script
        .lines()
        .map(|line| comment(line).or_else(|| message(line)));
    lines.map(|line| line.unwrap_or_default() + "\n").collect()
}

/// The prose of a file.
fn prose(name: &str, text: &str) -> Vec<(String, usize)> {
    if is_rust(name) {
        of_rust(text)
    } else if name.ends_with(".md") {
        vec![(of_page(text), 1)]
    } else if name.ends_with(".sh") || name.ends_with(".toml") {
        vec![(of_script(text), 1)]
    } else if name.ends_with(".txt") {
        vec![(text.to_owned(), 1)]
    } else {
        Vec::new()
    }
}

/// The words of the list that a file has, as `line: word; what to write`.
fn found(name: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (piece, first) in prose(name, text) {
        let tokens = tokens(&piece, first);
        for start in 0..tokens.len() {
            for (phrase, instead) in WORDS {
                let mut words = tokens[start..].iter().map(|(word, _)| word.as_deref());
                let matches = phrase.iter().all(|word| words.next() == Some(Some(*word)));
                // What is told apart is distinguished.
                if matches && words.next() != Some(Some("apart")) {
                    let (line, phrase) = (tokens[start].1, phrase.join(" "));
                    found.push(format!("{line}: \"{phrase}\"; write: {instead}"));
                }
            }
        }
    }
    found
}

#[test]
fn no_word_of_the_list_is_written() {
    let mut all = Vec::new();
    for (name, text) in &files() {
        if !OTHERS.iter().any(|other| name.starts_with(other)) {
            let found = found(name, text);
            all.extend(found.iter().map(|found| format!("{name}:{found}")));
        }
    }
    assert!(all.is_empty(), "\n{}", all.join("\n"));
}

#[test]
fn words_are_found_in_comments_and_messages() {
    let code = "/// A case that nobody\n/// needs.\nfn f() { let a = 'x'; say(\"{x} is \\\n   told\"); }\n";
    assert_eq!(found("a.rs", code).len(), 2);
    assert_eq!(
        found("a.rs", code)[1],
        "3: \"is told\"; write: gets, receives, knows"
    );
    assert_eq!(
        found("a.md", "A\nneighbour is\ntold apart, but\nfor it.\n").len(),
        2
    );
    assert_eq!(found("a.txt", "Whoever.").len(), 1);
    assert_eq!(found("a.sh", "echo 'left out'; x # nobody\n").len(), 1);
}

#[test]
fn names_are_not_prose() {
    let code = r##"
        // `scout`, `a scout b`, --bench landmarks-1, crowded.sh
        let scout: &'a str = "crowded";
        let json = r#"{"scout":true}"#;
        let nobody = b'"'; let moods = "{mood}";
    "##;
    assert_eq!(found("a.rs", code), Vec::<String>::new());
    let page = "A [page](landmarks/a.md).\n```text\nneighbour\n```\n<!-- sim moods -->\n| mood |\n<!-- end -->\n";
    assert_eq!(found("a.md", page), Vec::<String>::new());
}
