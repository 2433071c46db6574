//! What a run is compared with, and its place in the store.

use std::rc::Rc;

use tourbillon_record::store::{Last, RunWriter, Store};
use tourbillon_record::{Case, Header};
use tourbillon_report::escape;

use super::{since_last, store};
use crate::args::HighArgs;
use crate::output::{Console, Stop};

/// The store, if the run is kept, and the results that it is compared with.
#[derive(Default)]
pub(super) struct History {
    pub(super) store: Option<Store>,
    pub(super) last: Rc<Last>,
    pub(super) writer: Option<RunWriter>,
    /// Why there is no record; already printed.
    pub(super) trouble: Option<String>,
}

impl History {
    /// Opens the store. Without one, the run goes on without a record.
    ///
    /// # Errors
    ///
    /// A baseline that does not exist: the requested comparison is impossible.
    pub(super) fn open(
        high: &HighArgs,
        header: &Header,
        cases: &[Case],
        last: Option<Rc<Last>>,
        console: &mut Console,
    ) -> Result<History, Stop> {
        let is_given = last.is_some();
        let mut history = History {
            last: last.unwrap_or_default(),
            ..History::default()
        };
        let store = match store::store(high) {
            Ok(Some(store)) => store,
            Ok(None) => return Ok(history),
            Err(why) if high.baseline.is_some() && !is_given => return Err(Stop::environment(why)),
            Err(why) => {
                history.fail(console, why);
                return Ok(history);
            }
        };
        if !is_given {
            history.last = Rc::new(store::last(&store, high, header, cases)?);
        }
        let otherwise =
            since_last::compiled_otherwise(header, &history.last, high.baseline.as_deref());
        for warning in history.last.warning.iter().chain(&otherwise) {
            warn(console, warning);
        }
        if !high.store.keep {
            return Ok(history);
        }
        let begun = store.begin(header);
        for skipped in &history.last.skipped {
            let (path, why) = (skipped.path.display(), &skipped.why);
            warn(console, &format!("{path} is skipped: {why}"));
        }
        match begun {
            Ok(writer) => history.writer = Some(writer),
            Err(error) => history.fail(console, error.to_string()),
        }
        history.store = Some(store);
        Ok(history)
    }

    /// Prints why there is no record; the results are shown nevertheless.
    fn fail(&mut self, console: &mut Console, why: String) {
        console.note(&format!("error: {}\n", escape(&why, true)));
        self.trouble = Some(why);
    }
}

pub(super) fn warn(console: &mut Console, what: &str) {
    console.note(&format!("warning: {}\n", escape(what, true)));
}
