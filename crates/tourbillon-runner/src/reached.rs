use tourbillon_analysis::{LaunchQuota, Tally};
use tourbillon_record::Case;

use crate::CaseSettings;
use crate::memory::CaseMemory;
use crate::stored_launch::StoredLaunch;
use crate::visit_time::Overhead;

/// How far a case is.
pub(crate) struct Reached<'a> {
    pub(crate) case: &'a Case,
    pub(crate) settings: &'a CaseSettings,
    /// Launches until the first look: what was asked for, until the scout is back.
    pub(crate) launches: u32,
    pub(crate) overhead: Overhead,
    /// From the end of the visit before each of its own to that one's end, all together.
    pub(crate) spent_ns: u64,
    pub(crate) visits: Vec<StoredLaunch>,
    pub(crate) quota: LaunchQuota,
    /// Time for all of its launches.
    pub(crate) time_ns: u64,
    /// Whether it has more launches than fit, because they were asked for.
    pub(crate) is_prolonged: bool,
    /// Whether it is not measured in wall time.
    pub(crate) otherwise: bool,
    pub(crate) failed: u32,
    /// Launches that left processes behind.
    pub(crate) left_processes: u32,
    pub(crate) memory: CaseMemory,
}

impl Reached<'_> {
    pub(crate) fn tally(&self) -> Tally {
        let asked = self.settings.asked();
        Tally {
            failed: self.failed,
            shortened_from: (self.launches < asked).then_some(asked),
            took_ns: self.is_prolonged.then_some(self.spent_ns),
            looks: self.settings.precision.is_some(),
        }
    }
}
