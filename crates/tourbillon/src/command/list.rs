//! `--list`.

use tourbillon_engine::{Suite, each};
use tourbillon_report::{list_pretty, list_terse};

use super::console::Console;
use super::exit::{FINE, Stop};
use super::flags::Selection;
use crate::lasting::Lasting;

/// Lists the cases that are meant, ignored ones among them.
///
/// Test runners ask twice, the second time with `--ignored`, and subtract.
///
/// # Errors
///
/// When stdout cannot be written.
#[inline(never)]
pub(crate) fn list(
    suite: &dyn Suite,
    selection: &Selection,
    terse: bool,
    console: &mut Console,
) -> Result<u8, Stop> {
    let mut cases = Lasting::new(Vec::new());
    each(suite, &mut |case, _| {
        if selection.matches(case) {
            cases.push(case.clone());
        }
    });
    let text = if terse {
        list_terse(&cases)
    } else {
        list_pretty(&cases, &console.style)
    };
    console.stdout(&text)?;
    Ok(FINE)
}
