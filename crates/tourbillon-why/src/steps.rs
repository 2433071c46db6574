//! The file in which a bench program writes every instruction of one op, with its stack.

use std::fmt;
use std::path::{Path, PathBuf};

use tourbillon_values::limits::DESCRIPTION_BYTES;
use tourbillon_values::regular_file;

/// The first line. A bench program of another version writes another number.
const HEADER: &str = "tourbillon-steps 1";

/// The instructions of one op of a case, and what else an op does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// Identity of the case.
    pub case: String,
    /// The program.
    pub executable: PathBuf,
    /// What of which files is at which addresses.
    pub mappings: Vec<Mapping>,
    /// Instructions of the op, without those of the timed loop.
    pub op: u64,
    /// Those of the loop around an empty body, which are among the steps.
    pub of_loop: u64,
    /// System calls of the op, and how many there are of each.
    pub system_calls: Vec<(String, u64)>,
    /// Pages that an op touches for the first time; none where they hardly take time.
    pub pages: u64,
    /// The first one is that of the op itself.
    pub stacks: Vec<Stack>,
    /// Each instruction of each stack once.
    pub steps: Vec<Step>,
}

/// A part of a file in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// The first address.
    pub start: u64,
    /// The address after the last one.
    pub end: u64,
    /// Where the part begins in the file.
    pub offset: u64,
    /// The file, or a name in brackets for what the system adds.
    pub path: PathBuf,
}

/// A function that was called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack {
    /// The number of the stack that called it; `None` for the op itself.
    pub parent: Option<usize>,
    /// The address of the instruction that called it.
    pub call_site: u64,
    /// The address that was called.
    pub entry: u64,
}

/// How often an instruction was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The number of its stack.
    pub stack: usize,
    /// Where it is.
    pub address: u64,
    /// How often.
    pub count: u64,
}

/// What is wrong with a file of steps.
#[derive(Debug)]
pub struct StepsError {
    path: PathBuf,
    /// From 1; 0 for the file as a whole.
    line: usize,
    what: String,
}

impl fmt::Display for StepsError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StepsError { path, line, what } = self;
        match line {
            0 => write!(out, "{path:?}: {what}"),
            line => write!(out, "{path:?}: line {line}: {what}"),
        }
    }
}

impl std::error::Error for StepsError {}

impl Steps {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or is no file of steps; with the line.
    pub fn read(path: &Path) -> Result<Steps, StepsError> {
        let failed = |line: usize, what: String| StepsError {
            path: path.to_owned(),
            line,
            what,
        };
        let text = regular_file::read_text(path, DESCRIPTION_BYTES)
            .map_err(|error| failed(0, format!("cannot be read: {error}")))?;
        Steps::parse(&text).map_err(|(line, what)| failed(line, what))
    }

    /// Reads a text; an error is a line, from 1, and what is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Steps, (usize, String)> {
        let mut lines = text.lines();
        match lines.next() {
            Some(HEADER) => {}
            Some(first) if first.starts_with("tourbillon-steps ") => {
                let advice = "install the version of cargo-tourbillon that matches tourbillon";
                return Err((1, format!("{first:?} is another version; {advice}")));
            }
            _ => return Err((1, format!("the first line is not {HEADER:?}"))),
        }
        let mut reader = Reader::default();
        for (number, line) in (2..).zip(lines) {
            reader.line(line).map_err(|what| (number, what))?;
        }
        reader.finished().map_err(|what| (0, what))
    }

    /// Instructions of all steps, with those of the loop.
    pub fn total(&self) -> u64 {
        let counts = self.steps.iter().map(|step| step.count);
        counts.fold(0, u64::saturating_add)
    }
}

/// What was read so far.
#[derive(Default)]
struct Reader {
    steps: Steps,
    has_op: bool,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let steps = &mut self.steps;
        match word {
            "case" => rest.clone_into(&mut steps.case),
            "executable" => steps.executable = PathBuf::from(rest),
            "map" => steps.mappings.push(mapping(rest)?),
            "op" => {
                steps.op = decimal(rest)?;
                self.has_op = true;
            }
            "loop" => steps.of_loop = decimal(rest)?,
            "syscall" => {
                let [name, count] = words(rest)?;
                steps.system_calls.push((name.to_owned(), decimal(count)?));
            }
            "stack" => {
                let stack = stack(rest, steps.stacks.len())?;
                steps.stacks.push(stack);
            }
            "step" => {
                let [stack, address, count] = words(rest)?;
                let stack = decimal(stack)? as usize;
                if stack >= steps.stacks.len() {
                    return Err(format!("no line before has the stack {stack}"));
                }
                steps.steps.push(Step {
                    stack,
                    address: hexadecimal(address)?,
                    count: decimal(count)?,
                });
            }
            _ => return Err(format!("{word:?} begins no line of steps")),
        }
        Ok(())
    }

    fn finished(self) -> Result<Steps, String> {
        let steps = self.steps;
        let missing = if steps.case.is_empty() {
            "case"
        } else if steps.executable.as_os_str().is_empty() {
            "executable"
        } else if !self.has_op {
            "op"
        } else if steps.stacks.is_empty() {
            "stack"
        } else {
            return Ok(steps);
        };
        Err(format!("it has no line `{missing}`; it may be unfinished"))
    }
}

/// `START-END OFFSET PATH`
fn mapping(text: &str) -> Result<Mapping, String> {
    let mut parts = text.splitn(3, ' ');
    let (Some(range), Some(offset), Some(path)) = (parts.next(), parts.next(), parts.next()) else {
        return Err("a mapping is START-END OFFSET PATH".to_owned());
    };
    let (start, end) = range.split_once('-').ok_or("a range is START-END")?;
    let mapping = Mapping {
        start: hexadecimal(start)?,
        end: hexadecimal(end)?,
        offset: hexadecimal(offset)?,
        path: PathBuf::from(path),
    };
    if mapping.start >= mapping.end {
        return Err(format!("the range {range} is empty"));
    }
    Ok(mapping)
}

/// `ID PARENT CALLSITE ENTRY`, where the stack is to have this number.
fn stack(text: &str, number: usize) -> Result<Stack, String> {
    let [id, parent, call_site, entry] = words(text)?;
    if decimal(id)? != number as u64 {
        return Err(format!("the stack {id} is not the next one, {number}"));
    }
    let parent = match parent {
        "-" => None,
        parent => Some(decimal(parent)? as usize),
    };
    match parent {
        Some(parent) if parent >= number => {
            return Err(format!("no line before has the stack {parent}"));
        }
        None if number > 0 => return Err("a stack other than the first has no parent".to_owned()),
        _ => {}
    }
    let address = |text: &str| match text {
        "-" => Ok(0),
        text => hexadecimal(text),
    };
    Ok(Stack {
        parent,
        call_site: address(call_site)?,
        entry: address(entry)?,
    })
}

fn words<const COUNT: usize>(text: &str) -> Result<[&str; COUNT], String> {
    let words: Vec<&str> = text.split(' ').collect();
    let found = words.len();
    <[&str; COUNT]>::try_from(words)
        .map_err(|_| format!("{found} words follow, where {COUNT} are expected"))
}

fn decimal(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("{text:?} is no number of at most 64 bits"))
}

fn hexadecimal(text: &str) -> Result<u64, String> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    // A sign would be read, too.
    let is_plain = digits.chars().all(|c| c.is_ascii_hexdigit());
    u64::from_str_radix(digits, 16)
        .ok()
        .filter(|_| is_plain)
        .ok_or_else(|| format!("{text:?} is no hexadecimal address"))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// An op that calls one function twice, which loops.
    pub(crate) const SMALL: &str = "tourbillon-steps 1
case p/t::c[n=a b]
executable /x y/t-1
map 1000-2000 0 /x y/t-1
map 7000-8000 0 [vdso]
op 9
loop 2
syscall getpid 1
stack 0 - - 1000
stack 1 0 1004 1100
step 0 1000 1
step 0 1004 2
step 1 1100 2
step 1 1104 6
";

    #[test]
    fn a_file_is_read() {
        let steps = Steps::parse(SMALL).expect("steps");
        assert_eq!(steps.case, "p/t::c[n=a b]");
        assert_eq!(steps.executable, Path::new("/x y/t-1"));
        assert_eq!((steps.op, steps.of_loop, steps.total()), (9, 2, 11));
        assert_eq!(steps.system_calls, [("getpid".to_owned(), 1)]);
        assert_eq!(steps.mappings[1].path, Path::new("[vdso]"));
        assert_eq!(steps.stacks[1].parent, Some(0));
        let last = Step {
            stack: 1,
            address: 0x1104,
            count: 6,
        };
        assert_eq!(steps.steps.last(), Some(&last));
    }

    #[test]
    fn mistakes_are_named_with_their_lines() {
        for (from, to, line, expected) in [
            ("steps 1", "steps 2", 1, "is another version"),
            ("tourbillon-steps 1", "x", 1, "the first line is not"),
            ("op 9\n", "", 0, "no line `op`"),
            ("case p/t::c[n=a b]\n", "", 0, "no line `case`"),
            ("op 9", "op -9", 6, "\"-9\" is no number"),
            ("op 9", "op 99999999999999999999", 6, "is no number"),
            ("op 9", "ops 9", 6, "\"ops\" begins no line"),
            ("1000-2000", "2000-2000", 4, "is empty"),
            ("1000-2000 0", "1000-2000", 4, "\"/x\" is no hexadecimal"),
            ("map 1000-2000 0 /x y/t-1", "map 1-2", 4, "START-END OFFSET"),
            ("stack 1 0", "stack 2 0", 10, "is not the next one, 1"),
            ("stack 1 0", "stack 1 1", 10, "has the stack 1"),
            ("stack 1 0", "stack 1 -", 10, "has no parent"),
            ("step 1 1104 6", "step 2 1104 6", 14, "has the stack 2"),
            ("step 1 1104 6", "step 1 +104 6", 14, "is no hexadecimal"),
            ("step 1 1104 6", "step 1 1104", 14, "2 words follow"),
        ] {
            let text = SMALL.replacen(from, to, 1);
            let (at, what) = Steps::parse(&text).expect_err(to);
            assert!(at == line && what.contains(expected), "{to}: {at}: {what}");
        }
    }

    #[test]
    fn the_file_is_part_of_the_message() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("0.steps");
        let missing = Steps::read(&file).expect_err("no file").to_string();
        assert!(missing.contains("0.steps\": cannot be read"), "{missing}");
        std::fs::write(&file, SMALL.replace("loop 2", "loop x")).expect("written");
        let wrong = Steps::read(&file).expect_err("a mistake").to_string();
        assert!(
            wrong.contains("0.steps\": line 7: \"x\" is no number"),
            "{wrong}"
        );
    }

    #[test]
    fn no_part_of_a_file_panics() {
        for end in 0..SMALL.len() {
            let _ = Steps::parse(&SMALL[..end]);
            let without = format!("{}{}", &SMALL[..end], &SMALL[end + 1..]);
            let _ = Steps::parse(&without);
        }
    }
}
