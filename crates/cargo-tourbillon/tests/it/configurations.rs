//! What programs are given under configurations of cargo is what cargo gives them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::folder::{Folder, script};
use crate::program::command;

/// Notes what it is given. What cargo has search libraries in its own folders is left away.
const PROBE: &str = r#"use std::{env, fs, io::Write};

fn main() {
    // By which it is taken for one of ours: --tourbillon-worker
    if env::args().any(|word| word == "--tourbillon-worker") { return }
    let starts = ["V_", "OUT_DIR", "CARGO_PKG_", "CARGO_BIN_EXE_", "CARGO_MANIFEST_", "NUMBER", "THROUGH"];
    let given = env::vars().filter(|(name, _)| starts.iter().any(|start| name.starts_with(start)));
    let mut given: Vec<String> = given.map(|(name, value)| format!("{name}={value}")).collect();
    let libraries = env::var("LD_LIBRARY_PATH").unwrap_or_default();
    let is_of_user = |folder: &&str| folder.starts_with("/of-user");
    given.extend(libraries.split(':').filter(is_of_user).map(str::to_owned));
    given.sort();
    let file = fs::File::options().append(true).create(true).open(env::var_os("NOTED").expect("a variable"));
    let folder = env::current_dir().expect("a folder");
    writeln!(file.expect("a file"), "{} {given:?}", folder.display()).expect("a line");
}
"#;

const SCRIPT: &str = "fn main() {\n    println!(\"cargo::rustc-env=NUMBER=3\");\n    \
    println!(\"cargo::rustc-env=V_SCRIPT=script\");\n    println!(\"cargo::rerun-if-changed=build.rs\");\n}\n";

/// A file of configuration and its contents.
type Written = (&'static str, &'static str);

struct Configured {
    files: &'static [Written],
    flags: &'static [&'static str],
    variables: &'static [(&'static str, &'static str)],
    /// The folder that cargo is started in.
    within: &'static str,
}

const PLAIN: Configured = Configured {
    files: &[],
    flags: &[],
    variables: &[],
    within: "w",
};

const OF_HOST: &str = "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER";
const HOST: &str = "--target=x86_64-unknown-linux-gnu";

/// In files `HOST` is the host's section of targets.
const ALL: [Configured; 10] = [
    PLAIN,
    // Parts of a variable are in several files.
    Configured {
        files: &[
            (
                ".cargo/config.toml",
                "env.V_A = { value = 'far', force = true }\nenv.V_B = 'far'\n",
            ),
            ("w/.cargo/config.toml", "env.V_A = { value = 'near' }\n"),
            ("home/config.toml", "env.V_B = 'home'\nenv.V_C = 'home'\n"),
        ],
        variables: &[("V_A", "set"), ("V_C", "set")],
        ..PLAIN
    },
    // Flags have precedence over a variable, and that over files.
    Configured {
        files: &[("w/.cargo/config.toml", "HOST.runner = './near'\n")],
        flags: &["--config", "HOST.runner='./near -x'"],
        variables: &[(OF_HOST, "env THROUGH=variable")],
        ..PLAIN
    },
    Configured {
        files: &[("w/.cargo/config.toml", "HOST.runner = ['./near', '-x']\n")],
        variables: &[(OF_HOST, "env THROUGH=variable")],
        ..PLAIN
    },
    // A path in a variable begins where cargo is started.
    Configured {
        variables: &[(OF_HOST, "../far")],
        ..PLAIN
    },
    // A path in a file begins at the folder around its own.
    Configured {
        files: &[
            (
                "w/.cargo/config.toml",
                "include = ['../../others/more.toml']\n",
            ),
            (
                "others/more.toml",
                "target.'cfg(unix)'.runner = './w/near'\n\
                 env.V_A = { value = 'data', relative = true }\n",
            ),
        ],
        within: "w/a",
        ..PLAIN
    },
    // Cargo makes the search path itself.
    Configured {
        files: &[(
            "w/.cargo/config.toml",
            "env.LD_LIBRARY_PATH = { value = '/of-user/file', force = true }\n",
        )],
        variables: &[("LD_LIBRARY_PATH", "/of-user/set")],
        ..PLAIN
    },
    // What is not that of the folder in which cargo is started, and does not even fit.
    Configured {
        files: &[
            (".cargo/config.toml", "env.V_A = 'far'\n"),
            (
                "w/a/.cargo/config.toml",
                "env.V_A = { value = 'near' }\nHOST.runner = './none'\n",
            ),
        ],
        ..PLAIN
    },
    // Names of cargo's own and of build scripts.
    Configured {
        files: &[(
            "w/.cargo/config.toml",
            "env.NUMBER = { value = '4', force = true }\nenv.CARGO_PKG_NAME = 'other'\n\
             env.CARGO_PKG_MORE = 'more'\nenv.OUT_DIR = { value = 'out', force = true }\n",
        )],
        flags: &["--config=env.V_SCRIPT='flag'", "-p", "b"],
        ..PLAIN
    },
    Configured {
        files: &[
            ("w/.cargo/config", "env.V_A = 'first'\n"),
            ("w/.cargo/config.toml", "env.V_A = 'second'\n"),
            (
                "home/config.toml",
                "target.'cfg(target_os = \"linux\")'.runner = ['env', 'THROUGH=a b']\n",
            ),
        ],
        flags: &[HOST],
        ..PLAIN
    },
];

/// A workspace of two packages.
fn write_workspace(root: &Path) {
    let write = |path: &str, text: &str| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    write(
        "w/Cargo.toml",
        "[workspace]\nmembers = ['a', 'b']\nresolver = '2'\n",
    );
    for name in ["a", "b"] {
        let manifest = format!(
            "[package]\nname = '{name}'\nversion = '1.2.3'\nedition = '2024'\n[lib]\nbench = false\n\
             [[bin]]\nname = 'tool-{name}'\npath = 'src/tool.rs'\nbench = false\n\
             [[bench]]\nname = 'speed-{name}'\nharness = false\n"
        );
        for (file, text) in [
            ("Cargo.toml", &*manifest),
            ("build.rs", SCRIPT),
            ("src/lib.rs", ""),
            ("src/tool.rs", "fn main() {}"),
            (&format!("benches/speed-{name}.rs"), PROBE),
        ] {
            write(&format!("w/{name}/{file}"), text);
        }
    }
    for (place, name) in [("far", "far"), ("w/near", "near")] {
        let through = format!(
            "#!/bin/sh\nexport THROUGH={name}\nif [ \"$1\" = -x ]; then shift; THROUGH={name}-x; fi\n\
             exec \"$@\"\n"
        );
        script(&root.join(place), &through);
    }
}

#[test]
fn programs_are_given_what_cargo_gives_them() {
    let folder = Folder::new("configurations");
    let (mut seen, host) = (BTreeSet::new(), "target.x86_64-unknown-linux-gnu");
    for (number, one) in ALL.iter().enumerate() {
        let root = folder.join(number.to_string());
        write_workspace(&root);
        for (file, text) in one.files {
            let path = root.join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text.replace("HOST", host)).expect("a file");
        }
        let flags: Vec<String> = one
            .flags
            .iter()
            .map(|flag| flag.replace("HOST", host))
            .collect();
        let noted = |mut cargo: Command| {
            let file = root.join("noted");
            let _ = fs::remove_file(&file);
            cargo.args(["--offline", "--profile", "dev"]).args(&flags);
            cargo.envs(one.variables.iter().copied());
            cargo
                .env("NOTED", &file)
                .env("CARGO_HOME", root.join("home"));
            cargo.env(
                "CARGO_TARGET_DIR",
                folder.join("target").join(number.to_string()),
            );
            let output = cargo.current_dir(root.join(one.within)).output();
            let said = output.expect("it starts").stderr;
            let notes = fs::read_to_string(file).unwrap_or_default();
            assert!(!notes.is_empty(), "{}", String::from_utf8_lossy(&said));
            notes.lines().map(str::to_owned).collect::<BTreeSet<_>>()
        };
        let mut bench = Command::new(env!("CARGO"));
        bench.arg("bench");
        let of_cargo = noted(bench);
        assert_eq!(noted(command(&["tourbillon", "run"])), of_cargo, "{number}");
        seen.extend(of_cargo.into_iter().filter_map(|line| {
            let (_, through) = line.split_once("\"THROUGH=")?;
            Some(through.split('"').next()?.to_owned())
        }));
    }
    let expected = ["a b", "far", "near", "near-x", "variable"].map(str::to_owned);
    assert_eq!(seen, BTreeSet::from(expected));
}
