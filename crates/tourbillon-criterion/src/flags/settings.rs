//! Settings in place of criterion's defaults.

use std::time::Duration;

use lexopt::Parser;

use super::typed::{number, seconds, text};
use crate::options::Options;

/// Settings of a command line, which those of a suite's groups override.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    warm_up_time: Option<Duration>,
    measurement_time: Option<Duration>,
    noise_threshold: Option<f64>,
    /// Why flags that were given have no effect.
    without_effect: Vec<&'static str>,
}

/// Flags without effect, and why.
const WITHOUT_EFFECT: [(&str, &str); 5] = [
    (
        "--sample-size",
        "--sample-size has no effect: launches are counted, by --launches",
    ),
    (
        "--nresamples",
        "--nresamples has no effect: intervals are order statistics of the launches, without resampling",
    ),
    (
        "--confidence-level",
        "--confidence-level has no effect: the confidence of intervals is 99 %",
    ),
    (
        "--significance-level",
        "--significance-level has no effect: a change is reported where the 99 % intervals of both runs are apart",
    ),
    (
        "--plotting-backend",
        "--plotting-backend has no effect: cargo tourbillon report draws a run",
    ),
];

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
    pub(crate) fn without_effect(&self) -> &[&'static str] {
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
        if let Some((_, why)) = WITHOUT_EFFECT.iter().find(|(name, _)| *name == flag)
            && !self.without_effect.contains(why)
        {
            self.without_effect.push(why);
        }
        Ok(true)
    }
}
