use tourbillon_record::SystemCounts;

/// What the system says of this process: a visit asks it nothing itself.
pub trait System {
    /// What it has counted up to now.
    fn counts(&self) -> SystemCounts;

    /// Has it forget what memory was touched; `None` where it does not tell that. What comes back is for
    /// [`System::touched_bytes`].
    fn forget_touched(&self) -> Option<u64>;

    /// Bytes of memory that were touched since; `None` where it does not tell.
    fn touched_bytes(&self, forgotten: u64) -> Option<u64>;
}

/// A system that tells nothing.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl System for Silent {
    fn counts(&self) -> SystemCounts {
        SystemCounts::default()
    }

    fn forget_touched(&self) -> Option<u64> {
        None
    }

    fn touched_bytes(&self, _forgotten: u64) -> Option<u64> {
        None
    }
}
