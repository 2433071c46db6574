//! The time that linking placements took.

/// The placements that were linked rather than found in the cache.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Links {
    /// Nanoseconds for each.
    each_ns: Vec<u64>,
}

impl Links {
    /// Records a placement; `None` if it was in the cache.
    pub(crate) fn note(&mut self, link_ns: Option<u64>) {
        self.each_ns.extend(link_ns);
    }

    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.each_ns.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn total_ns(&self) -> u64 {
        self.each_ns.iter().sum()
    }

    /// The median, the upper one of two; `None` without links.
    pub(crate) fn median_ns(&self) -> Option<u64> {
        let mut sorted = self.each_ns.clone();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied()
    }

    /// The longest; `None` without links.
    pub(crate) fn most_ns(&self) -> Option<u64> {
        self.each_ns.iter().max().copied()
    }

    /// `32 placements linked, 0.04 s each, at most 0.06 s`; `None` without links.
    pub(crate) fn text(&self) -> Option<String> {
        let noun = if self.count() == 1 {
            "placement"
        } else {
            "placements"
        };
        Some(format!(
            "{} {noun} linked, {} s each, at most {} s",
            self.count(),
            seconds(self.median_ns()?),
            seconds(self.most_ns()?),
        ))
    }
}

fn seconds(ns: u64) -> String {
    format!("{:.2}", ns as f64 / 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_already_took_no_time() {
        let mut links = Links::default();
        links.note(None);
        assert_eq!((links.median_ns(), links.text()), (None, None));
        for ns in [50_000_000, 30_000_000, 400_000_000] {
            links.note(Some(ns));
        }
        links.note(None);
        assert_eq!((links.count(), links.total_ns()), (3, 480_000_000));
        assert_eq!(links.median_ns(), Some(50_000_000));
        let text = links.text();
        assert_eq!(
            text.as_deref(),
            Some("3 placements linked, 0.05 s each, 0.40 s at most")
        );
    }
}
