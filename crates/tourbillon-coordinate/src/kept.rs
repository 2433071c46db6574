use tourbillon_record::Visit;

use crate::Observer;

/// A visit that was made.
#[derive(Debug)]
pub enum Kept {
    /// Here.
    Here(Box<Visit>),
    /// With the observer, who finds it by its place.
    There {
        /// Where it begins.
        at: u64,
        /// How many bytes it has.
        bytes: u64,
    },
}

/// The visits of a case.
#[derive(Default)]
pub(crate) struct Visits {
    here: Vec<Visit>,
    /// Where the others begin, and how many bytes they have.
    there: Vec<(u64, u64)>,
}

impl Visits {
    pub(crate) fn add(&mut self, visit: Kept) {
        match visit {
            Kept::Here(visit) => self.here.push(*visit),
            Kept::There { at, bytes } => self.there.push((at, bytes)),
        }
    }

    #[cfg(feature = "memory")]
    pub(crate) fn is_empty(&self) -> bool {
        self.here.is_empty() && self.there.is_empty()
    }

    /// Lets all of them be looked at, together with how many could not be had any more; those from
    /// elsewhere are let go afterwards.
    #[inline(never)]
    pub(crate) fn look<T>(
        &mut self,
        observer: &mut dyn Observer,
        look: impl FnOnce(&[Visit], u32) -> T,
    ) -> T {
        let here = self.here.len();
        for (at, bytes) in &self.there {
            if let Some(visit) = observer.again(*at, *bytes) {
                self.here.push(visit);
            }
        }
        let found = self.here.len() - here;
        let looked = look(&self.here, (self.there.len() - found) as u32);
        self.here.truncate(here);
        looked
    }
}
