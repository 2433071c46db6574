//! What is changed in the second side of a comparison.

/// A change of the work, in steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// None: the two sides are the same.
    None,
    /// So many thousandths more steps in every call.
    More(u64),
    /// A fifth more steps in one call of twenty, none in the others: 1 % in the mean.
    Tail,
}

impl Change {
    /// All that are tried.
    pub const ALL: [Change; 4] = [
        Change::None,
        Change::More(10),
        Change::More(20),
        Change::Tail,
    ];

    /// The name that a table shows.
    pub fn name(self) -> String {
        match self {
            Change::None => "none".to_owned(),
            Change::More(thousandths) => format!("{} %", thousandths as f64 / 10.0),
            Change::Tail => "tail".to_owned(),
        }
    }

    /// Reads a name.
    pub fn named(name: &str) -> Option<Change> {
        Change::ALL.into_iter().find(|change| change.name() == name)
    }
}

/// The body with its steps. The same type for every change, so that both sides are the same code.
pub(super) fn steps<R>(
    body: impl Fn(u64) -> R + Copy,
    change: Change,
    steps: u64,
) -> impl FnMut() -> R {
    let (usual, rare) = match change {
        Change::None => (steps, steps),
        Change::More(thousandths) => {
            let more = steps + steps * thousandths / 1_000;
            (more, more)
        }
        Change::Tail => (steps, steps + steps / 5),
    };
    let mut call = 0_u32;
    move || {
        call = (call + 1) % 20;
        body(if call == 0 { rare } else { usual })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_of_the_steps() {
        let taken = |change| {
            let mut body = steps(|steps| steps, change, 1_000);
            (0..20).map(|_| body()).sum::<u64>()
        };
        assert_eq!(taken(Change::None), 20_000);
        assert_eq!(taken(Change::More(10)), 20_200);
        assert_eq!(taken(Change::Tail), 20_200);
    }

    #[test]
    fn names_are_read_again() {
        for change in Change::ALL {
            assert_eq!(Change::named(&change.name()), Some(change));
        }
        assert_eq!(Change::named("3 %"), None);
    }
}
