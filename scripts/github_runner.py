"""Plays GitHub's runner: runs the steps of an action or a workflow in a folder of its own, with the variables, files and
expressions that they use. What an action of GitHub does is done by methods of a subclass."""

import json
import os
import re
import shutil
import subprocess
import sys
import time

import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def run(words, folder, env=None, check=True, output=subprocess.PIPE):
    done = subprocess.run(words, cwd=folder, env=env, check=False, text=True, stdout=output, stderr=subprocess.STDOUT)
    if check and done.returncode != 0:
        sys.exit(f"{' '.join(words)} exited with {done.returncode}\n{done.stdout}")
    return done


def git(folder, *words):
    identity = ["-c", "user.name=Shop", "-c", "user.email=shop@shop", "-c", "commit.gpgsign=false"]
    return run(["git", *identity, *words], folder).stdout.strip()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Runner:
    """A machine that runs one job: a home, a temporary folder and a workspace, all of them new."""

    def __init__(self, work, github, variables):
        self.work, self.github, self.variables = work, github, variables
        self.home, self.temp, self.workspace = (os.path.join(work, name) for name in ["home", "temp", "workspace"])
        for folder in [self.home, self.temp, self.workspace]:
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
        self.inputs, self.outputs, self.outcomes, self.seconds = {}, {}, {}, {}
        self.path = variables.get("PATH", os.environ["PATH"])
        self.code = 0

    def value(self, expression):
        """The value of an expression; only those that are used here are known."""
        expression = expression.strip().removeprefix("${{").removesuffix("}}").strip()
        if " && " in expression:
            return all([self.value(part) for part in expression.split(" && ")])
        if match := re.fullmatch(r"(\S+) (!=|==) (\S+|'[^']*')", expression):
            return (self.value(match[1]) == self.value(match[3])) == (match[2] == "==")
        if expression.startswith("'"):
            return expression.strip("'")
        if expression in ("always()", "success()"):
            return expression == "always()" or self.code == 0
        parts = expression.split(".")
        if parts[0] == "inputs":
            return self.inputs[parts[1]]
        if parts[0] == "steps" and parts[2] == "outputs":
            return self.outputs.get(parts[1], {}).get(parts[3], "")
        if parts[0] == "steps" and parts[2] == "outcome":
            return self.outcomes.get(parts[1], "")
        if expression == "runner.temp":
            return self.temp
        if parts[0] == "github":
            found = self.github
            for part in parts[1:]:
                found = found.get(part, "")
            return found
        sys.exit(f"the expression {expression} is not known here")

    def text(self, text):
        return re.sub(r"\$\{\{(.*?)\}\}", lambda found: self.value(found[1]), str(text))

    def environment(self, step):
        env = {
            "HOME": self.home,
            # Downloads and compilers are those of this machine.
            "CARGO_HOME": os.environ.get("CARGO_HOME", os.path.expanduser("~/.cargo")),
            "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", os.path.expanduser("~/.rustup")),
            "CARGO_NET_OFFLINE": "true",
            "CI": "true",
            "RUNNER_OS": "Linux",
            "RUNNER_ARCH": "X64",
            "RUNNER_TEMP": self.temp,
        }
        for name in ["ENV", "OUTPUT", "PATH", "STATE", "STEP_SUMMARY"]:
            env["GITHUB_" + name] = os.path.join(self.temp, "github-" + name.lower())
        env.update(self.variables)
        env["PATH"] = self.path
        env.update({name: self.text(value) for name, value in step.get("env", {}).items()})
        return env

    def shell(self, step):
        env = self.environment(step)
        for name in ["GITHUB_OUTPUT", "GITHUB_PATH"]:
            write(env[name], "")
        folder = os.path.join(self.workspace, self.text(step.get("working-directory", ".")))
        # Found as the runner finds it: what a step has put into the path is first.
        bash = shutil.which("bash", path=self.path)
        words = [bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", self.text(step["run"])]
        with open(os.path.join(self.work, "job.log"), "a", encoding="utf-8") as log:
            code = run(words, folder, env, check=False, output=log).returncode
        lines = [line.split("=", 1) for line in read(env["GITHUB_OUTPUT"]).splitlines() if "=" in line]
        self.outputs[step.get("id", "")] = dict(lines)
        self.path = ":".join([*read(env["GITHUB_PATH"]).splitlines(), self.path])
        return code

    def uses(self, action, step):
        """Does what an action does; gives its exit code."""
        sys.exit(f"the action {action} is not known here")

    def run(self, steps):
        """Runs steps; gives the exit code of the first one that failed, which is that of the job."""
        for step in steps:
            name = step.get("id", "")
            condition = str(step.get("if", "success()"))
            if "always()" not in condition:
                condition = f"success() && {condition}"
            if not self.value(condition):
                self.outcomes[name] = "skipped"
                continue
            start = time.monotonic()
            if "uses" in step:
                code = self.uses(step["uses"].split("@")[0], step)
            else:
                code = self.shell(step)
            self.outcomes[name] = "success" if code == 0 else "failure"
            self.seconds[name] = time.monotonic() - start
            self.code = self.code or code
        return self.code


class ActionJob(Runner):
    """A runner that executes the steps of action.yml."""

    def __init__(self, work, repository, number, inputs, github=None, variables=None):
        base = git(repository, "rev-parse", "main")
        self.base, self.merge = base, git(repository, "rev-parse", "refs/pull/1/merge")
        event = {"pull_request": {"number": number, "base": {"sha": base}}, "repository": {"default_branch": "main"}}
        pull_request = {"event_name": "pull_request", "ref_type": "branch", "ref_name": "1/merge", "sha": self.merge}
        github = {**pull_request, "event": event, **(github or {})}
        super().__init__(work, github, {"GITHUB_ACTION_PATH": ROOT, **(variables or {})})
        self.number, self.caches = number, os.path.join(work, "caches")
        if github["event_name"] == "pull_request":
            self.variables["GITHUB_BASE_REF"] = "main"
        self.variables["GITHUB_EVENT_PATH"] = os.path.join(self.temp, "event.json")
        write(self.variables["GITHUB_EVENT_PATH"], json.dumps(github["event"]))
        with open(os.path.join(ROOT, "action.yml"), encoding="utf-8") as file:
            self.action = yaml.safe_load(file)
        self.inputs = {name: value.get("default", "") for name, value in self.action["inputs"].items()}
        self.inputs.update(inputs)
        # As actions/checkout with fetch-depth: 0.
        git(self.workspace, "init", "--quiet")
        git(self.workspace, "remote", "add", "origin", repository)
        refs = ["+refs/heads/*:refs/remotes/origin/*", "+refs/pull/1/merge:refs/remotes/pull/1/merge"]
        git(self.workspace, "fetch", "--quiet", "origin", *refs)
        git(self.workspace, "checkout", "--quiet", "--force", "--detach", github["sha"])

    @classmethod
    def of_push(cls, work, repository, inputs, variables=None):
        """The job of a push of the newest commit to the default branch, which fills the cache."""
        before, after = (git(repository, "rev-parse", name) for name in ["main^", "main"])
        event = {"before": before, "repository": {"default_branch": "main"}}
        push = {"event_name": "push", "ref_name": "main", "sha": after, "event": event}
        return cls(work, repository, 0, inputs, push, variables)

    def uses(self, action, step):
        if action == "actions/cache/restore":
            self.restore(step)
        elif action == "actions/cache/save":
            self.save(step)
        elif action != "actions/upload-artifact":
            return super().uses(action, step)
        return 0

    def cached(self, step):
        """The folders of a cache below the home folder. Cargo's own are shared with this machine."""
        paths = step["with"]["path"].split()
        return [path[2:] for path in paths if not path.startswith("~/.cargo/")]

    def restore(self, step):
        wanted, prefix = (self.text(step["with"][name]) for name in ["key", "restore-keys"])
        known = os.listdir(self.caches) if os.path.isdir(self.caches) else []
        found = [key for key in known if key.startswith(prefix)]
        self.outputs[step["id"]] = {"cache-hit": str(wanted in found).lower()}
        self.is_cold = not found
        for path in self.cached(step):
            if found and os.path.exists(source := os.path.join(self.caches, found[0], path)):
                target = os.path.join(self.home, path)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                run(["cp", "-a", source, target], self.work)

    def save(self, step):
        # The newest is all that the next job restores.
        shutil.rmtree(self.caches, ignore_errors=True)
        for path in self.cached(step):
            target = os.path.join(self.caches, self.text(step["with"]["key"]), path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            run(["cp", "-a", os.path.join(self.home, path), target], self.work)

    def run(self, steps=None):
        """Runs the steps of the action; gives the exit code of the job."""
        return super().run(steps or self.action["runs"]["steps"])
