//! What a shell on the other machine executes.

use std::ffi::OsStr;

/// The folder of the records, in the one that was sent.
pub(super) const RESULTS: &str = "results";
/// The exit code of the subcommand there, written when it has ended, in the folder of the records.
pub(super) const ENDED: &str = "ended";
/// The folder of the files of packages, as in their checkout, in the one that was sent.
pub(super) const CHECKOUT: &str = "checkout";
/// The program for subcommands there, in the folder that was sent, else in the search path.
pub(super) const TOOL: &str = "cargo-tourbillon";

/// A script that starts a subcommand with these words in the checkout of a folder that was sent.
///
/// Its input is a pipe that stays open while the results are wanted: the connection, or the program that holds the other
/// end, may end in any way. Then the subcommand gets a SIGTERM, because a shell has its background programs ignore
/// SIGINT, and the folder is removed when it has ended.
pub(super) fn script<W: AsRef<OsStr>>(folder: &str, words: &[W]) -> Vec<u8> {
    let mut script = format!(
        "\
cd {folder} && mkdir {RESULTS} && mkdir -p {CHECKOUT} && cd {CHECKOUT} || exit 5
PATH=\"$PATH:$HOME/.cargo/bin\"
tool=../{TOOL}
\"$tool\" --version >/dev/null 2>&1 || tool={TOOL}
if ! \"$tool\" --version >/dev/null 2>&1; then
    echo 'error: the other machine has no {TOOL} in its search path that runs; build one for it' >&2
    exit 5
fi
exec 3<&0
\"$tool\""
    )
    .into_bytes();
    for word in words {
        script.push(b' ');
        quote(word.as_ref(), &mut script);
    }
    script.extend_from_slice(
        format!(
            "\
 </dev/null 3<&- &
tool=$!
(
    cat <&3
    : >../lost
    kill -TERM \"$tool\"
    while kill -0 \"$tool\"; do sleep 1; done
    rm -rf {folder}
) >/dev/null 2>&1 &
watch=$!
exec 3<&-
wait \"$tool\"
code=$?
echo \"$code\" >../{RESULTS}/{ENDED}
if [ -e ../lost ]; then
    rm -rf {folder}
    exit 130
fi
kill \"$watch\"
exit \"$code\"
"
        )
        .as_bytes(),
    );
    script
}

/// A word for a POSIX shell, whatever is in it.
fn quote(word: &OsStr, script: &mut Vec<u8>) {
    script.push(b'\'');
    for &byte in word.as_encoded_bytes() {
        match byte {
            b'\'' => script.extend_from_slice(b"'\\''"),
            _ => script.push(byte),
        }
    }
    script.push(b'\'');
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::process::{Command, Stdio};

    use super::*;

    const HOSTILE: [&str; 8] = [
        "it's",
        "$(touch pwned)",
        "`touch pwned`",
        "a; touch pwned",
        "--config=x=\"y\"",
        "a\nb\\",
        "*",
        "",
    ];

    /// A folder with a program, which begins with what answers the question for the version.
    fn folder(text: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        let [draft, tool] = ["draft", TOOL].map(|name| folder.path().join(name));
        let begin = "#!/bin/sh\n[ \"$1\" = --version ] && exit\n";
        fs::write(&draft, format!("{begin}{text}")).expect("a file");
        // By another process: one that is started meanwhile would hold the open file, which cannot be executed then.
        let mut install = Command::new("install");
        let status = install.args(["-m", "755"]).arg(&draft).arg(&tool).status();
        assert!(status.expect("install starts").success());
        folder
    }

    #[test]
    fn hostile_words_arrive_as_they_are() {
        let text = "for word; do printf '%s:%s\\n' \"${#word}\" \"$word\"; done\nexit 3\n";
        let folder = folder(text);
        let place = folder.path().to_str().expect("text");
        fs::write(folder.path().join("measure"), script(place, &HOSTILE)).expect("a file");
        let mut shell = Command::new("sh")
            .arg(folder.path().join("measure"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let lifeline = shell.stdin.take();
        let output = shell.wait_with_output().expect("an end");
        drop(lifeline);
        let mut expected = String::new();
        for word in HOSTILE {
            expected += &format!("{}:{word}\n", word.len());
        }
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
        assert_eq!(output.status.code(), Some(3));
        assert!(!folder.path().join(CHECKOUT).join("pwned").exists());
        let ended = folder.path().join(RESULTS).join(ENDED);
        assert_eq!(fs::read_to_string(ended).ok().as_deref(), Some("3\n"));
    }

    #[test]
    fn without_the_other_end_it_ends_and_leaves_nothing() {
        let folder = folder("echo begun\nexec sleep 1000\n");
        let place = folder.path().to_str().expect("text").to_owned();
        fs::write(folder.path().join("measure"), script(&place, &["run"])).expect("a file");
        let mut shell = Command::new("sh")
            .arg(folder.path().join("measure"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let mut first = [0; 6];
        let stdout = shell.stdout.as_mut().expect("a pipe");
        std::io::Read::read_exact(stdout, &mut first).expect("it began");
        drop(shell.stdin.take());
        assert_eq!(shell.wait().expect("an end").code(), Some(130));
        assert!(!folder.path().exists());
    }

    #[test]
    fn a_machine_without_the_program_says_so() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().to_str().expect("text");
        fs::write(folder.path().join("measure"), script(place, &["run"])).expect("a file");
        let output = Command::new("/bin/sh")
            .arg(folder.path().join("measure"))
            // The tools of a system, where cargo installs nothing.
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", place)
            .output()
            .expect("a shell");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{stderr}");
        assert!(
            stderr.contains("no cargo-tourbillon in its search path"),
            "{stderr}"
        );
    }
}
