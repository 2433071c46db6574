//! Assertions about the times of two cases: `sort_unstable <= 1.05 * sort`.

/// That a case takes at most this many times the time of another.
#[derive(Clone, Debug, PartialEq)]
pub struct Assertion {
    /// The name of the case.
    pub case: String,
    /// The name of the other.
    pub reference: String,
    /// The factor of the other's time.
    pub limit: f64,
}

const FORM: &str = "write \"a <= 1.05 * b\" with the names of two benchmarks";

/// Reads an assertion: two names with `<=`, `<`, `>=` or `>` between them, each with a factor or without. A time
/// has no exact value, so that `<` and `<=` mean the same.
///
/// # Errors
///
/// What is missing, and how an assertion is written.
///
/// # Examples
///
/// ```
/// use tourbillon_values::assertion;
///
/// let assertion = assertion("sort_unstable <= 1.05 * sort").unwrap();
/// assert_eq!((assertion.case.as_str(), assertion.limit), ("sort_unstable", 1.05));
/// ```
pub fn assertion(text: &str) -> Result<Assertion, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_sign = |word: &&str| matches!(*word, "<=" | "<" | ">=" | ">");
    let Some(at) = words.iter().position(is_sign) else {
        return Err(format!("{text:?} has no \"<=\" between two names; {FORM}"));
    };
    let (left, right) = (&words[..at], &words[at + 1..]);
    if right.iter().any(is_sign) {
        return Err(format!("{text:?} has two signs; write two assertions"));
    }
    let (left, right) = (side(text, left)?, side(text, right)?);
    let (less, more) = if words[at].starts_with('<') {
        (left, right)
    } else {
        (right, left)
    };
    if less.1 == more.1 {
        return Err(format!("{text:?} compares {} with itself; {FORM}", less.1));
    }
    Ok(Assertion {
        limit: more.0 / less.0,
        case: less.1,
        reference: more.1,
    })
}

/// A factor and a name.
fn side(text: &str, words: &[&str]) -> Result<(f64, String), String> {
    let factor = |word: &str| {
        let number = word.parse::<f64>().ok();
        number.filter(|number| (1e-6..=1e6).contains(number))
    };
    let missing = |what: &str| format!("{text:?} has {what}; {FORM}");
    match words {
        [] => Err(missing("no name on one side")),
        [one, "*", name @ ..] if !name.is_empty() && factor(one).is_some() => {
            Ok((factor(one).unwrap_or(1.0), name.join(" ")))
        }
        [name @ .., "*", one] if !name.is_empty() && factor(one).is_some() => {
            Ok((factor(one).unwrap_or(1.0), name.join(" ")))
        }
        words if words.contains(&"*") => Err(missing("no number next to \"*\"")),
        [one] if factor(one).is_some() => Err(missing("a number in place of a name")),
        name => Ok((1.0, name.join(" "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_and_factors() {
        for (text, case, reference, limit) in [
            ("a <= 1.05 * b", "a", "b", 1.05),
            ("a < b", "a", "b", 1.0),
            ("a >= 2 * b", "b", "a", 0.5),
            ("b * 4 > a", "a", "b", 4.0),
            (
                "2 * m::a[n=1,k=x y] <= 3 * g/b/1",
                "m::a[n=1,k=x y]",
                "g/b/1",
                1.5,
            ),
            ("f::<Vec<u8>> <= g", "f::<Vec<u8>>", "g", 1.0),
        ] {
            let expected = Assertion {
                case: case.to_owned(),
                reference: reference.to_owned(),
                limit,
            };
            assert_eq!(assertion(text), Ok(expected));
        }
    }

    #[test]
    fn mistakes_have_a_remedy() {
        for (text, expected) in [
            ("", "has no \"<=\" between two names"),
            ("a = b", "has no \"<=\" between two names"),
            ("a<=b", "has no \"<=\" between two names"),
            ("a <= ", "has no name on one side"),
            ("a <= b <= c", "has two signs"),
            ("a <= 5", "has a number in place of a name"),
            ("a <= 0 * b", "has no number next to \"*\""),
            ("a <= x * b", "has no number next to \"*\""),
            ("a <= 1.05 *", "has no number next to \"*\""),
            ("a <= 2 * a", "compares a with itself"),
        ] {
            let error = assertion(text).expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
