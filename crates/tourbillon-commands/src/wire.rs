//! What the coordinator and the launcher send each other.
//!
//! A message is its length, and then its fields: the length of each and its bytes. Both ends are the same program.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tourbillon_os::Ending;
use tourbillon_os::command::CommandUsage;

/// Most bytes of a message: the system allows less for arguments and variables.
const LONGEST: usize = 1 << 26;

/// Destination of a stream of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Output {
    /// It is discarded.
    #[default]
    Null,
    /// That of this program.
    Inherit,
    /// A file, truncated before each run.
    File(OsString),
}

/// A process to be run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Job {
    /// Path of the executable.
    pub(crate) program: OsString,
    /// All arguments, the name of the program first.
    pub(crate) arguments: Vec<OsString>,
    /// All variables, as `NAME=VALUE`.
    pub(crate) environment: Vec<OsString>,
    /// Working folder; `None` for that of this program.
    pub(crate) folder: Option<OsString>,
    /// File for stdin; `None` for an empty one.
    pub(crate) input: Option<OsString>,
    /// Destination of stdout.
    pub(crate) output: Output,
    /// Whether stderr is shown in place of its end being kept.
    pub(crate) shows_stderr: bool,
    /// Nanoseconds after which the process is ended; `None` for never.
    pub(crate) timeout_ns: Option<u64>,
    /// Counters that are read, by their places in the list of them.
    pub(crate) counters: Vec<u8>,
}

impl Job {
    /// The path of the executable from the folder of this program: the process is in its own when it becomes the
    /// executable.
    pub(crate) fn executable(&self) -> PathBuf {
        let folder = self.folder.as_ref().map(Path::new);
        folder.unwrap_or(Path::new("")).join(&self.program)
    }
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// With this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// It was ended after the time that it was allowed.
    TimedOut,
}

impl End {
    /// That of a process that has ended by itself, or took too long.
    pub(crate) fn of(ending: Ending, is_late: bool) -> End {
        match ending {
            _ if is_late => End::TimedOut,
            Ending::Exited(code) => End::Code(code),
            Ending::Signalled(signal) => End::Signal(signal),
            Ending::NotSeen => End::Signal(0),
        }
    }
}

/// Why a process has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NotRun {
    /// A signal stops the measurement, or what the process writes was not wanted any more.
    Interrupted,
    /// The command cannot be run, or does what none may.
    Failed(String),
    /// This machine does not permit it: too few descriptors or processes, too little memory or room.
    Machine(String),
}

impl NotRun {
    /// That of a program that was ended because of what it wrote.
    pub(crate) fn flooded(program: &OsString) -> NotRun {
        let what = "wrote more than 64 MiB to stderr and was ended";
        let advice = "let it write less, or see it with --show-output";
        NotRun::Failed(format!("{program:?} {what}; {advice}"))
    }
}

/// What a process took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) end: End,
    pub(crate) pid: u64,
    /// Ticks from the start of the program to its end.
    pub(crate) ticks: u64,
    pub(crate) usage: CommandUsage,
    /// What the counters of the job show.
    pub(crate) counts: Vec<u64>,
    /// The end of its stderr, of a process that did not end with code 0.
    pub(crate) stderr: Vec<u8>,
}

/// The fields of a message.
#[derive(Debug, Default)]
struct Fields(Vec<u8>);

impl Fields {
    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn text(&mut self, text: &OsString) {
        self.bytes(text.as_encoded_bytes());
    }

    fn texts(&mut self, texts: &[OsString]) {
        self.number(texts.len() as u64);
        for text in texts {
            self.text(text);
        }
    }

    fn option(&mut self, text: Option<&OsString>) {
        self.number(u64::from(text.is_some()));
        if let Some(text) = text {
            self.text(text);
        }
    }

    /// The message with its length.
    fn message(self) -> Vec<u8> {
        let mut message = (self.0.len() as u64).to_le_bytes().to_vec();
        message.extend(self.0);
        message
    }
}

/// What is left of a message.
struct Rest<'m>(&'m [u8]);

impl<'m> Rest<'m> {
    fn bytes(&mut self) -> io::Result<&'m [u8]> {
        let count = usize::try_from(self.number()?).unwrap_or(usize::MAX);
        let (bytes, rest) = self.0.split_at_checked(count).ok_or_else(garbled)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn number(&mut self) -> io::Result<u64> {
        let (number, rest) = self.0.split_first_chunk().ok_or_else(garbled)?;
        self.0 = rest;
        Ok(u64::from_le_bytes(*number))
    }

    fn text(&mut self) -> io::Result<OsString> {
        text(self.bytes()?)
    }

    fn texts(&mut self) -> io::Result<Vec<OsString>> {
        let count = self.number()?;
        (0..count).map(|_| self.text()).collect()
    }

    fn option(&mut self) -> io::Result<Option<OsString>> {
        match self.number()? {
            0 => Ok(None),
            _ => self.text().map(Some),
        }
    }
}

#[cfg(unix)]
fn text(bytes: &[u8]) -> io::Result<OsString> {
    Ok(std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec()))
}

#[cfg(not(unix))]
fn text(bytes: &[u8]) -> io::Result<OsString> {
    let text = String::from_utf8(bytes.to_vec()).map_err(|_| garbled())?;
    Ok(text.into())
}

fn garbled() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a message is damaged")
}

/// Reads a message without its length; `None` at the end of the stream.
pub(crate) fn read_message(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 8];
    let count = from.read(&mut length)?;
    if count == 0 {
        return Ok(None);
    }
    from.read_exact(&mut length[count..])?;
    let length = usize::try_from(u64::from_le_bytes(length)).unwrap_or(usize::MAX);
    if length > LONGEST {
        return Err(garbled());
    }
    let mut message = vec![0; length];
    from.read_exact(&mut message)?;
    Ok(Some(message))
}

impl Job {
    pub(crate) fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let mut fields = Fields::default();
        fields.text(&self.program);
        fields.texts(&self.arguments);
        fields.texts(&self.environment);
        fields.option(self.folder.as_ref());
        fields.option(self.input.as_ref());
        let (kind, file) = match &self.output {
            Output::Null => (0, None),
            Output::Inherit => (1, None),
            Output::File(file) => (2, Some(file)),
        };
        fields.number(kind);
        fields.option(file);
        fields.number(u64::from(self.shows_stderr));
        fields.number(self.timeout_ns.unwrap_or(u64::MAX));
        fields.bytes(&self.counters);
        to.write_all(&fields.message())
    }

    pub(crate) fn parse(message: &[u8]) -> io::Result<Job> {
        let mut rest = Rest(message);
        Ok(Job {
            program: rest.text()?,
            arguments: rest.texts()?,
            environment: rest.texts()?,
            folder: rest.option()?,
            input: rest.option()?,
            output: match (rest.number()?, rest.option()?) {
                (0, _) => Output::Null,
                (1, _) => Output::Inherit,
                (_, file) => Output::File(file.ok_or_else(garbled)?),
            },
            shows_stderr: rest.number()? != 0,
            timeout_ns: Some(rest.number()?).filter(|ns| *ns != u64::MAX),
            counters: rest.bytes()?.to_vec(),
        })
    }
}

/// Writes what a process took, or why it could not be run.
pub(crate) fn write_result(result: &Result<Ran, NotRun>, to: &mut impl Write) -> io::Result<()> {
    let mut fields = Fields::default();
    match result {
        Err(not_run) => {
            let (kind, why) = match not_run {
                NotRun::Failed(why) => (3, why.as_str()),
                NotRun::Machine(why) => (4, why.as_str()),
                NotRun::Interrupted => (5, ""),
            };
            fields.number(kind);
            fields.bytes(why.as_bytes());
        }
        Ok(ran) => {
            let (kind, number) = match ran.end {
                End::Code(code) => (0, code),
                End::Signal(signal) => (1, signal),
                End::TimedOut => (2, 0),
            };
            fields.number(kind);
            fields.number(u64::from(number.cast_unsigned()));
            let usage = &ran.usage;
            for number in [
                ran.pid,
                ran.ticks,
                usage.user_us,
                usage.kernel_us,
                usage.peak_bytes,
                usage.minor_faults,
                usage.major_faults,
                usage.voluntary_switches,
                usage.involuntary_switches,
                u64::from(usage.left_processes),
                ran.counts.len() as u64,
            ] {
                fields.number(number);
            }
            for count in &ran.counts {
                fields.number(*count);
            }
            fields.bytes(&ran.stderr);
        }
    }
    to.write_all(&fields.message())
}

/// Reads what [`write_result`] wrote.
pub(crate) fn parse_result(message: &[u8]) -> io::Result<Result<Ran, NotRun>> {
    let mut rest = Rest(message);
    let kind = rest.number()?;
    if kind >= 3 {
        let why = String::from_utf8_lossy(rest.bytes()?).into_owned();
        return Ok(Err(match kind {
            3 => NotRun::Failed(why),
            4 => NotRun::Machine(why),
            _ => NotRun::Interrupted,
        }));
    }
    let number = u32::try_from(rest.number()?)
        .map_err(|_| garbled())?
        .cast_signed();
    Ok(Ok(Ran {
        end: match kind {
            0 => End::Code(number),
            1 => End::Signal(number),
            _ => End::TimedOut,
        },
        pid: rest.number()?,
        ticks: rest.number()?,
        usage: CommandUsage {
            user_us: rest.number()?,
            kernel_us: rest.number()?,
            peak_bytes: rest.number()?,
            minor_faults: rest.number()?,
            major_faults: rest.number()?,
            voluntary_switches: rest.number()?,
            involuntary_switches: rest.number()?,
            left_processes: rest.number()? != 0,
        },
        counts: (0..rest.number()?)
            .map(|_| rest.number())
            .collect::<io::Result<_>>()?,
        stderr: rest.bytes()?.to_vec(),
    }))
}

/// What is sent on if bytes are read as a message to the launcher, and as one from it.
pub fn message_again(mut bytes: &[u8]) -> [Option<Vec<u8>>; 2] {
    let Ok(Some(message)) = read_message(&mut bytes) else {
        return [None, None];
    };
    let again = |write: &dyn Fn(&mut Vec<u8>) -> io::Result<()>| {
        let mut sent = Vec::new();
        write(&mut sent).ok().map(|()| sent)
    };
    let job = Job::parse(&message).ok();
    let result = parse_result(&message).ok();
    [
        job.and_then(|job| again(&|sent| job.write(sent))),
        result.and_then(|result| again(&|sent| write_result(&result, sent))),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> Job {
        Job {
            program: "/bin/sort".into(),
            arguments: vec!["sort".into(), "".into(), "a b\nc".into()],
            environment: vec!["A=1".into()],
            folder: Some("/tmp".into()),
            input: None,
            output: Output::File("out".into()),
            shows_stderr: true,
            timeout_ns: Some(7),
            counters: vec![4, 1],
        }
    }

    fn sent(job: &Job) -> Vec<u8> {
        let mut bytes = Vec::new();
        job.write(&mut bytes).expect("memory takes it");
        bytes
    }

    #[test]
    fn jobs_and_results_arrive_as_they_were_sent() {
        let plain = Job {
            output: Output::Inherit,
            timeout_ns: None,
            folder: None,
            ..job()
        };
        for job in [job(), plain, Job::default()] {
            let bytes = sent(&job);
            let message = read_message(&mut bytes.as_slice()).expect("it is whole");
            assert_eq!(
                Job::parse(&message.expect("a message")).expect("a job"),
                job
            );
        }
        let ran = |end| Ran {
            end,
            pid: 1,
            ticks: 2,
            usage: CommandUsage {
                user_us: 3,
                kernel_us: 4,
                peak_bytes: 5,
                minor_faults: 6,
                major_faults: 7,
                voluntary_switches: 8,
                involuntary_switches: 9,
                left_processes: true,
            },
            counts: vec![10, 11],
            stderr: b"why".to_vec(),
        };
        let ends = [End::Code(-1), End::Signal(9), End::TimedOut].map(|end| Ok(ran(end)));
        let not_run = [
            NotRun::Failed("no".to_owned()),
            NotRun::Machine("full".to_owned()),
            NotRun::Interrupted,
        ];
        for result in ends.into_iter().chain(not_run.map(Err)) {
            let mut bytes = Vec::new();
            write_result(&result, &mut bytes).expect("memory takes it");
            let message = read_message(&mut bytes.as_slice())
                .expect("it is whole")
                .expect("a message");
            assert_eq!(parse_result(&message).expect("a result"), result);
        }
    }

    #[test]
    fn a_message_that_was_cut_off_is_an_error() {
        let bytes = sent(&job());
        assert!(read_message(&mut &bytes[..bytes.len() - 1]).is_err());
        assert!(Job::parse(&bytes[8..bytes.len() - 1]).is_err());
        assert!(read_message(&mut [0_u8; 0].as_slice()).is_ok_and(|none| none.is_none()));
        assert!(read_message(&mut [0xff_u8; 8].as_slice()).is_err());
    }
}
