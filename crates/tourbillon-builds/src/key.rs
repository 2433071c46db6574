//! Keys of builds: hashes of what executables depend on.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, io};

use memchr::memmem;
use tourbillon_values::regular_file;

use crate::compile::cargo::{Toolchain, programs_in_variables};
use crate::compile::configuration::{dated, texts_for, texts_of};
use crate::compile::named_files::named_files;
use crate::compile::targets::Target;
use crate::compile::whole_path::whole;
use crate::error::{Result, refused};
use crate::invocation::Invocation;
use crate::source::subject::{Selection, Variation};

/// A hash of several parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Digest(blake3::Hasher);

impl Digest {
    /// Adds a part and its length.
    pub(crate) fn part(mut self, part: impl AsRef<[u8]>) -> Digest {
        self.0.update(part.as_ref());
        self.length(part.as_ref().len() as u64)
    }

    /// Adds several parts and their number.
    pub(crate) fn parts<T: AsRef<[u8]>>(self, parts: &[T]) -> Digest {
        let added = parts.iter().fold(self, Digest::part);
        added.length(parts.len() as u64)
    }

    /// Adds the contents of a file and their length.
    pub(crate) fn file(mut self, path: &Path) -> io::Result<Digest> {
        let before = self.0.count();
        self.0.update_reader(regular_file::open(path)?)?;
        let length = self.0.count() - before;
        Ok(self.length(length))
    }

    fn length(mut self, length: u64) -> Digest {
        self.0.update(&length.to_le_bytes());
        self
    }

    /// 128 bits of the hash, as a name for a file.
    pub(crate) fn key(&self) -> String {
        self.0.finalize().to_hex()[..32].to_owned()
    }
}

/// Hashes what executables that are built in a folder depend on besides the code: flags, variables, cargo's
/// configuration, the toolchain, and whether their objects are kept.
pub(crate) fn inputs(
    selection: &Selection,
    variation: &Variation,
    toolchain: &Toolchain,
    relink: bool,
    [folder, clones]: [&Path; 2],
) -> Digest {
    way(selection, variation, [folder, clones])
        .part([u8::from(relink)])
        .part(&toolchain.version)
}

/// Hashes flags, variables, and cargo's configuration for a folder, and the sizes and dates of files that they name. Those
/// in `clones` are of commits.
pub(crate) fn way(
    selection: &Selection,
    variation: &Variation,
    [folder, clones]: [&Path; 2],
) -> Digest {
    let variables = variables_of_builds();
    let (mut flags, mut texts) = (Vec::new(), texts_for(folder));
    for flag in selection.for_bench(variation) {
        if flag.name() == "--config" {
            texts.extend(texts_of(&flag.value().to_string_lossy(), folder));
        }
        flags.push(flag.word().into_encoded_bytes());
    }
    // Relative paths in flags and variables lead into the clone, where a revision is built.
    let words = variables.iter().map(String::as_bytes);
    let words = words.chain(flags.iter().map(Vec::as_slice));
    let words = words.map(|word| (Path::new(""), word));
    let configured = texts.iter().map(|(file, text)| {
        // As cargo does: from the folder around `.cargo`.
        let around = file.ancestors().nth(2).unwrap_or(file);
        (around, text.as_slice())
    });
    let named = words
        .chain(configured)
        .flat_map(|(around, text)| named_files(&String::from_utf8_lossy(text), around));
    let named = named.chain(programs_in_variables());
    let clones = whole(clones);
    let files: BTreeSet<PathBuf> = named
        .map(|file| whole(&file))
        .filter(|file| !file.starts_with(&clones))
        .collect();
    let dates: Vec<Vec<u8>> = files.iter().map(|file| dated(file)).collect();
    let texts: Vec<Vec<u8>> = texts.into_iter().map(|(_, text)| text).collect();
    let named_native = |text: &[u8]| memmem::find(text, b"native").is_some();
    let mut of_user = variables.iter().chain(&variation.rustflags);
    let mut of_files = flags.iter().chain(&texts);
    let is_native = of_user.any(|text| named_native(text.as_bytes()))
        || of_files.any(|text| named_native(text));
    Digest::default()
        .part(env!("CARGO_PKG_VERSION"))
        .parts(&variation.parts())
        .parts(&flags)
        .parts(&variables)
        .parts(&texts)
        .parts(&dates)
        .part(is_native.then(features_of_processor).unwrap_or_default())
}

/// The variables that can change what is built, `NAME=VALUE`, sorted.
pub(crate) fn variables_of_builds() -> Vec<String> {
    let mut variables: Vec<String> = env::vars_os()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value))
        .filter(|(name, _)| changes_the_build(name))
        .map(|(name, value)| format!("{name}={}", value.to_string_lossy()))
        .collect();
    variables.sort();
    variables
}

/// What `native` means on this machine, as the compiler says it: a cache may be that of another one.
fn features_of_processor() -> Vec<u8> {
    let mut rustc = Invocation::new("rustc");
    rustc.words(&["--print=cfg", "-Ctarget-cpu=native"]);
    let printed = rustc.output().map(|output| output.stdout);
    printed.unwrap_or_default()
}

/// Whether the value of a variable can change what cargo, compilers or linkers build. Not all but some that are known to
/// change nothing: most differ between terminals and between jobs of CI, and nothing would be found again.
fn changes_the_build(name: &str) -> bool {
    const PREFIXES: [&str; 12] = [
        "CARGO_PROFILE_",
        "CARGO_BUILD_",
        "CARGO_TARGET_",
        "CARGO_ENCODED_",
        "CMAKE_",
        "NIX_BINTOOLS",
        "NIX_CC",
        "NIX_CFLAGS_",
        "NIX_HARDENING_",
        "NIX_LDFLAGS",
        "PKG_CONFIG_",
        "RUSTC",
    ];
    // `CPATH` and its like, and what build scripts and makefiles take.
    const ENDS: [&str; 3] = ["FLAGS", "_DEPLOYMENT_TARGET", "_INCLUDE_PATH"];
    const OTHERS: [&str; 6] = [
        "CARGO_TARGET_DIR",
        "CARGO_BUILD_TARGET_DIR",
        "CARGO_TARGET_TMPDIR",
        // How many jobs run, and by which pipe.
        "MAKEFLAGS",
        "CARGO_MAKEFLAGS",
        "MFLAGS",
    ];
    const SINGLE: [&str; 26] = [
        // Of GCC and GNU ld.
        "COMPILER_PATH",
        "CPATH",
        "GCC_EXEC_PREFIX",
        "LDEMULATION",
        "LD_RUN_PATH",
        "LIBRARY_PATH",
        "SOURCE_DATE_EPOCH",
        // Of Clang and Xcode.
        "CCC_OVERRIDE_OPTIONS",
        "DEVELOPER_DIR",
        "SDKROOT",
        "TOOLCHAINS",
        // Of MSVC.
        "CL",
        "EXTERNAL_INCLUDE",
        "INCLUDE",
        "LIB",
        "LIBPATH",
        "LINK",
        "UNIVERSALCRTSDKDIR",
        "VCTOOLSINSTALLDIR",
        "WINDOWSSDKDIR",
        "WINDOWSSDKVERSION",
        "_CL_",
        "_LINK_",
        // Others.
        "LD",
        "RUST_TARGET_PATH",
        "WASI_SDK_PATH",
    ];
    // Alone, of the host or the target, or with the name of one: `CFLAGS`, `HOST_CC`, `AR_x86_64-unknown-linux-gnu`.
    const TOOLS: [&str; 8] = [
        "AR", "AS", "CC", "CFLAGS", "CXX", "CXXFLAGS", "NM", "RANLIB",
    ];
    let upper = name.to_ascii_uppercase();
    let name = if cfg!(windows) { &upper } else { name };
    let sides = ["HOST_", "TARGET_"].iter();
    let without_side = sides.filter_map(|side| name.strip_prefix(side)).next();
    let own = without_side.unwrap_or(name);
    let is_of_tool = |tool: &&str| {
        let rest = own.strip_prefix(*tool);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    };
    let is_known = SINGLE.contains(&name)
        || TOOLS.iter().any(is_of_tool)
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || ENDS.iter().any(|end| name.ends_with(end));
    is_known && !OTHERS.contains(&name)
}

/// The key of executables that are hashed themselves.
pub(crate) fn of_contents(mut digest: Digest, targets: &[Target]) -> Result<String> {
    for target in targets {
        let path = &target.executable;
        digest = digest
            .part(&target.package)
            .part(&target.name)
            .file(path)
            .map_err(|error| refused(path, "read", &error))?;
        for (name, value) in &target.environment {
            digest = digest.part(name).part(value);
        }
        for beside in target.programs.iter().chain(&target.libraries.needed) {
            let name = beside.file_name().unwrap_or_default();
            digest = digest
                .part(name.as_encoded_bytes())
                .file(beside)
                .map_err(|error| refused(beside, "read", &error))?;
        }
    }
    Ok(digest.key())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::invocation::Flag;

    #[test]
    fn the_compiler_says_what_native_is() {
        let features = features_of_processor();
        let text = String::from_utf8_lossy(&features);
        assert!(
            text.contains("target_feature=") || cfg!(target_os = "wasi"),
            "{text}"
        );
    }

    #[test]
    fn the_end_of_a_part_counts() {
        let key = |parts: &[&str]| Digest::default().parts(parts).key();
        assert_eq!(key(&["ab", "c"]), key(&["ab", "c"]));
        assert_ne!(key(&["ab", "c"]), key(&["a", "bc"]));
        assert_ne!(key(&["ab"]), key(&["ab", ""]));
        assert_ne!(key(&[]), key(&[""]));
    }

    #[test]
    fn a_file_counts_by_its_contents() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let bytes = fs::read(&path).expect("a file");
        let file = Digest::default().file(&path).expect("a file").key();
        assert_eq!(file, Digest::default().part(bytes).key());
        assert!(Digest::default().file(Path::new("no such file")).is_err());
    }

    #[test]
    fn files_that_configuration_and_flags_name_count() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |path: &str| folder.path().join(path);
        fs::create_dir_all(at("home/.cargo")).expect("a folder");
        let absolute = at("more.json");
        let text = "[build]\nrustc-wrapper = 'tools/wrap.sh'\nrustflags = ['-g', '-Cprofile-use=PROFILE']\n";
        let text = text.replace("PROFILE", &at("a b.profdata").to_string_lossy());
        fs::write(at("home/.cargo/config.toml"), text).expect("a file");
        fs::create_dir(at("home/tools")).expect("a folder");
        let selection = Selection {
            flags: vec![Flag::new("--target=", &absolute)],
            ..Selection::default()
        };
        let key = |clones: &str| {
            let (home, clones) = (at("home"), at(clones));
            way(&selection, &Variation::default(), [&home, &clones]).key()
        };
        let in_clones = key("home");
        for (file, contents) in [
            ("home/tools/wrap.sh", "exec"),
            ("home/tools/wrap.sh", "exec rustc"),
            ("a b.profdata", "1"),
            ("more.json", "{}"),
        ] {
            let before = key("clones");
            assert_eq!(key("clones"), before);
            fs::write(at(file), contents).expect("a file");
            assert_ne!(key("clones"), before, "{file}");
            if file.starts_with("home") {
                assert_eq!(key("home"), in_clones, "{file}");
            }
        }
    }

    #[test]
    fn variables_that_change_the_build_are_in_the_key() {
        for name in [
            "RUSTFLAGS",
            "CARGO_PROFILE_BENCH_LTO",
            "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER",
            "CFLAGS",
            "CC_x86_64-unknown-linux-gnu",
            "HOST_CXX",
            "PKG_CONFIG_PATH",
            "RUSTC_WORKSPACE_WRAPPER",
            "RUSTC_BOOTSTRAP",
            "LDFLAGS",
            "CPPFLAGS",
            "TARGET_RANLIB",
            "LIBRARY_PATH",
            "CPATH",
            "C_INCLUDE_PATH",
            "CPLUS_INCLUDE_PATH",
            "COMPILER_PATH",
            "GCC_EXEC_PREFIX",
            "LD_RUN_PATH",
            "NIX_CFLAGS_COMPILE",
            "NIX_LDFLAGS_x86_64_unknown_linux_gnu",
            "SDKROOT",
            "MACOSX_DEPLOYMENT_TARGET",
            "LIB",
            "INCLUDE",
            "_CL_",
            "LINK",
            "RUST_TARGET_PATH",
            "CMAKE_PREFIX_PATH",
        ] {
            assert!(changes_the_build(name), "{name}");
        }
    }

    /// Shells, terminals and jobs of CI have others each time.
    #[test]
    fn variables_of_a_shell_are_not_in_the_key() {
        for name in [
            "CARGO_TARGET_DIR",
            "CARGO_BUILD_TARGET_DIR",
            "CCACHE_DIR",
            "ARCH",
            "HOME",
            "CARGO",
            "_",
            "SHLVL",
            "PWD",
            "OLDPWD",
            "SSH_CLIENT",
            "TERM",
            "COLORTERM",
            "XDG_SESSION_ID",
            "DISPLAY",
            "WINDOWID",
            "TMUX_PANE",
            "GITHUB_RUN_ID",
            "INVOCATION_ID",
            "NIX_BUILD_TOP",
            "MAKEFLAGS",
            "LD_LIBRARY_PATH",
            "PATH",
            "TMPDIR",
        ] {
            assert!(!changes_the_build(name), "{name}");
        }
    }
}
