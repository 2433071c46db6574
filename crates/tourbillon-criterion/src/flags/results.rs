//! What becomes of results: files, baselines, lines.

use lexopt::Parser;
use tourbillon_coordinator::args::{Format, LowArgs};

use super::value::{name, name_or_last, text};
use crate::baseline::{Baseline, Baselines};
use crate::lines::Form;

/// What a command line has of it.
#[derive(Clone, Debug, Default)]
pub(super) struct ResultFlags {
    save: Option<String>,
    /// The name, and whether its results have to exist.
    compare: Option<(String, bool)>,
    /// The results that take the place of a run.
    pub(super) load: Option<String>,
    discard: bool,
    /// Whether no page is written.
    pub(super) no_plot: bool,
    output_format: Option<Form>,
    /// Whether `--format` was given.
    has_format: bool,
}

impl ResultFlags {
    /// Takes the flag of a name, as it was typed, with its value; false for other flags.
    ///
    /// # Errors
    ///
    /// When the value is not understood.
    pub(super) fn set(
        &mut self,
        own: &str,
        flag: &str,
        low: &mut LowArgs,
        parser: &mut Parser,
    ) -> Result<bool, String> {
        match own {
            "--save-baseline" => self.save = Some(name(flag, parser)?),
            "--baseline" => self.compare = Some((name(flag, parser)?, true)),
            "--baseline-lenient" => self.compare = Some((name(flag, parser)?, false)),
            "--load-baseline" => self.load = Some(name_or_last(flag, parser)?),
            "--discard-baseline" => self.discard = true,
            "--noplot" => self.no_plot = true,
            "--output-format" => {
                let typed = text(flag, parser)?;
                self.output_format = Some(match typed.as_str() {
                    "criterion" => Form::Criterion,
                    "bencher" => Form::Bencher,
                    _ => {
                        return Err(format!(
                            "{flag}: {typed:?} is not criterion or bencher; JSON lines are --format jsonl"
                        ));
                    }
                });
            }
            "--format" => {
                low.set(flag, parser)?;
                self.has_format = true;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Refuses flags that contradict each other, and gives the others to `low`.
    ///
    /// # Errors
    ///
    /// Those flags.
    pub(super) fn check(&self, low: &mut LowArgs) -> Result<(), String> {
        if self.discard && (self.save.is_some() || self.compare.is_some()) {
            return Err(
                "--discard-baseline contradicts the flags with the name of a baseline".to_owned(),
            );
        }
        if self.load.is_some() && self.compare.is_none() {
            return Err(
                "--load-baseline needs --baseline: the results that it is compared with".to_owned(),
            );
        }
        if self.output_format.is_some() && self.has_format && low.format != Format::Terse {
            return Err(
                "--output-format and --format contradict each other; give one of them".to_owned(),
            );
        }
        low.no_store |= self.discard;
        low.baseline = self.compare.as_ref().map(|(name, _)| name.clone());
        low.baseline = low.baseline.take().or(self.save.clone());
        Ok(())
    }

    /// What becomes of results; `None` where no flag says it.
    pub(super) fn baselines(&self) -> Option<Baselines> {
        let mut baselines = match (&self.compare, &self.save) {
            _ if self.discard => Baselines {
                writes: false,
                save: None,
                ..Baselines::last_run()
            },
            (Some((name, true)), _) => Baselines::new(Baseline::CompareStrict, name.clone()),
            (Some((name, false)), _) => Baselines::new(Baseline::CompareLenient, name.clone()),
            (None, Some(name)) => Baselines::new(Baseline::Save, name.clone()),
            (None, None) => return None,
        };
        if self.save.is_some() {
            baselines.save.clone_from(&self.save);
        }
        Some(baselines)
    }

    /// The name under which the results are saved, if the command line has one.
    pub(super) fn save(&self) -> Option<&str> {
        self.save.as_deref()
    }

    /// The form of lines on stdout; `None` where that gets something else. Other programs read a pipe.
    pub(super) fn form(&self, stdout_is_terminal: bool) -> Option<Form> {
        match self.output_format {
            None if self.has_format || stdout_is_terminal => None,
            None => Some(Form::Criterion),
            form => form,
        }
    }
}
