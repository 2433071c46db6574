//! Which parameter gets which values.

use std::mem::take;

use proc_macro::{Ident, Span};
use tourbillon_values::nearest;

use crate::axis::Axis;
use crate::options::{Args, Options, listed};
use crate::signature::{Generic, Parameter, Signature, plain};
use crate::tokens::Error;

/// How a function is called: with a `Bencher` or without, and with which values.
pub(crate) struct Axes {
    /// Place of the type of the first parameter, where that is a `Bencher`.
    pub(crate) bencher: Option<Span>,
    /// The axes, the slowest first; those of arguments before those of ways of measuring.
    pub(crate) axes: Vec<Axis>,
    /// For each parameter after the `Bencher`, the index of its axis.
    pub(crate) order: Vec<usize>,
}

impl Axes {
    /// Matches the values in the options, which are taken out, with the parameters of the function.
    pub(crate) fn new(options: &mut Options, signature: &Signature) -> Result<Self, Error> {
        check_generics(options, signature)?;
        let parameters = &signature.parameters;
        let mut axes = take(&mut options.axes);
        if options.args == Args::Only
            && let Some(axis) = axes.first_mut()
        {
            axis.name = only_name(axis, signature)?;
        }
        for axis in &axes {
            let name = axis.name.to_string();
            if !parameters.iter().any(|parameter| parameter.is(&name)) {
                return Err(unknown(&axis.name, parameters));
            }
        }
        let mut bencher = None;
        let mut order = Vec::new();
        for parameter in parameters {
            let axis = |axis: &Axis| parameter.is(&axis.name.to_string());
            match axes.iter().position(axis) {
                Some(axis) => order.push(axis),
                None if bencher.is_none() && order.is_empty() => bencher = Some(parameter.kind),
                None => return Err(missing(parameter, options.args)),
            }
        }
        for way in &options.ways {
            if bencher.is_none() {
                return Err(no_bencher(way, signature));
            }
            refuse_second(way, &axes)?;
        }
        axes.append(&mut options.ways);
        Ok(Self {
            bencher,
            axes,
            order,
        })
    }
}

fn no_bencher(way: &Axis, signature: &Signature) -> Error {
    let message = format!(
        "`{}` is for a function with a `Bencher`: write fn {}(b: Bencher<'_>, ..)",
        way.way.unwrap_or_default(),
        signature.name
    );
    Error::at(way.name.span(), message)
}

fn refuse_second(way: &Axis, axes: &[Axis]) -> Result<(), Error> {
    let name = way.name.to_string();
    if !axes.iter().any(|axis| plain(&axis.name) == name) {
        return Ok(());
    }
    let option = way.way.unwrap_or_default();
    let message = format!(
        "`{option}` makes an axis `{name}`, which is the name of a parameter; rename the parameter"
    );
    Err(Error::at(way.name.span(), message))
}

/// The parameter that values without a name are for.
fn only_name(axis: &Axis, signature: &Signature) -> Result<Ident, Error> {
    let Some(last) = signature.parameters.last() else {
        let name = &signature.name;
        let message =
            format!("`{name}` has no parameter for these values; write fn {name}(n: usize)");
        return Err(Error::at(axis.name.span(), message));
    };
    last.name.clone().ok_or_else(|| {
        let message = "an axis is named after its parameter; give this one a name";
        Error::at(last.pattern, message)
    })
}

fn check_generics(options: &Options, signature: &Signature) -> Result<(), Error> {
    let name = &signature.name;
    let generics = || signature.generics.iter();
    let ty = generics().find(|generic| matches!(generic, Generic::Type(_)));
    let constant = generics().find(|generic| matches!(generic, Generic::Const(_)));
    for (generic, at, what, form) in [
        (ty, options.types_at, "types", "types = [A, B]"),
        (constant, options.consts_at, "values", "consts = [1, 2]"),
    ] {
        match (generic, at) {
            (Some(generic), None) => {
                let generic = generic.name();
                let message = format!("`{generic}` needs {what}: write #[bench({form})]");
                return Err(Error::at(generic.span(), message));
            }
            (None, Some(at)) => {
                let (kind, parameter) = match what {
                    "types" => ("type", "T"),
                    _ => ("const", "const N: usize"),
                };
                let message = format!(
                    "`{name}` has no {kind} parameter for these {what}; write fn {name}<{parameter}>(..)"
                );
                return Err(Error::at(at, message));
            }
            _ => {}
        }
    }
    Ok(())
}

fn unknown(axis: &Ident, parameters: &[Parameter]) -> Error {
    let known = parameters.iter().filter_map(|known| known.name.as_ref());
    let texts: Vec<String> = known.map(Ident::to_string).collect();
    let names: Vec<&str> = texts.iter().map(String::as_str).collect();
    let message = match nearest(&axis.to_string(), names.iter().copied()) {
        Some(meant) => format!("no parameter is named `{axis}`; did you mean `{meant}`?"),
        None if names.is_empty() => format!("no parameter is named `{axis}`; there are none"),
        None => format!(
            "no parameter is named `{axis}`; there are {}",
            listed(&names)
        ),
    };
    Error::at(axis.span(), message)
}

fn missing(parameter: &Parameter, args: Args) -> Error {
    let Some(name) = &parameter.name else {
        let message = "this parameter has no values; give it a name and write args(name = [..])";
        return Error::at(parameter.pattern, message);
    };
    let message = match args {
        Args::Absent => format!("`{name}` has no values: write #[bench(args = [..])]"),
        Args::Only => format!(
            "`{name}` has no values: write args({name} = [..], ..) with every parameter except a \
             first `Bencher`"
        ),
        Args::Named => format!(
            "`{name}` has no values: add {name} = [..] to args; only a `Bencher`, which comes first, needs none"
        ),
    };
    Error::at(parameter.pattern, message)
}
