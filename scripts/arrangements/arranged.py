"""The arrangements: what each changes about a repository whose working tree has the code of its revision."""

import os
import shutil

from place import TRIPLE, Skipped

SLOW_PROFILE = "[profile.bench]\nopt-level = 1\n"
SLOW_FLAGS = "-Copt-level=1"
CONFIGURATION = ".cargo/config.toml"
# An implementation that is slower than the one from the registry.
SLOW_ITOA = """pub struct Buffer(String);
impl Buffer {
    pub fn new() -> Buffer {
        Buffer(String::new())
    }
    pub fn format(&mut self, number: u64) -> &str {
        self.0 = format!("{number}");
        &self.0
    }
}
"""

# Name, what is expected, and the function that arranges.
ALL = []


def arrangement(name, expected="same"):
    def add(arrange):
        ALL.append((name, expected, arrange))
        return arrange

    return add


def configured(name, text):
    """Untracked configuration in the checkout."""
    ALL.append((name, "same", lambda place: place.write(CONFIGURATION, text)))


def with_variables(name, **variables):
    ALL.append((name, "same", lambda place: place.environment.update(variables)))


arrangement("nothing")(lambda place: None)
configured("untracked [profile.bench]", SLOW_PROFILE)
configured("untracked [build] rustflags", f'[build]\nrustflags = ["{SLOW_FLAGS}"]\n')
configured("untracked [build] target", f'[build]\ntarget = "{TRIPLE}"\n')
configured("untracked [target.TRIPLE]", f'[target.{TRIPLE}]\nrustflags = ["{SLOW_FLAGS}"]\n')
configured("untracked [target.'cfg(..)']", f"[target.'cfg(unix)']\nrustflags = [\"{SLOW_FLAGS}\"]\n")
configured("untracked [env]", '[env]\nSHOP_SLOW = "1"\n')
configured("untracked profile of one dependency", "[profile.bench.package.itoa]\nopt-level = 0\n")
configured("untracked build.build-dir", '[build]\nbuild-dir = "made"\n')


@arrangement("ignored configuration")
def ignored(place):
    place.write(".gitignore", "/target\n/.cargo\n")
    place.commit("ignore")
    place.write(CONFIGURATION, SLOW_PROFILE)


@arrangement("tracked configuration")
def tracked(place):
    place.write(CONFIGURATION, SLOW_PROFILE)
    place.commit("configuration")


@arrangement("configuration above the checkout")
def above(place):
    place.write(CONFIGURATION, SLOW_PROFILE, place.outer)


@arrangement("configuration in cargo's home")
def home(place):
    place.write("config.toml", SLOW_PROFILE, place.cargo_home)


@arrangement("untracked [patch]")
def patch(place):
    locked = next(part for part in (place.checkout / "Cargo.lock").read_text().split("[[package]]") if '"itoa"' in part)
    version = locked.split('version = "')[1].split('"')[0]
    folder = place.base / "patched"
    place.write("src/lib.rs", SLOW_ITOA, folder)
    place.write("Cargo.toml", f'[package]\nname = "itoa"\nversion = "{version}"\nedition = "2024"\n', folder)
    place.write(CONFIGURATION, f'[patch.crates-io]\nitoa = {{ path = "{folder}" }}\n')


@arrangement("untracked [source]")
def source(place):
    folder = place.base / "vendored"
    shutil.rmtree(folder, ignore_errors=True)
    text = place.ran(["cargo", "vendor", "--quiet", "--offline", "--locked", str(folder)])
    place.write(CONFIGURATION, text)


with_variables("RUSTFLAGS", RUSTFLAGS=SLOW_FLAGS)
with_variables("CARGO_ENCODED_RUSTFLAGS", CARGO_ENCODED_RUSTFLAGS=SLOW_FLAGS)
with_variables("CARGO_BUILD_RUSTFLAGS", CARGO_BUILD_RUSTFLAGS=SLOW_FLAGS)
with_variables("CARGO_BUILD_TARGET", CARGO_BUILD_TARGET=TRIPLE)
with_variables("CARGO_PROFILE_BENCH_OPT_LEVEL", CARGO_PROFILE_BENCH_OPT_LEVEL="1")
with_variables("CARGO_TARGET_DIR, relative", CARGO_TARGET_DIR="../made")


@arrangement("CARGO_TARGET_DIR, absolute, of two projects")
def shared_target(place):
    place.environment["CARGO_TARGET_DIR"] = str(place.outer / "made")
    # Another project whose package and targets have the same names, built last.
    other = place.outer / "other"
    place.git("clone", "--quiet", str(place.checkout), str(other))
    text = (other / "src/lib.rs").read_text().replace("{ 3 } else { 2 }", "{ 3 } else { 9 }")
    (other / "src/lib.rs").write_text(text)
    place.ran(["cargo", "bench", "--quiet", "--offline", "--no-run"], other)


@arrangement("untracked toolchain file")
def toolchain_file(place):
    place.write("rust-toolchain.toml", f'[toolchain]\nchannel = "{place.other_toolchain()}"\n')


@arrangement("RUSTUP_TOOLCHAIN")
def toolchain_variable(place):
    place.environment["RUSTUP_TOOLCHAIN"] = place.other_toolchain()


def clone(place, *flags):
    """The checkout becomes a clone."""
    origin = place.base / "origin"
    place.git("config", "uploadpack.allowFilter", "true")
    target = place.base / "target"
    if (place.checkout / "target").exists():
        (place.checkout / "target").rename(target)
    place.checkout.rename(origin)
    place.git("clone", "--quiet", *flags, f"file://{origin}", str(place.checkout), folder=place.base)
    if target.exists():
        target.rename(place.checkout / "target")


@arrangement("partial clone: blob:none")
def partial(place):
    clone(place, "--filter=blob:none")
    # Its README is not there yet.
    place.revision = "HEAD~1"


@arrangement("shallow clone")
def shallow(place):
    clone(place, "--depth=1")


@arrangement("sparse checkout")
def sparse(place):
    place.write("book/page.md", "# Page\n")
    place.commit("book")
    place.git("sparse-checkout", "set", "--no-cone", "/*", "!/book")
    if (place.checkout / "book").exists():
        raise Skipped("this git has no sparse checkouts")


@arrangement("linked worktree")
def linked(place):
    place.folder = place.outer / "linked"
    place.git("worktree", "add", "--quiet", "--detach", str(place.folder))


@arrangement("submodule with a relative URL")
def submodule(place):
    parts = place.outer / "parts"
    (place.checkout / "src").rename(parts)
    place.git("rm", "--quiet", "-r", "--cached", "src")
    place.git("init", "--quiet", "-b", "main", folder=parts)
    place.git("add", "--all", folder=parts)
    place.git("commit", "--quiet", "--message", "parts", folder=parts)
    # What a relative URL is relative to.
    place.git("remote", "add", "origin", str(place.outer / "shop"))
    place.git("submodule", "--quiet", "add", "../parts", "src")
    place.commit("submodule")


@arrangement("package in a folder of the repository")
def nested(place):
    inner = place.checkout / "inner"
    inner.mkdir()
    for name in ("Cargo.toml", "Cargo.lock", "src", "speed.rs"):
        (place.checkout / name).rename(inner / name)
    place.commit("inner")
    place.folder = inner
    place.write("inner/.cargo/config.toml", '[env]\nSHOP_SLOW = "1"\n')
    place.write(CONFIGURATION, SLOW_PROFILE)


@arrangement("checkout behind a link")
def link(place):
    place.folder = place.outer / "link"
    os.symlink(place.checkout, place.folder)


@arrangement("saved with other flags", expected="built otherwise")
def saved(place):
    place.ran([place.program, "tourbillon", "save", "before", "--offline"])
    place.environment["RUSTFLAGS"] = SLOW_FLAGS
    place.revision = "before"


@arrangement("control: a tenth more steps, beside untracked [profile.bench]", expected="slower")
def control(place):
    place.write(CONFIGURATION, SLOW_PROFILE)
    text = (place.checkout / "src/lib.rs").read_text()
    place.write("src/lib.rs", text.replace("steps * EACH {", "steps * EACH + steps / 5 {"))
