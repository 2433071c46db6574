"""The bench program `stepped`, and what steps it, both compiled; see scripts/instructions.sh and scripts/counters.sh."""

import json
import subprocess


def program():
    """The path of the bench program."""
    words = ["cargo", "bench", "-q", "-p", "examples", "--bench", "stepped", "--no-run"]
    return artifact([*words, "--message-format", "json"], "stepped")


def stepper():
    """The variable that names the subcommand to bench programs."""
    words = ["cargo", "build", "-q", "-p", "cargo-tourbillon", "--bin", "cargo-tourbillon"]
    return {"TOURBILLON_STEPPER": artifact([*words, "--message-format", "json"], "cargo-tourbillon")}


def artifact(words, name):
    """The executable of a target that cargo builds."""
    lines = subprocess.run(words, check=True, text=True, stdout=subprocess.PIPE).stdout.splitlines()
    artifacts = (json.loads(line) for line in lines if line.startswith("{"))
    return next(one["executable"] for one in artifacts if one.get("executable") and one["target"]["name"] == name)
