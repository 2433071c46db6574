//! Memory that a value has reserved and does not use.

use std::fmt;

use crate::count::metered;
use crate::details::watch;
use crate::footprint::footprint_of;
use crate::size_text::Size;

/// Owned bytes of a value, and those that it could do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slack {
    /// Bytes that it owned.
    pub owned_bytes: u64,
    /// Bytes of these that were given back.
    pub slack_bytes: u64,
}

impl Slack {
    /// The part of the owned bytes that is slack; `None` where nothing was owned.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        (self.owned_bytes > 0).then(|| self.slack_bytes as f64 / self.owned_bytes as f64)
    }

    fn of(owned_bytes: u64, needed_bytes: u64) -> Self {
        Self {
            owned_bytes,
            slack_bytes: owned_bytes.saturating_sub(needed_bytes),
        }
    }
}

impl fmt::Display for Slack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (slack, owned) = (Size(self.slack_bytes), Size(self.owned_bytes));
        write!(f, "{slack} slack of {owned} owned")?;
        match self.share() {
            Some(share) => write!(f, " ({:.0} %)", share * 100.0),
            None => Ok(()),
        }
    }
}

/// What a value gives back when it is told to shrink.
///
/// # Panics
/// When this process has no [`Meter`](crate::Meter) as its global allocator.
///
/// # Examples
/// ```
/// # #[global_allocator]
/// # static ALLOC: tourbillon_mem::Meter = tourbillon_mem::Meter::system();
/// let mut text = String::with_capacity(100);
/// text.push_str("sixteen letters.");
/// let slack = tourbillon_mem::slack(text, |text| text.shrink_to_fit());
/// assert_eq!((slack.owned_bytes, slack.slack_bytes), (100, 84));
/// ```
///
/// # Accuracy
/// Exact, for what `shrink` shrinks: a list of lists only gives back what the outer one can.
#[track_caller]
pub fn slack<T>(mut value: T, shrink: impl FnOnce(&mut T)) -> Slack {
    metered();
    let ((), shrunk) = watch(|| shrink(&mut value));
    let needed = footprint_of(value).requested_bytes;
    let owned = needed.saturating_add_signed(-shrunk.counts.live_bytes());
    Slack::of(owned, needed)
}

/// By how much a value owns more than a clone of it.
///
/// # Panics
/// When this process has no [`Meter`](crate::Meter) as its global allocator.
///
/// # Examples
/// ```
/// # #[global_allocator]
/// # static ALLOC: tourbillon_mem::Meter = tourbillon_mem::Meter::system();
/// let mut list = Vec::with_capacity(10);
/// list.push(1_u64);
/// let slack = tourbillon_mem::slack_by_clone(list);
/// assert_eq!((slack.owned_bytes, slack.slack_bytes), (80, 72));
/// ```
///
/// # Accuracy
/// Exact for what clones without reserving, such as `Vec` and `String`, and whatever is made of them.
/// A clone that shares parts with the original makes these look like slack.
#[track_caller]
pub fn slack_by_clone<T: Clone>(value: T) -> Slack {
    metered();
    let needed = footprint_of(value.clone()).requested_bytes;
    let owned = footprint_of(value).requested_bytes;
    Slack::of(owned, needed)
}
