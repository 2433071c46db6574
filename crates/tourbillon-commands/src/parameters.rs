//! `-P` and `-L`: one command for each combination of values.

use tourbillon_tool::exit::Stop;

/// Most combinations of a command.
const MOST: usize = 250;

/// A parameter and its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) values: Vec<String>,
}

impl Parameter {
    /// The values of `-L NAME a,b,c`; a backslash before a comma takes it as it is.
    pub(crate) fn list(name: &str, values: &str) -> Result<Parameter, Stop> {
        let mut list = vec![String::new()];
        let mut letters = values.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '\\' if letters.peek() == Some(&',') => {
                    letters.next();
                    list.last_mut().expect("it has one").push(',');
                }
                ',' => list.push(String::new()),
                letter => list.last_mut().expect("it has one").push(letter),
            }
        }
        if values.is_empty() {
            let advice = "write them with commas, such as -L level 1,6,9";
            return Err(Stop::Usage(format!("-L {name} has no values; {advice}")));
        }
        Ok(Parameter {
            name: checked(name)?,
            values: list,
        })
    }

    /// The values of `-P NAME MIN MAX` with a step, 1 by default.
    pub(crate) fn scan(
        name: &str,
        from: &str,
        to: &str,
        step: Option<&str>,
    ) -> Result<Parameter, Stop> {
        let number = |text: &str| {
            let mistake = |what| Stop::Usage(format!("-P {name}: {text:?} {what}"));
            Decimal::parse(text).map_err(mistake)
        };
        let (from, to, step) = (number(from)?, number(to)?, number(step.unwrap_or("1"))?);
        let scale = from.scale.max(to.scale).max(step.scale);
        let shown = from.scale.max(step.scale);
        let [from, to, step] = [from, to, step].map(|number| number.scaled(scale));
        let (Some(from), Some(to), Some(step)) = (from, to, step) else {
            return Err(Stop::Usage(format!("-P {name}: the numbers are too large")));
        };
        if step == 0 || (to > from) != (step > 0) && to != from {
            let advice = "the step must lead from the first value to the last";
            return Err(Stop::Usage(format!("-P {name}: {advice}; change -D")));
        }
        // Of 128 bits, as the numbers: they have less than 104.
        let count = ((to - from) / step).unsigned_abs() + 1;
        if count > MOST as u128 {
            let what = format!("-P {name} has {count} values, at most {MOST} can be measured");
            return Err(Stop::Usage(format!("{what}; take a larger step with -D")));
        }
        let values = (0..count).map(|at| {
            let value = from + at.cast_signed() * step;
            text(value / 10_i128.pow(scale - shown), shown)
        });
        Ok(Parameter {
            name: checked(name)?,
            values: values.collect(),
        })
    }
}

/// A name that can stand in braces.
fn checked(name: &str) -> Result<String, Stop> {
    if name.is_empty() || name.contains(['{', '}']) {
        Err(Stop::Usage(format!(
            "{name:?} cannot be the name of a parameter"
        )))
    } else {
        Ok(name.to_owned())
    }
}

/// Most decimals of a number.
const MOST_DECIMALS: usize = 12;

/// A number with decimals, exactly.
#[derive(Clone, Copy)]
struct Decimal {
    digits: i128,
    scale: u32,
}

impl Decimal {
    /// The error is what is wrong with the text.
    fn parse(text: &str) -> Result<Decimal, String> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let mut digits = whole
            .strip_prefix(['+', '-'])
            .unwrap_or(whole)
            .bytes()
            .chain(fraction.bytes())
            .peekable();
        if digits.peek().is_none() || !digits.all(|byte| byte.is_ascii_digit()) {
            return Err("is not a decimal number".to_owned());
        }
        if fraction.len() > MOST_DECIMALS {
            return Err(format!("has more than {MOST_DECIMALS} decimals"));
        }
        let digits = format!("{whole}{fraction}")
            .parse::<i64>()
            .map_err(|_| "has more digits than 64 bits hold".to_owned())?;
        Ok(Decimal {
            digits: digits.into(),
            scale: fraction.len() as u32,
        })
    }

    fn scaled(self, scale: u32) -> Option<i128> {
        self.digits.checked_mul(10_i128.pow(scale - self.scale))
    }
}

fn text(value: i128, scale: u32) -> String {
    if scale == 0 {
        return value.to_string();
    }
    let (sign, value) = (if value < 0 { "-" } else { "" }, value.unsigned_abs());
    let one = 10_u128.pow(scale);
    format!(
        "{sign}{}.{:0width$}",
        value / one,
        value % one,
        width = scale as usize
    )
}

/// One value of each parameter.
pub(crate) type Combination = Vec<(String, String)>;

/// Every combination of values, those of the first parameter changing last.
pub(crate) fn combinations(parameters: &[Parameter]) -> Result<Vec<Combination>, Stop> {
    let mut all: Vec<Combination> = vec![Vec::new()];
    for parameter in parameters {
        if all.len() * parameter.values.len() > MOST {
            let what = format!("there are more than {MOST} combinations of parameters");
            return Err(Stop::Usage(format!("{what}; measure fewer at once")));
        }
        let mut longer = Vec::new();
        for before in &all {
            for value in &parameter.values {
                let mut combination = before.clone();
                combination.push((parameter.name.clone(), value.clone()));
                longer.push(combination);
            }
        }
        all = longer;
    }
    Ok(all)
}

/// A text with `{NAME}` replaced by the value of each parameter.
pub(crate) fn filled(text: &str, combination: &Combination) -> String {
    let mut filled = String::new();
    let mut rest = text;
    'text: while !rest.is_empty() {
        for (name, value) in combination {
            let after = rest
                .strip_prefix('{')
                .and_then(|rest| rest.strip_prefix(name.as_str()));
            if let Some(after) = after.and_then(|rest| rest.strip_prefix('}')) {
                filled.push_str(value);
                rest = after;
                continue 'text;
            }
        }
        let next = rest.chars().next().map_or(1, char::len_utf8);
        filled.push_str(&rest[..next]);
        rest = &rest[next..];
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(from: &str, to: &str, step: Option<&str>) -> Vec<String> {
        let parameter = Parameter::scan("n", from, to, step);
        parameter.expect("it is a range").values
    }

    #[test]
    fn scans_are_exact() {
        assert_eq!(scan("1", "3", None), ["1", "2", "3"]);
        assert_eq!(
            scan("0.1", "0.45", Some("0.1")),
            ["0.1", "0.2", "0.3", "0.4"]
        );
        assert_eq!(scan("1", "2", Some("0.50")), ["1.00", "1.50", "2.00"]);
        assert_eq!(scan("2", "-1", Some("-1")), ["2", "1", "0", "-1"]);
        assert_eq!(scan("-0.5", "0.5", Some("0.5")), ["-0.5", "0.0", "0.5"]);
        assert_eq!(scan("4", "4", None), ["4"]);
        let largest = "9223372036854775807";
        assert_eq!(scan(largest, largest, None), [largest]);
        assert_eq!(
            scan("0.000000000001", "0.000000000002", Some(".000000000001")).len(),
            2
        );
        for (from, to, step, expected) in [
            (
                "-9223372036854775808",
                largest,
                None,
                "has 18446744073709551616 values, at most 250",
            ),
            (
                "-9223372036854775808",
                largest,
                Some("0.000000000001"),
                "values, at most 250",
            ),
            ("0", largest, None, "has 9223372036854775808 values"),
            (
                "0",
                "9223372036854775808",
                None,
                "has more digits than 64 bits hold",
            ),
            (
                "0",
                "1",
                Some("0.0000000000001"),
                "has more than 12 decimals",
            ),
            ("0", "1", Some("1e-300"), "is not a decimal number"),
            ("0", "1", Some("NaN"), "is not a decimal number"),
            ("0", "1", Some("."), "is not a decimal number"),
            ("0", "1", Some("0.0"), "the step must lead"),
            ("0", "1", Some("-0.5"), "the step must lead"),
        ] {
            match Parameter::scan("n", from, to, step) {
                Err(Stop::Usage(text)) => assert!(text.contains(expected), "{text}"),
                other => panic!("{from} {to}: {other:?}"),
            }
        }
        for (from, to, step) in [
            ("1", "3", Some("0")),
            ("1", "3", Some("-1")),
            ("3", "1", None),
            ("1", "300", None),
            ("a", "3", None),
            ("1", "2", Some("0.1.2")),
        ] {
            assert!(Parameter::scan("n", from, to, step).is_err(), "{from} {to}");
        }
    }

    #[test]
    fn lists_are_separated_by_commas() {
        let values = |text: &str| Parameter::list("n", text).expect("a list").values;
        assert_eq!(values("a,b c,"), ["a", "b c", ""]);
        assert_eq!(values("a\\,b,c\\d"), ["a,b", "c\\d"]);
        assert!(Parameter::list("a}", "1").is_err());
        assert!(Parameter::list("a", "").is_err());
    }

    #[test]
    fn every_combination_is_there_once() {
        let parameters = [
            Parameter::list("a", "1,2").expect("a list"),
            Parameter::list("b", "x,y").expect("a list"),
        ];
        let all = combinations(&parameters).expect("four");
        let filled: Vec<String> = all.iter().map(|one| filled("{a}-{b} {c} {", one)).collect();
        assert_eq!(filled, ["1-x {c} {", "1-y {c} {", "2-x {c} {", "2-y {c} {"]);
        assert_eq!(combinations(&[]).expect("one"), [Vec::new()]);
    }

    #[test]
    fn a_value_is_not_filled_again() {
        let combination = vec![
            ("a".to_owned(), "{b}".to_owned()),
            ("b".to_owned(), "1".to_owned()),
        ];
        assert_eq!(filled("{a}{b}é", &combination), "{b}1é");
    }
}
