use tourbillon_record::{ClockCheck, Meanwhile};

/// Where a run gets the time from: nothing in this crate reads a clock itself.
pub trait RunClock {
    /// Nanoseconds since some moment before the run; never going back.
    fn now_ns(&self) -> u64;

    /// The measuring clock held against the system's clock from the start of the run until now;
    /// `None` where that is not done. Asked once, when everything has been measured.
    fn check(&self) -> Option<ClockCheck> {
        None
    }

    /// What the machine did from the start of the run until now; `None` where nobody looked. Asked
    /// once, when everything has been measured.
    fn meanwhile(&self) -> Option<Meanwhile> {
        None
    }
}
