//! Where the file is, and what its tables are for.

use std::fs;

use super::*;

fn parsed(text: &str) -> Result<SettingsFile, String> {
    SettingsFile::parse(Path::new("tourbillon.toml"), text)
}

#[test]
fn tables_have_scopes() {
    let text = "[bench]\nquiet = true\n[bench.packages.shop]\na = 1\n[bench.targets]\n\
                \"shop/sort\" = { b = 2 }\n[bench.cases.\"sort/\"]\nc = 3\n[compare]\ntime = \"5s\"\n\
                [gate.cases]\n\"x\" = { relative = \"5%\" }\n";
    let settings = parsed(text).expect("settings").settings;
    let found: Vec<_> = settings
        .iter()
        .map(|one| (one.scope.table(), one.key.as_str(), one.line))
        .collect();
    let expected = [
        ("[bench]", "quiet", 2),
        ("[bench.packages.\"shop\"]", "a", 4),
        ("[bench.targets.\"shop/sort\"]", "b", 6),
        ("[bench.cases.\"sort/\"]", "c", 8),
        ("[compare]", "time", 10),
        ("[gate]", "cases.x.relative", 12),
    ];
    let expected = expected.map(|(table, key, line)| (table.to_owned(), key, line));
    assert_eq!(found, expected);
    assert!(SettingScope::Bench < SettingScope::Package("a".to_owned()));
    assert!(SettingScope::Package("z".to_owned()) < SettingScope::Target("a".to_owned()));
}

#[test]
fn mistakes_name_the_file_and_the_line() {
    for (text, expected) in [
        (
            "\n[bnech]\nx = 1",
            "tourbillon.toml:3: [bnech] is not known; did you mean [bench]?",
        ),
        (
            "x = 1",
            "tourbillon.toml:1: [x] is not known; known are [bench], [gate], [compare], [ci], [save], [show], \
             [report]",
        ),
        (
            "[bench]\npackages = 1",
            "tourbillon.toml:2: write [bench.packages.NAME], and KEY = VALUE in it",
        ),
        (
            "[compare.x]\ny = 1",
            "tourbillon.toml:2: [compare] has no such table: compare.x.y",
        ),
        (
            "[bench",
            "tourbillon.toml:1: the name of the table does not end; write [TABLE]",
        ),
    ] {
        assert_eq!(parsed(text).expect_err(text), expected);
    }
}

#[test]
fn values_as_they_are_typed() {
    let typed = |value: &str, takes_value| {
        let text = format!("[bench]\nx = {value}");
        parsed(&text).expect(value).settings[0].typed(takes_value)
    };
    let texts = |texts: &[&str]| Ok(texts.iter().map(|&text| text.to_owned()).collect());
    assert_eq!(typed("\"1 s\"", true), texts(&["1 s"]));
    assert_eq!(typed("0.5", true), texts(&["0.5"]));
    assert_eq!(typed("[1, \"b\"]", true), texts(&["1", "b"]));
    assert_eq!(typed("true", false), texts(&[""]));
    assert_eq!(typed("false", false), texts(&[]));
    let needs = "x needs a value: a text in quotes or a number";
    assert_eq!(typed("true", true).unwrap_err(), needs);
    assert_eq!(typed("[true]", true).unwrap_err(), needs);
    assert_eq!(typed("1", false).unwrap_err(), "x is true or false");
}

#[test]
fn the_nearest_file_of_the_workspace_is_found() {
    let name = format!("tourbillon-settings-{}", std::process::id());
    let root = std::env::temp_dir().join(name);
    let member = root.join("ws/member/src");
    fs::create_dir_all(&member).expect("folders");
    let locate = |named: Option<&str>| {
        let found = SettingsFile::locate(named.map(Path::new), &member);
        found.map(|file| file.map(|file| file.path))
    };
    let write = |path: &str, text: &str| fs::write(root.join(path), text).expect("a file");
    write("tourbillon.toml", "[bench]\n");
    write("ws/Cargo.lock", "");
    // Above the workspace, none is looked for.
    assert_eq!(locate(None), Ok(None));
    write("ws/tourbillon.toml", "[bench]\n");
    assert_eq!(locate(None), Ok(Some(root.join("ws/tourbillon.toml"))));
    write("ws/member/tourbillon.toml", "[bench]\n");
    assert_eq!(
        locate(None),
        Ok(Some(root.join("ws/member/tourbillon.toml")))
    );
    assert_eq!(locate(Some("none")), Ok(None));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc/hostname", root.join("ws/member/src/tourbillon.toml"))
            .expect("a link");
        let link = locate(None).expect_err("a link");
        assert!(
            link.contains("is a link, which is not followed; name"),
            "{link}"
        );
        fs::remove_file(root.join("ws/member/src/tourbillon.toml")).expect("the link");
    }
    let named = root.join("tourbillon.toml");
    assert_eq!(locate(named.to_str()), Ok(Some(named.clone())));
    let missing = locate(Some("no/such/file")).expect_err("missing");
    assert!(
        missing.starts_with("\"no/such/file\" cannot be read: "),
        "{missing}"
    );
    let folder = locate(root.to_str()).expect_err("a folder");
    assert!(
        folder.ends_with("cannot be read: it is a folder"),
        "{folder}"
    );
    write("tourbillon.toml", &"#".repeat(2 << 20));
    let long = locate(named.to_str()).expect_err("long");
    assert!(long.contains("it has more than 1 MiB"), "{long}");
    fs::remove_dir_all(&root).expect("removed");
}
