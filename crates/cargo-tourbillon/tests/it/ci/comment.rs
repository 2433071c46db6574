//! The workflow that writes the comment, with gh and unzip replaced.

use std::fs;
use std::process::Command;

use super::programs;
use super::workflows::{blocks, text, yaml};

/// Answers as GitHub would, from files in its folder, and writes what is sent.
const GH: &str = r#"#!/bin/sh
here=$(dirname "$0")
case "$*" in
    *"-F body=@comment.md"*) echo "$*" >>"$here/sent" ;;
    *artifacts/*/zip*) echo zip ;;
    *runs/5/artifacts*) cat "$here/artifacts" ;;
    *pulls/*) cat "$here/head" ;;
    *comments*) cat "$here/comments" ;;
    *) exit 1 ;;
esac
"#;
const UNZIP: &str = "#!/bin/sh\ncat \"$(dirname \"$0\")/$3\"\n";

const COMMENT: &str = "<!-- tourbillon -->\n### Benchmarks: passed\n";

/// What the service and the artifact hold.
struct Job<'j> {
    artifacts: &'j str,
    number: &'j str,
    head: &'j str,
    comments: &'j str,
    comment: &'j str,
}

const JOB: Job<'_> = Job {
    artifacts: "77 4000\n",
    number: "12\n",
    head: "abc\n",
    comments: "",
    comment: COMMENT,
};

/// Whether the job succeeds, and what it sends.
fn result(name: &str, job: &Job<'_>) -> (bool, String) {
    let folder = format!("ci-comment-{name}");
    let (folder, path) = programs(&folder, &[("gh", GH), ("unzip", UNZIP)]);
    for (file, contents) in [
        ("artifacts", job.artifacts),
        ("pull-request", job.number),
        ("head", job.head),
        ("comments", job.comments),
        ("comment.md", job.comment),
    ] {
        fs::write(folder.join(file), contents).expect("a file");
    }
    let work = folder.join("work");
    fs::create_dir_all(&work).expect("a folder");
    let workflow = yaml(&blocks("how-to/ci-github.md")[1]);
    let run = &workflow["jobs"]["comment"]["steps"][0]["run"];
    let output = Command::new("bash")
        .args(["-e", "-c", text(run)])
        .env("PATH", path)
        .env("GITHUB_REPOSITORY", "o/r")
        .env("RUN", "5")
        .env("HEAD", "abc")
        .current_dir(work)
        .output()
        .expect("bash starts");
    let sent = fs::read_to_string(folder.join("sent")).unwrap_or_default();
    (output.status.success(), sent)
}

#[test]
fn a_comment_is_written_and_replaced() {
    let (succeeds, sent) = result("new", &JOB);
    assert!(succeeds);
    assert_eq!(
        sent,
        "api --silent repos/o/r/issues/12/comments -F body=@comment.md\n"
    );
    let job = Job {
        comments: "8\n9\n",
        ..JOB
    };
    let (succeeds, sent) = result("replaced", &job);
    assert!(succeeds);
    assert_eq!(
        sent,
        "api --silent -X PATCH repos/o/r/issues/comments/8 -F body=@comment.md\n"
    );
}

#[test]
fn a_forged_or_outdated_artifact_is_not_a_comment() {
    let long = format!("{COMMENT}{}", "x".repeat(60_000));
    for (name, succeeds, job) in [
        (
            "none",
            true,
            Job {
                artifacts: "",
                ..JOB
            },
        ),
        (
            "large",
            false,
            Job {
                artifacts: "77 10000001\n",
                ..JOB
            },
        ),
        (
            "forged",
            false,
            Job {
                number: "12/../13",
                ..JOB
            },
        ),
        ("empty", false, Job { number: "", ..JOB }),
        (
            "outdated",
            true,
            Job {
                head: "def\n",
                ..JOB
            },
        ),
        (
            "long",
            false,
            Job {
                comment: &long,
                ..JOB
            },
        ),
        (
            "unmarked",
            false,
            Job {
                comment: "hello\n",
                ..JOB
            },
        ),
    ] {
        assert_eq!(result(name, &job), (succeeds, String::new()), "{name}");
    }
}
