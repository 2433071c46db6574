//! A case, as the list and the record have it.

use std::collections::HashSet;

use crate::Error;
use crate::codec::object;
use crate::error::shortened;
use crate::members::Members;

/// A benchmark with one set of arguments.
///
/// The growth block is not in the record: readers compute it from the results
/// (docs/explanation/methodology.md#growth-with-size). The line `end` has the exit code 3 if a limit was
/// exceeded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Case {
    /// Identity: `package/target::module::function[axis=value,..]`; of a command its name, else its text. Compared byte
    /// by byte.
    pub id: String,
    /// Heading under which the case is shown: the group, else the module path below the target;
    /// empty for neither.
    pub group: String,
    /// Name below the heading, without arguments: the function's name or the one it was given.
    pub name: String,
    /// Arguments in the order of the axes.
    pub arguments: Vec<Argument>,
    /// Whether the others of the group are compared with this one.
    pub reference: bool,
    /// Tags, for selection.
    pub tags: Vec<String>,
    /// Why the case is ignored unless it is requested; `None` when it is not.
    pub ignored: Option<String>,
    /// The fastest growth with its size that the benchmark may have, such as `n log n`.
    pub at_most: Option<String>,
    /// Assertions about times that the benchmark makes, such as `sort_unstable <= 1.05 * sort`.
    pub verify: Option<Vec<String>>,
    /// Source file.
    pub file: String,
    /// Line in it, from 1.
    pub line: u32,
    /// The command line, for a case that is a command (docs/how-to/commands.md); `None` for a benchmark.
    pub command: Option<Box<CommandLine>>,
    /// Unknown members of a newer version: members of a JSON object with commas between them.
    pub unknown: String,
}

object! {
    Case { id, group, name, arguments, reference, tags, ignored, at_most, verify, file, line, command }
    check one_value_on_each_axis
}

impl Case {
    fn one_value_on_each_axis(&mut self, from: &Members<'_>) -> Result<(), Error> {
        let mut axes = HashSet::new();
        let mut again = self.arguments.iter().map(|argument| &argument.axis);
        again
            .find(|axis| !axes.insert(*axis))
            .map_or(Ok(()), |axis| {
                let axis = shortened(axis);
                Err(from.malformed(&format!("field `arguments` has the axis {axis:?} twice")))
            })
    }
}

/// The value of a case on one axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Argument {
    /// Name of the axis: that of the function's parameter.
    pub axis: String,
    /// The value as shown.
    pub value: String,
}

object! {
    Argument { axis, value }
}

/// A command that is measured as a process, and how it is started.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CommandLine {
    /// Program and arguments; of a shell those that make it run the command.
    pub arguments: Vec<String>,
    /// Variables that were added to the environment, as `NAME=VALUE`.
    pub environment: Vec<String>,
    /// Working folder; `None` for that of the coordinator.
    pub folder: Option<String>,
    /// File that stdin was read from; `None` for none.
    pub input: Option<String>,
    /// Destination of stdout: `null`, `inherit` or a file.
    pub output: String,
    /// Command that ran before each run, untimed.
    pub prepare: Option<String>,
    /// Command that ran after each run, untimed.
    pub conclude: Option<String>,
}

object! {
    CommandLine { arguments, environment, folder, input, output, prepare, conclude }
}
