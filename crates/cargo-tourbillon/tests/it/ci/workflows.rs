//! The YAML of the action and of the pages, read by a parser that is not ours.

use std::fs;

use yaml_rust2::{Yaml, YamlLoader};

use super::root;

/// Most lines of the workflow that measures.
const LINES: usize = 12;

/// Reads a text with any number of documents.
pub(super) fn yaml_of(text: &str) -> Vec<Yaml> {
    YamlLoader::load_from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Reads a text with one document.
pub(super) fn yaml(text: &str) -> Yaml {
    yaml_of(text).into_iter().next().expect("a document")
}

/// The blocks of YAML of a page.
pub(super) fn blocks(page: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join("docs").join(page)).expect(page);
    let blocks = text.split("\n```yaml\n").skip(1);
    blocks
        .map(|block| block.split("\n```").next().unwrap_or_default().to_owned() + "\n")
        .collect()
}

/// The text of a value.
pub(super) fn text(value: &Yaml) -> &str {
    value
        .as_str()
        .unwrap_or_else(|| panic!("no text: {value:?}"))
}

/// The steps of the action.
pub(super) fn action() -> Yaml {
    yaml(&fs::read_to_string(root().join("action.yml")).expect("action.yml"))
}

fn steps(value: &Yaml) -> &[Yaml] {
    value.as_vec().expect("steps")
}

#[test]
fn the_measuring_workflow_is_short_and_only_reads() {
    for page in ["how-to/ci-github.md", "tutorial/first-ci-job.md"] {
        let block = blocks(page).remove(0);
        assert!(
            block.lines().count() <= LINES,
            "{page}: {} lines",
            block.lines().count()
        );
        assert!(!block.contains("secrets") && !block.contains("pull_request_target"));
        let workflow = yaml(&block);
        let permissions = workflow["permissions"].as_hash().expect("permissions");
        assert_eq!(permissions.len(), 1, "{page}");
        assert_eq!(text(&workflow["permissions"]["contents"]), "read");
        let [checkout, action] = steps(&workflow["jobs"]["bench"]["steps"]) else {
            panic!("{page}");
        };
        assert!(text(&checkout["uses"]).starts_with("actions/checkout@"));
        assert_eq!(checkout["with"]["fetch-depth"].as_i64(), Some(0));
        assert!(text(&action["uses"]).starts_with(&super::steps::ours()));
    }
}

#[test]
fn the_action_is_shell_and_caches() {
    let action = action();
    assert_eq!(text(&action["runs"]["using"]), "composite");
    for step in steps(&action["runs"]["steps"]) {
        if !step["uses"].is_badvalue() {
            let uses = text(&step["uses"]);
            let known = [
                "actions/cache/restore@",
                "actions/cache/save@",
                "actions/upload-artifact@",
            ];
            assert!(known.iter().any(|known| uses.starts_with(known)), "{uses}");
            continue;
        }
        let run = text(&step["run"]);
        assert_eq!(text(&step["shell"]), "bash");
        assert!(
            !["curl", "wget", "git fetch", "git clone"]
                .iter()
                .any(|word| run.contains(word))
        );
    }
    let of_step = |id: &str| {
        let mut steps = steps(&action["runs"]["steps"]).iter();
        steps
            .find(|step| step["id"].as_str() == Some(id))
            .expect(id)
    };
    let (restore, save) = (of_step("restore"), of_step("save"));
    assert_eq!(restore["with"]["path"], save["with"]["path"]);
    assert_eq!(restore["with"]["key"], save["with"]["key"]);
    assert!(text(&restore["with"]["key"]).starts_with(text(&restore["with"]["restore-keys"])));
    // The program that judges is in no cache, and what is not merged fills none.
    assert!(!text(&save["with"]["path"]).contains("cargo-tourbillon"));
    let trusted = "github.event_name == 'push' && github.ref_type == 'branch' && github.ref_name == \
                   github.event.repository.default_branch";
    assert!(text(&save["if"]).contains(trusted));
}

#[test]
fn inputs_and_outputs_of_the_action_are_documented() {
    let page = fs::read_to_string(root().join("docs/how-to/ci-github.md")).expect("a page");
    let action = action();
    for part in ["inputs", "outputs"] {
        for name in action[part].as_hash().expect(part).keys() {
            let name = format!("`{}`", text(name));
            assert!(page.contains(&name), "{name}");
        }
    }
}

#[test]
fn the_comment_is_written_without_code_of_the_pull_request() {
    let blocks = blocks("how-to/ci-github.md");
    let workflow = yaml(&blocks[1]);
    assert_eq!(
        text(&workflow["on"]["workflow_run"]["workflows"][0]),
        text(&yaml(&blocks[0])["name"])
    );
    let permissions = workflow["permissions"]
        .as_hash()
        .expect("permissions")
        .iter()
        .map(|(name, value)| (text(name), text(value)));
    assert_eq!(
        permissions.collect::<Vec<_>>(),
        [("actions", "read"), ("pull-requests", "write")]
    );
    let [step] = steps(&workflow["jobs"]["comment"]["steps"]) else {
        panic!("one step");
    };
    assert!(step["uses"].is_badvalue() && !text(&step["run"]).contains("${{"));
}

#[test]
fn the_job_of_gitlab_keeps_the_reports() {
    let job = &yaml(&blocks("how-to/ci-gitlab.md")[0])["bench"];
    assert_eq!(job["variables"]["GIT_DEPTH"].as_i64(), Some(0));
    let reports = &job["artifacts"]["reports"];
    assert_eq!(text(&reports["junit"]), "tourbillon-ci/junit.xml");
    assert_eq!(
        text(&reports["codequality"]),
        "tourbillon-ci/code-quality.json"
    );
    assert_eq!(text(&job["artifacts"]["when"]), "always");
    let script = job["script"].as_vec().expect("a script");
    let [_, unknown, outside, judged] = &script[..] else {
        panic!("{script:?}")
    };
    assert!(text(judged).starts_with("cargo-tourbillon ci --output tourbillon-ci"));
    // The cache is none of the merge request, and where cargo reads nothing of it.
    assert!(text(unknown).contains("git ls-files .tourbillon-cache"));
    assert!(text(outside).ends_with("mv .tourbillon-cache \"$TOURBILLON_CACHE\""));
    let cache = text(&job["variables"]["TOURBILLON_CACHE"]);
    assert!(!cache.starts_with("${CI_PROJECT_DIR}/"), "{cache}");
    // What merge requests leave in the cache is not there for others.
    assert_eq!(text(&job["variables"]["CACHE_POLICY"]), "pull");
    assert_eq!(text(&job["cache"]["policy"]), "$CACHE_POLICY");
}

/// `scripts/engines.sh` runs them.
#[test]
fn jobs_of_several_machines_have_as_many_as_shards() {
    let blocks = |page| blocks(&format!("how-to/{page}.md"));
    let ([github, own], [kubernetes]) =
        (&blocks("partition")[..], &blocks("partition-engines")[..])
    else {
        panic!("other blocks");
    };
    let spec = &yaml(kubernetes)["spec"];
    assert_eq!(text(&spec["completionMode"]), "Indexed");
    let completions = spec["completions"].as_i64().expect("a number");
    let command = text(&spec["template"]["spec"]["containers"][0]["args"][0]);
    let partition = format!(" --partition auto/{completions} ");
    assert!(command.contains(&partition), "{command}");
    let workflow = yaml(github);
    let permissions = workflow["permissions"].as_hash().expect("permissions");
    assert_eq!(permissions.len(), 1);
    let measure = &workflow["jobs"]["measure"];
    assert_eq!(measure["strategy"]["fail-fast"].as_bool(), Some(false));
    assert_eq!(
        text(&measure["strategy"]["matrix"]),
        "${{ fromJSON(needs.build.outputs.matrix) }}"
    );
    // In place of its line, one that keeps a shard on a machine.
    assert_eq!(text(&measure["runs-on"]), "ubuntu-latest");
    let own = &yaml(own)["runs-on"];
    assert_eq!(
        [&own[0], &own[1]].map(text),
        ["self-hosted", "bench-${{ strategy.job-index }}"]
    );
    // A shard that fails does not keep the others from being merged.
    let merge = &workflow["jobs"]["merge"];
    assert_eq!(
        (text(&merge["needs"]), text(&merge["if"])),
        ("measure", "always()")
    );
}
