//! Numbers of processors on Windows, which has them in groups of at most 64.

/// Processors of a group that a mask can hold.
const PER_GROUP: u32 = 64;

/// Processors of one group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GroupMask {
    pub(crate) group: u16,
    pub(crate) mask: u64,
}

impl GroupMask {
    /// Processors by their numbers: 64 for each group before theirs, and their place in it.
    ///
    /// # Errors
    /// If there are none, or if they are in more than one group: a thread runs in one.
    pub(crate) fn of(processors: &[u32]) -> Result<GroupMask, String> {
        let group = |processor: u32| processor / PER_GROUP;
        let Some(&first) = processors.first() else {
            return Err("no processor is named".to_owned());
        };
        if let Some(other) = processors
            .iter()
            .find(|other| group(**other) != group(first))
        {
            return Err(format!(
                "processors {first} and {other} are in groups {} and {}, and a thread of Windows runs in \
                 one; choose processors {} to {}",
                group(first),
                group(*other),
                group(first) * PER_GROUP,
                (group(first) + 1) * PER_GROUP - 1,
            ));
        }
        let number = group(first);
        let group = u16::try_from(number).map_err(|_| format!("there is no processor {first}"))?;
        let bits = processors
            .iter()
            .map(|processor| 1 << (processor % PER_GROUP));
        let mask = bits.fold(0, |mask: u64, bit: u64| mask | bit);
        Ok(GroupMask { group, mask })
    }

    /// The numbers of the processors, ascending.
    pub(crate) fn processors(self) -> Vec<u32> {
        let first = u32::from(self.group) * PER_GROUP;
        let is_in = |place: &u32| self.mask >> place & 1 == 1;
        let places = (0..PER_GROUP).filter(is_in);
        places.map(|place| first + place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_places_in_groups() {
        for (processors, group, mask) in [
            (&[0][..], 0, 1),
            (&[1, 5, 63], 0, 1 << 63 | 0b10_0010),
            (&[64], 1, 1),
            (&[130, 191], 2, 1 << 63 | 0b100),
        ] {
            let found = GroupMask::of(processors);
            assert_eq!(found, Ok(GroupMask { group, mask }), "{processors:?}");
            assert_eq!(found.map(GroupMask::processors).as_deref(), Ok(processors));
        }
    }

    #[test]
    fn what_is_in_no_group_is_an_error() {
        assert!(GroupMask::of(&[]).is_err());
        let error = GroupMask::of(&[70, 3]).unwrap_err();
        assert!(error.ends_with("choose processors 64 to 127"), "{error}");
        let error = GroupMask::of(&[u32::MAX]).unwrap_err();
        assert_eq!(error, "there is no processor 4294967295");
    }
}
