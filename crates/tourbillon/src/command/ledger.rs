//! Counts of a memory launch: of the metering allocator and of the kernel.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tourbillon_clock::{Clock, Regions};
use tourbillon_engine::{Ledger, Tallied};
use tourbillon_mem::{
    Counting, check_installed, peak_resident_bytes, process_page_faults, reset_peak_resident,
};
use tourbillon_record::Resident;

/// The ledger of this process.
pub(super) static LEDGER: ProcessLedger = ProcessLedger {
    book: Mutex::new(Book {
        open: 0,
        counting: None,
        faults_wanted: false,
        faults_at: None,
        live_bytes: 0,
        tallied: EMPTY,
        resident_reset: false,
    }),
};

const EMPTY: Tallied = Tallied {
    allocs: 0,
    frees: 0,
    reallocs_in_place: 0,
    reallocs_moved: 0,
    allocated_bytes: 0,
    freed_bytes: 0,
    copied_bytes: 0,
    peak_bytes: 0,
    requests_elsewhere: Some(0),
    faults_minor: 0,
    faults_major: 0,
};

/// Counts what the whole process does between the two readings of the clock.
///
/// Nothing here allocates while a region is open. Where several threads read the clock, a region goes
/// from the first beginning to the last end.
#[derive(Debug)]
pub(super) struct ProcessLedger {
    book: Mutex<Book>,
}

#[derive(Debug)]
struct Book {
    /// Threads that are in a region.
    open: u32,
    counting: Option<Counting>,
    faults_wanted: bool,
    /// Page faults when the region began: minor, major.
    faults_at: Option<(u64, u64)>,
    /// Live at the end of the regions so far.
    live_bytes: i64,
    tallied: Tallied,
    /// Whether the peak of resident memory could be reset.
    resident_reset: bool,
}

impl ProcessLedger {
    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Regions for ProcessLedger {
    fn begin(&self) {
        let mut book = self.book();
        book.open += 1;
        if book.open == 1 {
            book.faults_at = if book.faults_wanted { faults() } else { None };
            // `not_counted` has given the reason where this fails.
            book.counting = Counting::begin().ok();
        }
    }

    fn end(&self) {
        let mut book = self.book();
        book.open = book.open.saturating_sub(1);
        if book.open > 0 {
            return;
        }
        if let Some(counting) = book.counting.take() {
            let elsewhere = counting.requests_elsewhere();
            let counts = counting.counts();
            drop(counting);
            book.add(&counts, elsewhere);
        }
        if let (Some((minor, major)), Some(now)) = (book.faults_at.take(), faults()) {
            book.tallied.faults_minor += now.0.saturating_sub(minor);
            book.tallied.faults_major += now.1.saturating_sub(major);
        }
    }
}

impl Book {
    /// Adds a region to those since the book was opened.
    fn add(&mut self, counts: &tourbillon_mem::Counts, elsewhere: Option<u64>) {
        let tallied = &mut self.tallied;
        tallied.allocs += counts.allocs;
        tallied.frees += counts.frees;
        tallied.reallocs_in_place += counts.reallocs_in_place;
        tallied.reallocs_moved += counts.reallocs_moved;
        tallied.allocated_bytes += counts.allocated_bytes;
        tallied.freed_bytes += counts.freed_bytes;
        tallied.copied_bytes += counts.copied_bytes;
        let peak = self.live_bytes.saturating_add_unsigned(counts.peak_bytes);
        let peak = u64::try_from(peak).unwrap_or(0);
        tallied.peak_bytes = tallied.peak_bytes.max(peak);
        self.live_bytes = self.live_bytes.saturating_add(counts.live_bytes());
        tallied.requests_elsewhere = match (tallied.requests_elsewhere, elsewhere) {
            (Some(before), Some(more)) => Some(before + more),
            _ => None,
        };
    }
}

impl Ledger for ProcessLedger {
    fn clock(&self) -> Clock {
        Clock::watched(&LEDGER)
    }

    fn not_counted(&self) -> Option<String> {
        check_installed().err().map(|why| why.to_string())
    }

    fn read_faults(&self, wanted: bool) -> bool {
        // The first reading allocates memory itself, which must not be counted.
        let are_counted = faults().is_some();
        self.book().faults_wanted = wanted && are_counted;
        are_counted
    }

    fn take(&self) -> Tallied {
        let mut book = self.book();
        book.live_bytes = 0;
        std::mem::replace(&mut book.tallied, EMPTY)
    }

    fn forget_resident(&self) {
        let reset = reset_peak_resident().is_ok();
        self.book().resident_reset = reset;
    }

    fn resident(&self) -> Result<Resident, String> {
        let peak_bytes = peak_resident_bytes().map_err(|why| why.to_string())?;
        Ok(Resident {
            peak_bytes,
            since_first_call: self.book().resident_reset,
            faults_minor: Vec::new(),
            faults_major: Vec::new(),
        })
    }
}

/// Page faults of the process so far, minor and major.
fn faults() -> Option<(u64, u64)> {
    let faults = process_page_faults().ok()?;
    Some((faults.minor, faults.major))
}
