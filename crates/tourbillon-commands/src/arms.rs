//! From flags to the processes that are run.

use tourbillon_record::{Argument, Case, CommandLine};
use tourbillon_tool::exit::Stop;

use crate::line::{Shell, Words, job};
use crate::options::Options;
use crate::parameters::{Combination, Parameter, combinations, filled};
use crate::shell_syntax::refuse_code;
use crate::wire::{Job, Output};

/// Most commands: an arm is a byte in the record.
const MOST: usize = 250;

/// A command to be measured, with what runs around it.
#[derive(Clone, Debug)]
pub(crate) struct Arm {
    pub(crate) case: Case,
    pub(crate) job: Job,
    pub(crate) setup: Option<Job>,
    pub(crate) prepare: Option<Job>,
    pub(crate) conclude: Option<Job>,
    pub(crate) cleanup: Option<Job>,
}

impl Arm {
    /// What is run for it, measured or not.
    pub(crate) fn jobs(&self) -> impl Iterator<Item = &Job> {
        let others = [&self.setup, &self.prepare, &self.conclude, &self.cleanup];
        [&self.job].into_iter().chain(others.into_iter().flatten())
    }
}

/// The commands in their order, the reference first.
pub(crate) fn arms(options: &Options) -> Result<Vec<Arm>, Stop> {
    let typed: Vec<&String> = options.reference.iter().chain(&options.commands).collect();
    let names = names(options, typed.len())?;
    let all = combinations(&parameters(options)?)?;
    let mut arms: Vec<Arm> = Vec::new();
    for (at, line) in typed.iter().enumerate() {
        let settings = Settings::of(options, at, typed.len())?;
        let name = names.get(at).copied().flatten();
        let is_filled = all.iter().any(|one| settings.uses(line, name, one));
        let empty = [Combination::new()];
        for combination in if is_filled { &all[..] } else { &empty[..] } {
            arms.push(settings.arm(line, name, combination, options)?);
        }
    }
    if arms.len() > MOST {
        let what = format!("{} commands are too many; at most {MOST}", arms.len());
        return Err(Stop::Usage(what));
    }
    tell_apart(&mut arms);
    Ok(arms)
}

/// The parameters, scans first.
fn parameters(options: &Options) -> Result<Vec<Parameter>, Stop> {
    let mut parameters = Vec::new();
    for (at, scan) in options.parameter_scan.chunks(3).enumerate() {
        let steps = &options.parameter_step_size;
        let step = steps.get(at).or(steps.last()).map(String::as_str);
        if let [name, from, to] = scan {
            parameters.push(Parameter::scan(name, from, to, step)?);
        }
    }
    for list in options.parameter_list.chunks(2) {
        if let [name, values] = list {
            parameters.push(Parameter::list(name, values)?);
        }
    }
    for (at, one) in parameters.iter().enumerate() {
        if parameters[..at].iter().any(|other| other.name == one.name) {
            return Err(Stop::Usage(format!(
                "the parameter {:?} is there twice",
                one.name
            )));
        }
    }
    Ok(parameters)
}

/// The names of the first commands.
fn names(options: &Options, count: usize) -> Result<Vec<Option<&str>>, Stop> {
    let mut names: Vec<Option<&str>> = Vec::new();
    if options.reference.is_some() {
        names.push(options.reference_name.as_deref());
    }
    names.extend(options.command_name.iter().map(|name| Some(name.as_str())));
    if names.len() > count {
        Err(Stop::Usage(format!(
            "there are more names ({}) than commands; give -n once for each command",
            options.command_name.len()
        )))
    } else {
        Ok(names)
    }
}

/// The flags of one command.
struct Settings<'o> {
    setup: Option<&'o str>,
    prepare: Option<&'o str>,
    conclude: Option<&'o str>,
    cleanup: Option<&'o str>,
    folder: Option<&'o str>,
    input: Option<&'o str>,
    output: Option<&'o str>,
    env: Option<&'o str>,
}

impl<'o> Settings<'o> {
    fn of(options: &'o Options, at: usize, count: usize) -> Result<Settings<'o>, Stop> {
        let own = |flag: &str, values: &'o [String]| match values.len() {
            0 => Ok(None),
            1 => Ok(Some(values[0].as_str())),
            given if given == count => Ok(Some(values[at].as_str())),
            given => Err(Stop::Usage(format!(
                "{flag} is given {given} times for {count} commands; give it once, or once for each"
            ))),
        };
        Ok(Settings {
            setup: own("--setup", &options.setup)?,
            prepare: own("--prepare", &options.prepare)?,
            conclude: own("--conclude", &options.conclude)?,
            cleanup: own("--cleanup", &options.cleanup)?,
            folder: own("--folder", &options.folder)?,
            input: own("--input", &options.input)?,
            output: own("--output", &options.output)?,
            env: own("--env", &options.env)?,
        })
    }

    /// The variables of `--env`, which are words as a shell has them.
    fn variables(&self, combination: &Combination) -> Result<Vec<String>, Stop> {
        let list = self.env.unwrap_or_default();
        let mistake = |what: &str| {
            let advice = "write --env 'NAME=VALUE OTHER=\"WITH BLANKS\"'";
            Stop::Usage(format!("--env {list:?} {what}; {advice}"))
        };
        let words = shell_words::split(list);
        let words = words.map_err(|_| mistake("has a quotation mark without its end"))?;
        let variable = |word: &String| match word.split_once('=') {
            Some((name, _)) if !name.is_empty() => Ok(filled(word, combination)),
            _ => Err(mistake(&format!("has {word:?}, which sets no variable"))),
        };
        words.iter().map(variable).collect()
    }

    fn others(&self) -> [Option<&'o str>; 7] {
        [
            self.setup,
            self.prepare,
            self.conclude,
            self.cleanup,
            self.folder,
            self.input,
            self.output,
        ]
    }

    /// Whether a parameter is part of the command, its name or its flags.
    fn uses(&self, line: &str, name: Option<&str>, combination: &Combination) -> bool {
        let others = self.others().into_iter().flatten();
        others
            .chain([line])
            .chain(name)
            .chain(self.env)
            .any(|text| text != filled(text, combination))
    }

    fn arm(
        &self,
        line: &str,
        name: Option<&str>,
        combination: &Combination,
        options: &Options,
    ) -> Result<Arm, Stop> {
        let fill = |text: Option<&str>| text.map(|text| filled(text, combination));
        let (folder, input) = (fill(self.folder), fill(self.input));
        let input = input.filter(|input| input != "null");
        let output = match fill(self.output).as_deref() {
            _ if options.show_output => Output::Inherit,
            None | Some("null") => Output::Null,
            Some("inherit") => Output::Inherit,
            Some("pipe") => {
                let what = "--output pipe is hyperfine's; here: a file such as /dev/shm/out, null or inherit";
                return Err(Stop::Usage(what.to_owned()));
            }
            Some(file) => Output::File(std::path::absolute(file).unwrap_or_default().into()),
        };
        // Files are opened by the launcher, whose folder is that of this program.
        let words = Words::of(&filled(line, combination), &options.shell)?;
        let variables = self.variables(combination)?;
        let process =
            |words: &Words, input, output| job(words, &variables, folder.as_deref(), input, output);
        let other = |flag: &str, line: Option<&str>| {
            let Some(line) = line else {
                return Ok(None);
            };
            if !matches!(options.shell, Shell::Program(_)) {
                refuse_code(flag, line, combination)?;
            }
            let words = Words::of(&filled(line, combination), &options.shell_of_others())?;
            // Without the input, which may come from the set-up.
            process(&words, None, Output::Null).map(Some)
        };
        let text = filled(line, combination);
        let job = Job {
            shows_stderr: options.show_output,
            timeout_ns: options.timeout_ns,
            counters: options.counters.clone(),
            ..process(&words, input.as_deref(), output)?
        };
        let named = fill(name);
        Ok(Arm {
            case: Case {
                id: named.unwrap_or(text),
                name: name.unwrap_or(line).to_owned(),
                arguments: combination
                    .iter()
                    .map(|(axis, value)| Argument {
                        axis: axis.clone(),
                        value: value.clone(),
                    })
                    .collect(),
                command: Some(Box::new(CommandLine {
                    arguments: words.arguments.clone(),
                    environment: variables.iter().chain(&words.variables).cloned().collect(),
                    folder: folder.clone(),
                    input: input.clone(),
                    output: match &job.output {
                        Output::Null => "null".to_owned(),
                        Output::Inherit => "inherit".to_owned(),
                        Output::File(file) => file.to_string_lossy().into_owned(),
                    },
                    prepare: fill(self.prepare),
                    conclude: fill(self.conclude),
                })),
                ..Case::default()
            },
            setup: other("--setup", self.setup)?,
            prepare: other("--prepare", self.prepare)?,
            conclude: other("--conclude", self.conclude)?,
            cleanup: other("--cleanup", self.cleanup)?,
            job,
        })
    }
}

/// Gives every command an identity of its own.
fn tell_apart(arms: &mut [Arm]) {
    for at in 0..arms.len() {
        let (before, rest) = arms.split_at_mut(at);
        let case = &mut rest[0].case;
        let is_taken = |id: &str| before.iter().any(|other| other.case.id == id);
        if !case.arguments.is_empty() && is_taken(&case.id) {
            let values: Vec<String> = case
                .arguments
                .iter()
                .map(|one| format!("{}={}", one.axis, one.value))
                .collect();
            case.id += &format!(" [{}]", values.join(","));
        }
        let plain = case.id.clone();
        let mut number = 2;
        while is_taken(&case.id) {
            case.id = format!("{plain} #{number}");
            number += 1;
        }
        if case.arguments.is_empty() {
            case.name.clone_from(&case.id);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Options from words: flags, each with its values, and commands.
    fn of(words: &[&str]) -> Result<Vec<Arm>, Stop> {
        let mut options = Options::default();
        let mut words = words.iter().map(|word| (*word).to_owned());
        while let Some(word) = words.next() {
            let (into, count) = match word.as_str() {
                "-n" => (&mut options.command_name, 1),
                "-L" => (&mut options.parameter_list, 2),
                "-P" => (&mut options.parameter_scan, 3),
                "--input" => (&mut options.input, 1),
                "--output" => (&mut options.output, 1),
                "--env" => (&mut options.env, 1),
                "--setup" => (&mut options.setup, 1),
                "--prepare" => (&mut options.prepare, 1),
                "--conclude" => (&mut options.conclude, 1),
                "--cleanup" => (&mut options.cleanup, 1),
                "--reference" => {
                    options.reference = words.next();
                    continue;
                }
                "--shell" => {
                    let shell = words.next().expect("a shell");
                    options.shell = Shell::parse(&shell).expect("a shell");
                    continue;
                }
                _ => {
                    options.commands.push(word);
                    continue;
                }
            };
            into.extend(words.by_ref().take(count));
        }
        arms(&options)
    }

    fn ids(arguments: &[&str]) -> Vec<String> {
        let arms = of(arguments).expect("commands");
        arms.into_iter().map(|arm| arm.case.id).collect()
    }

    fn mistake(arguments: &[&str]) -> String {
        match of(arguments) {
            Err(Stop::Usage(text)) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn identities_are_names_or_texts_and_unique() {
        assert_eq!(ids(&["true", "true"]), ["true", "true #2"]);
        assert_eq!(ids(&["-n", "a", "true", "false"]), ["a", "false"]);
        assert_eq!(ids(&["-L", "n", "1,2", "echo {n}"]), ["echo 1", "echo 2"]);
        assert_eq!(
            ids(&["-n", "e", "-L", "n", "1,2", "echo {n}"]),
            ["e", "e [n=2]"]
        );
        assert_eq!(
            ids(&["--reference", "true", "-P", "n", "1", "2", "echo {n}"]),
            ["true", "echo 1", "echo 2"]
        );
        let arms = of(&["-L", "n", "1,2", "echo {n}", "true"]).expect("commands");
        assert_eq!(arms[0].case.name, "echo {n}");
        assert_eq!(arms[0].case.arguments[0].value, "1");
        assert!(arms[2].case.arguments.is_empty());
    }

    #[test]
    fn flags_stand_once_or_once_for_each() {
        let inputs = |arguments: &[&str]| {
            let arms = of(arguments).expect("commands");
            let inputs = arms.into_iter().map(|arm| arm.job.input);
            inputs
                .map(|input| input.map(|input| input.into_string().expect("text")))
                .collect::<Vec<_>>()
        };
        let [a, b] = [Some("a".to_owned()), Some("b".to_owned())];
        assert_eq!(
            inputs(&["--input", "a", "true", "false"]),
            [a.clone(), a.clone()]
        );
        assert_eq!(
            inputs(&["--input", "a", "--input", "b", "true", "false"]),
            [a, b]
        );
        assert_eq!(inputs(&["--input", "null", "true"]), [None]);
        let three = ["--input", "a", "--input", "b", "true", "false", "true"];
        assert!(mistake(&three).starts_with("--input is given 2 times for 3 commands"));
        assert!(mistake(&["-n", "a", "-n", "b", "true"]).starts_with("there are more names"));
        assert!(mistake(&["--output", "pipe", "true"]).contains("here: a file"));
        assert!(mistake(&["no such program"]).contains("there is no program"));
    }

    #[test]
    fn a_list_of_variables_is_split_as_words_and_filled() {
        let environments = |line: &[&str]| {
            let arms = of(line).expect("commands").into_iter();
            let commands = arms.map(|arm| arm.case.command.expect("a command").environment);
            commands.collect::<Vec<_>>()
        };
        // A parameter in a variable counts.
        assert_eq!(
            environments(&["--env", "A=1 B='2 {n}'", "-L", "n", "x y,z", "env"]),
            [["A=1", "B=2 x y"], ["A=1", "B=2 z"]]
        );
        let each = ["--env", "A=1", "--env", "", "true", "false"];
        assert_eq!(environments(&each), [vec!["A=1"], vec![]]);
        for (list, expected) in [
            (
                "A=a b",
                "has \"b\", which sets no variable; write --env 'NAME=VALUE",
            ),
            ("A='a", "without its end"),
            ("=1", "sets no variable"),
        ] {
            let text = mistake(&["--env", list, "env"]);
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn what_is_not_measured_has_a_shell() {
        let arms = of(&["--prepare", "echo {n} | cat", "-L", "n", "1", "true"]).expect("one");
        let prepare = arms[0].prepare.as_ref().expect("it is prepared");
        assert_eq!(prepare.arguments, ["sh", "-c", "echo 1 | cat"]);
        assert_eq!(arms[0].job.arguments, ["true"]);
        assert!(mistake(&["echo a | cat"]).contains("has \"|\""));
        // A value is a value there, too.
        for flag in ["--setup", "--prepare", "--conclude", "--cleanup"] {
            for value in [
                "$(id)", "`id`", "a;b", "a\nb", "\"", "a&b", "a|b", ">a", "<a", "(a",
            ] {
                let words = [flag, "true {n}", "-L", "n", value, "true"];
                assert!(mistake(&words).contains("--shell sh if that"), "{words:?}");
            }
        }
        assert!(
            of(&[
                "--shell",
                "sh",
                "--prepare",
                "true {n}",
                "-L",
                "n",
                "a;b",
                "true"
            ])
            .is_ok()
        );
        // Of the values that are put in, too.
        assert!(mistake(&["-L", "n", "a,b;", "echo {n}"]).contains("has \";\""));
        let shell = of(&["--shell", "sh", "echo a | cat"]).expect("one");
        assert_eq!(shell[0].job.arguments, ["sh", "-c", "echo a | cat"]);
    }
}
