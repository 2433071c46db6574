//! How a program was compiled, as a text of JSON: facts by their names.

use serde_json::{Map, Value};
use tourbillon_record::{Compilation, Fact, FactValue};

/// The text of what is known.
pub(crate) fn text(compilation: &Compilation) -> String {
    let facts = compilation.facts().iter().filter_map(|fact| {
        let value = match &fact.value {
            FactValue::Text(text) => Value::from(&**text),
            FactValue::Integer(whole) => Value::from(*whole),
            FactValue::Flag(flag) => Value::from(*flag),
            FactValue::List(texts) => Value::from(&texts[..]),
            FactValue::Absent(_) => return None,
        };
        Some((fact.name.clone(), value))
    });
    Value::Object(facts.collect()).to_string()
}

/// What a text says is known; nothing where it is damaged.
pub(crate) fn parse(text: &str) -> Compilation {
    let facts: Map<String, Value> = serde_json::from_str(text).unwrap_or_default();
    let known = facts.into_iter().filter_map(|(name, value)| {
        let value = match value {
            Value::String(text) => FactValue::Text(text),
            Value::Bool(flag) => FactValue::Flag(flag),
            Value::Number(whole) => FactValue::Integer(whole.as_u64()?),
            Value::Array(texts) => {
                let texts = texts.iter().filter_map(Value::as_str).map(str::to_owned);
                FactValue::List(texts.collect())
            }
            Value::Null | Value::Object(_) => return None,
        };
        Some(Fact { name, value })
    });
    Compilation::over_time(&known.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let fact = |name: &str, value: FactValue| Fact {
            name: name.to_owned(),
            value,
        };
        let list = FactValue::List(vec!["std".to_owned(), "\"".to_owned()]);
        let facts = [
            fact("codegen_units", FactValue::Integer(16)),
            fact("debug_assertions", FactValue::Flag(true)),
            fact("features", list),
            fact("opt_level", FactValue::Text("3".to_owned())),
        ];
        let compilation = Compilation::of(&facts);
        assert_eq!(compilation.facts(), facts);
        assert_eq!(parse(&text(&compilation)), compilation);
        for damaged in ["", "[]", "{\"lto\":null}", "{\"lto\":1.5}"] {
            assert_eq!(parse(damaged), Compilation::default());
        }
    }
}
