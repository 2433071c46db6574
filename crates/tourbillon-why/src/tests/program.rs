//! Programs that are compiled here, with counts for their instructions as if an op had been stepped.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::rc::Rc;

use iced_x86::{Decoder, DecoderOptions, FlowControl};
use object::{Object, ObjectSegment, ObjectSymbol, SegmentFlags};
use tourbillon_builds::{Build, Executable};
use tourbillon_stepper::{Mapping, Stack, Step, Trace};

use crate::side::Side;
use crate::sources::Sources;

/// Where the program is as if the system had put it there.
pub(super) const BIAS: u64 = 0x5555_5555_0000;
/// How often a loop is executed.
pub(super) const TIMES: u64 = 100;

pub(super) const SOURCE: &str = r#"
#[inline(always)]
fn mixed(sum: u32, x: u32) -> u32 {
    sum.wrapping_mul(31) ^ x
}

#[unsafe(no_mangle)]
#[inline(never)]
fn checksum(xs: &[u32]) -> u32 {
    let mut sum = 1;
    for x in xs {
        sum = mixed(sum, *x);
    }
    sum
}

#[unsafe(no_mangle)]
#[inline(never)]
fn words(text: &str) -> Vec<String> {
    let mut all = Vec::with_capacity(4);
    all.push(text.to_owned());
    all
}

fn main() {
    let xs: Vec<u32> = std::env::args().map(|text| text.len() as u32).collect();
    std::process::exit((checksum(&xs) + words("a").len() as u32) as i32 & 1);
}
"#;

/// A program in its checkout.
pub(super) struct Program {
    folder: Rc<tempfile::TempDir>,
    name: &'static str,
}

impl Program {
    /// Compiles a source with these flags; its file is `src/main.rs` of a new folder.
    pub(super) fn compile(source: &str, flags: &[&str]) -> Program {
        let folder = Rc::new(tempfile::tempdir().expect("a folder"));
        fs::create_dir(folder.path().join(".git")).expect("a folder");
        Program::compile_in(&folder, "program", source, flags)
    }

    /// The same in a folder that is there.
    pub(super) fn compile_in(
        folder: &Rc<tempfile::TempDir>,
        name: &'static str,
        source: &str,
        flags: &[&str],
    ) -> Program {
        fs::create_dir_all(folder.path().join("src")).expect("a folder");
        fs::write(folder.path().join("src/main.rs"), source.trim_start()).expect("a source");
        let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let output = Command::new(compiler)
            .args(["--edition=2024", "-Copt-level=2", "-Ccodegen-units=1"])
            // The loop is one instruction after the other.
            .arg("-Cno-vectorize-loops")
            .arg("-Cllvm-args=-unroll-count=1")
            .args(flags)
            .args(["-o", name])
            .arg(folder.path().join("src/main.rs"))
            .current_dir(folder.path())
            .output()
            .expect("rustc runs");
        assert!(output.status.success(), "{output:?}");
        Program {
            folder: Rc::clone(folder),
            name,
        }
    }

    pub(super) fn path(&self) -> PathBuf {
        self.folder.path().join(self.name)
    }

    /// An op that executes these functions, of addresses and sizes, each called by the first one.
    pub(super) fn steps(&self, functions: &[(u64, u64)]) -> Trace {
        let bytes = fs::read(self.path()).expect("the program");
        let file = object::File::parse(&*bytes).expect("an executable");
        let mut steps = Trace {
            executable: self.path(),
            ..Trace::default()
        };
        for segment in file.segments() {
            let SegmentFlags::Elf { p_flags } = segment.flags() else {
                continue;
            };
            if p_flags & object::elf::PF_X == object::elf::PF_X {
                let (offset, size) = segment.file_range();
                steps.mappings.push(Mapping {
                    start: BIAS + segment.address(),
                    end: BIAS + segment.address() + size,
                    offset,
                    path: self.path(),
                });
            }
        }
        for (number, (start, size)) in functions.iter().enumerate() {
            let first = functions[0].0;
            steps.stacks.push(Stack {
                parent: (number > 0).then_some(0),
                call_site: BIAS + first,
                entry: BIAS + start,
            });
            let code = code(&file, *start, *size);
            for (address, count) in counts(code, *start) {
                steps.steps.push(Step {
                    stack: number,
                    address: BIAS + address,
                    count,
                });
                steps.op += count;
            }
        }
        steps
    }

    /// The address and the size of a function.
    pub(super) fn function(&self, name: &str) -> (u64, u64) {
        let bytes = fs::read(self.path()).expect("the program");
        let file = object::File::parse(&*bytes).expect("an executable");
        let mut symbols = file.symbols();
        let symbol = symbols
            .find(|symbol| symbol.name() == Ok(name))
            .expect(name);
        (symbol.address(), symbol.size())
    }

    pub(super) fn side(&self, steps: Trace) -> Side {
        let sources = Sources::new(&Build::default(), &self.executable());
        Side::of_steps(steps, sources)
    }

    pub(super) fn executable(&self) -> Executable {
        Executable {
            package: String::new(),
            target: "t".to_owned(),
            path: self.path(),
            home: Some(self.folder.path().to_owned()),
            scripted: Default::default(),
            runner: Vec::new(),
            engine: String::new(),
            protocol: 1,
            ..Executable::default()
        }
    }
}

fn code<'d>(file: &object::File<'d>, start: u64, size: u64) -> &'d [u8] {
    let mut segments = file.segments();
    let found = segments.find_map(|segment| {
        let within = start.checked_sub(segment.address())? as usize;
        segment.data().ok()?.get(within..within + size as usize)
    });
    found.expect("code")
}

/// The instructions of a function, those of its first loop executed more often.
fn counts(code: &[u8], start: u64) -> BTreeMap<u64, u64> {
    let mut counts = BTreeMap::new();
    let mut back = None;
    for instruction in Decoder::with_ip(64, code, start, DecoderOptions::NONE) {
        counts.insert(instruction.ip(), 1);
        let target = instruction.near_branch_target();
        let is_jump = instruction.flow_control() == FlowControl::ConditionalBranch;
        if is_jump && (start..=instruction.ip()).contains(&target) {
            back = back.or(Some((target, instruction.ip())));
        }
    }
    if let Some((from, to)) = back {
        counts
            .range_mut(from..=to)
            .for_each(|(_, count)| *count = TIMES);
    }
    counts
}
