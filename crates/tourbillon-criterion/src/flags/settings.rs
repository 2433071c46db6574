//! Settings in place of criterion's defaults.

use std::time::Duration;

use lexopt::Parser;
use tourbillon_coordinator::args::find_suite_flag;

use super::value::{number, seconds, text};
use crate::options::Options;

/// Settings of a command line, which those of a suite's groups override.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    warm_up_time: Option<Duration>,
    measurement_time: Option<Duration>,
    noise_threshold: Option<f64>,
    /// Why flags that were given have no effect.
    without_effect: Vec<String>,
}

impl Settings {
    /// Replaces the settings that the command line has.
    pub(crate) fn apply(&self, options: &mut Options) {
        fn replace<T: Copy>(own: Option<T>, place: &mut T) {
            if let Some(own) = own {
                *place = own;
            }
        }
        replace(self.warm_up_time, &mut options.warm_up_time);
        replace(self.measurement_time, &mut options.measurement_time);
        replace(self.noise_threshold, &mut options.noise_threshold);
    }

    /// Sentences about flags without effect that were given.
    pub(crate) fn without_effect(&self) -> &[String] {
        &self.without_effect
    }

    /// Takes a flag with its value; false for other flags.
    ///
    /// # Errors
    ///
    /// When the value is not understood.
    pub(super) fn set(&mut self, flag: &str, parser: &mut Parser) -> Result<bool, String> {
        fn is_level(level: &f64) -> bool {
            *level > 0.0 && *level < 1.0
        }
        const LEVEL: &str = "between 0 and 1";
        match flag {
            "--sample-size" => {
                number(flag, parser, "a number from 10 up", |n: &usize| *n >= 10)?;
            }
            "--warm-up-time" => self.warm_up_time = Some(seconds(flag, parser)?),
            "--measurement-time" => self.measurement_time = Some(seconds(flag, parser)?),
            "--nresamples" => {
                number(flag, parser, "a number from 1 up", |n: &usize| *n > 0)?;
            }
            "--noise-threshold" => {
                let threshold = number(flag, parser, "a number from 0 up", |n| *n >= 0.0)?;
                self.noise_threshold = Some(threshold);
            }
            "--confidence-level" | "--significance-level" => {
                number(flag, parser, LEVEL, is_level)?;
            }
            "--plotting-backend" => {
                text(flag, parser)?;
            }
            _ => return Ok(false),
        }
        let without_effect = find_suite_flag(flag).map_or("", |flag| flag.without_effect);
        let sentence = format!("{flag} has no effect: {without_effect}");
        if !without_effect.is_empty() && !self.without_effect.contains(&sentence) {
            self.without_effect.push(sentence);
        }
        Ok(true)
    }
}
