//! Which commits are compared: the head, and the commit that its branch began at.

use std::env;
use std::io;
use std::path::Path;

use serde_json::Value;
use tourbillon_builds::{Maker, is_commit};
use tourbillon_values::limits::DESCRIPTION_BYTES;
use tourbillon_values::named_file;

use tourbillon_tool::exit::{Stop, say};

/// What the service of the job states about it.
#[derive(Debug, Default)]
pub(super) struct Environment {
    variables: Vec<(&'static str, String)>,
    /// GitHub's description of the event; null elsewhere.
    event: Value,
}

/// The variables that are read.
const VARIABLES: [&str; 7] = [
    "GITHUB_EVENT_PATH",
    "GITHUB_BASE_REF",
    "CI_MERGE_REQUEST_TARGET_BRANCH_SHA",
    "CI_MERGE_REQUEST_DIFF_BASE_SHA",
    "CI_MERGE_REQUEST_IID",
    "CI_COMMIT_BEFORE_SHA",
    "CI_DEFAULT_BRANCH",
];

impl Environment {
    /// That of this process. What cannot be read is absent, and a warning.
    pub(super) fn read() -> Environment {
        let set = VARIABLES.into_iter().filter_map(|name| {
            let value = env::var(name).ok().filter(|value| !value.is_empty())?;
            Some((name, value))
        });
        let mut environment = Environment {
            variables: set.collect(),
            event: Value::Null,
        };
        if let Some(path) = environment.variable("GITHUB_EVENT_PATH") {
            match event(Path::new(path)) {
                Ok(event) => environment.event = event,
                Err(error) => say(&format!(
                    "warning: the event of this job, {path:?}, is not read: {error}\n"
                )),
            }
        }
        environment
    }

    fn variable(&self, name: &str) -> Option<&str> {
        let mut found = self.variables.iter();
        let (_, value) = found.find(|(known, _)| *known == name)?;
        Some(value)
    }

    /// A text in the description of the event, by its path.
    fn event(&self, pointer: &str) -> Option<&str> {
        self.event.pointer(pointer)?.as_str()
    }

    /// The number of the pull request or merge request.
    pub(super) fn pull_request(&self) -> Option<u64> {
        let github = self.event.pointer("/pull_request/number");
        let gitlab = || self.variable("CI_MERGE_REQUEST_IID")?.parse().ok();
        github.and_then(Value::as_u64).or_else(gitlab)
    }

    /// Names of the base, the best first.
    fn bases(&self) -> Vec<String> {
        let of_origin = |branch: &str| format!("refs/remotes/origin/{branch}");
        // The commit before a branch began is that of zeros. Git would take other revisions, too.
        let commit = |commit: &str| {
            let is_one = is_commit(commit) && commit.bytes().any(|digit| digit != b'0');
            is_one.then(|| commit.to_owned())
        };
        // The tip of the branch first: GitHub and GitLab may have merged the head with a later commit than
        // they report.
        let of_request: Vec<String> = [
            self.variable("GITHUB_BASE_REF").map(of_origin),
            self.event("/pull_request/base/sha").and_then(commit),
            self.event("/merge_group/base_sha").and_then(commit),
            self.variable("CI_MERGE_REQUEST_TARGET_BRANCH_SHA")
                .and_then(commit),
            self.variable("CI_MERGE_REQUEST_DIFF_BASE_SHA")
                .and_then(commit),
        ]
        .into_iter()
        .flatten()
        .collect();
        if !of_request.is_empty() {
            return of_request;
        }
        let of_push = [
            self.event("/before").and_then(commit),
            self.variable("CI_COMMIT_BEFORE_SHA").and_then(commit),
            self.event("/repository/default_branch").map(of_origin),
            self.variable("CI_DEFAULT_BRANCH").map(of_origin),
        ];
        of_push.into_iter().flatten().collect()
    }
}

/// The description of an event.
fn event(path: &Path) -> io::Result<Value> {
    let text = named_file::read_text(path, DESCRIPTION_BYTES)?;
    Ok(serde_json::from_str(&text)?)
}

/// The commits of both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Revisions {
    pub(super) base: String,
    pub(super) head: String,
}

impl Revisions {
    /// The head, and the last commit that it has in common with the base that was typed, or with that of the
    /// service.
    ///
    /// # Errors
    ///
    /// When no base is named or known, or the clone lacks it.
    pub(super) fn find(
        maker: &Maker,
        base: Option<&str>,
        head: &str,
        environment: &Environment,
    ) -> Result<Revisions, Stop> {
        maker.check(&tourbillon_builds::Subject::Revision(head.to_owned()))?;
        let head = maker.commit(head).unwrap_or_default();
        let names = match base {
            Some(name) => vec![name.to_owned()],
            None => environment.bases(),
        };
        let Some(first) = names.first() else {
            return Err(Stop::Usage(
                "no base: this is no pull request, merge request or push of a service; name it with \
                 --base, such as --base origin/main"
                    .to_owned(),
            ));
        };
        let mut known = names
            .iter()
            .filter_map(|name| Some((name, maker.commit(name)?)));
        let Some((name, tip)) = known.next() else {
            maker.check_meaning(first)?;
            return Err(absent(
                &format!("the base {first} is not in this clone"),
                maker,
            ));
        };
        let Some(base) = maker.merge_base(&tip, &head) else {
            let what = format!("{name} and the head have no commit in common in this clone");
            return Err(absent(&what, maker));
        };
        if base == head {
            return Err(Stop::Usage(format!(
                "the head is a commit of the base {name} itself; name an earlier one with --base, such as \
                 --base HEAD^"
            )));
        }
        Ok(Revisions { base, head })
    }
}

/// The remedy where a clone lacks commits.
fn absent(what: &str, maker: &Maker) -> Stop {
    if maker.is_shallow() {
        return Stop::Environment(format!(
            "{what}, which is shallow; fetch the history: `fetch-depth: 0` of actions/checkout on GitHub, \
             `GIT_DEPTH: 0` on GitLab, `git fetch --unshallow` elsewhere"
        ));
    }
    Stop::Usage(format!(
        "{what}; fetch it with `git fetch origin BRANCH`, or name another with --base"
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

    fn bases(variables: &[(&'static str, &str)], event: Value) -> Vec<String> {
        let environment = Environment {
            variables: variables
                .iter()
                .map(|(name, value)| (*name, (*value).to_owned()))
                .collect(),
            event,
        };
        environment.bases()
    }

    #[test]
    fn an_event_that_cannot_be_read_has_a_reason() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        for (text, reason) in [("", "EOF"), ("{\"before\": ", "EOF"), ("no", "expected")] {
            std::fs::write(file.path(), text).expect("a file");
            let error = event(file.path()).expect_err(text).to_string();
            assert!(error.contains(reason), "{error}");
        }
        std::fs::write(file.path(), "{}").expect("a file");
        assert_eq!(event(file.path()).expect("an event"), json!({}));
        assert!(event(Path::new("/")).is_err());
    }

    #[test]
    fn the_base_is_that_of_the_request_or_the_push() {
        let request = json!({"pull_request": {"number": 7, "base": {"sha": COMMIT}},
            "repository": {"default_branch": "main"}});
        assert_eq!(
            bases(&[("GITHUB_BASE_REF", "dev")], request.clone()),
            ["refs/remotes/origin/dev", COMMIT]
        );
        assert_eq!(
            bases(&[], json!({"merge_group": {"base_sha": COMMIT}})),
            [COMMIT]
        );
        let push =
            |before: &str| json!({"before": before, "repository": {"default_branch": "main"}});
        assert_eq!(
            bases(&[], push(COMMIT)),
            [COMMIT, "refs/remotes/origin/main"]
        );
        // A new branch.
        assert_eq!(
            bases(&[], push(&"0".repeat(40))),
            ["refs/remotes/origin/main"]
        );
        // Neither a flag nor another revision.
        for other in ["--output=x", "HEAD", "main^{/x}", "abc"] {
            assert_eq!(bases(&[], push(other)), ["refs/remotes/origin/main"]);
        }
        let merge_request = [
            ("CI_MERGE_REQUEST_DIFF_BASE_SHA", COMMIT),
            ("CI_COMMIT_BEFORE_SHA", "000"),
            ("CI_DEFAULT_BRANCH", "main"),
        ];
        assert_eq!(bases(&merge_request, Value::Null), [COMMIT]);
        assert_eq!(bases(&[], Value::Null), [""; 0]);
    }

    #[test]
    fn numbers_are_those_of_the_service() {
        let mut environment = Environment::default();
        assert_eq!(environment.pull_request(), None);
        environment.variables = vec![("CI_MERGE_REQUEST_IID", "12".to_owned())];
        assert_eq!(environment.pull_request(), Some(12));
        environment.event = json!({"pull_request": {"number": 7}});
        assert_eq!(environment.pull_request(), Some(7));
    }
}
