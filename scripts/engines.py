"""The engines of scripts/engines.sh: engines.py TOOL [ENGINE..]."""

import json
import re
import shutil
import sys
import tempfile
from pathlib import Path

import yaml

from job_files import GATE_FAILS, Place, check, fail, job, run


def kubernetes(place):
    spec = yaml.safe_load(job("kubernetes"))["spec"]
    [container] = spec["template"]["spec"]["containers"]
    data = place.folder / "data"
    data.mkdir()
    run([place.tool, "bundle", data / "both.tar.gz", "origin/main"], place.checkout, place.env)
    words = [word.replace("/data/", f"{data}/") for word in container["command"] + container["args"]]
    codes = []
    for index in range(spec["completions"]):
        env = place.without_toolchain(JOB_COMPLETION_INDEX=str(index))
        codes.append(run(words, data, env, codes=range(256)).returncode)
    run([place.tool, "merge", "results", "-o", "all.jsonl", "--gate", "2%"], data, place.env, codes=[GATE_FAILS])
    check("kubernetes", codes, spec["completions"], data / "all.jsonl")


class Runner:
    """Runs the jobs of the workflow; what they upload is in a folder for each artifact."""

    def __init__(self, place, workflow):
        self.place, self.workflow = place, workflow
        self.artifacts = place.folder / "artifacts"
        self.outputs = {}

    def job(self, name, folder, values):
        """Runs the steps of a job; returns the first code that is not 0."""

        def filled(text):
            return re.sub(r"\$\{\{ (.*?) \}\}", lambda found: values[found[1]], text)

        code = 0
        for step in self.workflow["jobs"][name]["steps"]:
            if code and step.get("if") != "always()":
                continue
            uses, given = step.get("uses", ""), step.get("with", {})
            if uses.startswith("actions/upload-artifact@"):
                for path in given["path"].split():
                    target = self.artifacts / filled(given["name"])
                    # A folder is the artifact; of several paths each has its own.
                    target = target if (folder / path).is_dir() else target / path
                    target.parent.mkdir(parents=True, exist_ok=True)
                    run(["cp", "-a", folder / path, target], folder)
            elif uses.startswith("actions/download-artifact@"):
                source = self.artifacts / given.get("name", "")
                run(["cp", "-a", f"{source}/.", folder], folder)
            elif "run" in step and not re.match("sudo apt-get|cargo install ", step["run"]):
                output = folder / "output"
                env = self.place.env if name == "build" else self.place.without_toolchain()
                env |= {"GITHUB_OUTPUT": str(output)}
                env |= {name: filled(value) for name, value in step.get("env", {}).items()}
                words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
                code = run(words, folder, env, codes=range(256)).returncode
                if output.exists():
                    lines = (line.split("=", 1) for line in output.read_text().splitlines())
                    self.outputs |= {f"steps.{step['id']}.outputs.{key}": value for key, value in lines}
        return code


def github(place):
    workflow = yaml.safe_load(job("github"))
    runner = Runner(place, workflow)
    # As cargo install would.
    (place.checkout / "tool/bin").mkdir(parents=True)
    shutil.copy(place.tool, place.checkout / "tool/bin/cargo-tourbillon")
    if code := runner.job("build", place.checkout, {}):
        fail(f"github: the job that builds exited with {code}")
    expression = workflow["jobs"]["build"]["outputs"]["matrix"].removeprefix("${{ ").removesuffix(" }}")
    matrix = json.loads(runner.outputs[expression])
    codes = []
    for index, partition in enumerate(matrix["partition"]):
        folder = place.folder / f"runner-{index}"
        folder.mkdir()
        values = {"matrix.partition": partition, "strategy.job-index": str(index)}
        codes.append(runner.job("measure", folder, values))
    folder = place.folder / "runner-merge"
    folder.mkdir()
    if (code := runner.job("merge", folder, {})) != GATE_FAILS:
        fail(f"github: the job that merges exited with {code}")
    check("github", codes, 4, folder / "all.jsonl")


ENGINES = {"kubernetes": kubernetes, "github": github}


def main():
    tool, *names = sys.argv[1:]
    if unknown := set(names) - ENGINES.keys():
        sys.exit(f"{', '.join(sorted(unknown))}: there are {', '.join(ENGINES)}")
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder), Path(tool).resolve())
        for name in names or ENGINES:
            ENGINES[name](place)


main()
