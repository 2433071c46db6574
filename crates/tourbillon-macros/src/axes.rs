//! Which parameter gets which values.

use std::mem::take;

use proc_macro::{Ident, Span, TokenStream};

use crate::error::Error;
use crate::listed::listed;
use crate::nearest::nearest;
use crate::options::{Args, Options};
use crate::signature::{Parameter, Signature, plain};

/// How a function is called: with a `Bencher` or without, and with which values.
pub(crate) struct Axes {
    /// Place of the type of the first parameter, where that is a `Bencher`.
    pub(crate) bencher: Option<Span>,
    /// The axes, the slowest first; those of arguments before those of ways of measuring.
    pub(crate) axes: Vec<Axis>,
    /// For each parameter behind the `Bencher`, the index of its axis.
    pub(crate) order: Vec<usize>,
}

/// An axis and its values.
pub(crate) struct Axis {
    /// Name: that of the parameter, or of the method of the `Bencher` that takes a value.
    pub(crate) name: Ident,
    /// The expression whose items are the values.
    pub(crate) values: TokenStream,
    /// The option that asks for it, where the values are no arguments but ways of measuring.
    pub(crate) way: Option<&'static str>,
}

impl Axes {
    /// Matches the values in the options, which are taken out, with the parameters of the function.
    pub(crate) fn new(options: &mut Options, signature: &Signature) -> Result<Self, Error> {
        generics(options, signature)?;
        let parameters = &signature.parameters;
        let mut axes = take(&mut options.axes);
        if options.args == Args::Only
            && let Some(axis) = axes.first_mut()
        {
            axis.name = only_name(axis, signature)?;
        }
        for axis in &axes {
            if !is_any_named(parameters, &axis.name) {
                return Err(unknown(&axis.name, parameters));
            }
        }
        let mut bencher = None;
        let mut order = Vec::new();
        for parameter in parameters {
            match axis_of(parameter, &axes) {
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
    for axis in axes {
        if plain(&axis.name) == name {
            let message = format!(
                "`{}` makes an axis `{name}`, and a parameter is called so; give that another name",
                way.way.unwrap_or_default()
            );
            return Err(Error::at(way.name.span(), message));
        }
    }
    Ok(())
}

/// The index of a parameter's axis; `None` where it has no values.
fn axis_of(parameter: &Parameter, axes: &[Axis]) -> Option<usize> {
    let name = parameter.name.as_ref()?.to_string();
    for (index, axis) in axes.iter().enumerate() {
        if axis.name.to_string() == name {
            return Some(index);
        }
    }
    None
}

/// The parameter that values without a name are for.
fn only_name(axis: &Axis, signature: &Signature) -> Result<Ident, Error> {
    let Some(last) = signature.parameters.last() else {
        let name = &signature.name;
        let message =
            format!("`{name}` has no parameter for these values; write fn {name}(size: usize)");
        return Err(Error::at(axis.name.span(), message));
    };
    match &last.name {
        Some(name) => Ok(name.clone()),
        None => {
            let message = "an axis is called like its parameter; give this one a name";
            Err(Error::at(last.pattern, message))
        }
    }
}

fn generics(options: &Options, signature: &Signature) -> Result<(), Error> {
    let (at, message) = match (&signature.generic, options.types_at) {
        (Some(generic), None) => (
            generic.span(),
            format!("`{generic}` needs types: write #[bench(types = [A, B])]"),
        ),
        (None, Some(at)) => {
            let name = &signature.name;
            let message =
                format!("`{name}` has no type parameter for these types; write fn {name}<T>(..)");
            (at, message)
        }
        _ => return Ok(()),
    };
    Err(Error::at(at, message))
}

fn is_any_named(parameters: &[Parameter], name: &Ident) -> bool {
    let name = name.to_string();
    for parameter in parameters {
        if let Some(own) = &parameter.name
            && own.to_string() == name
        {
            return true;
        }
    }
    false
}

fn unknown(axis: &Ident, parameters: &[Parameter]) -> Error {
    let mut owned = Vec::new();
    for parameter in parameters {
        if let Some(name) = &parameter.name {
            owned.push(name.to_string());
        }
    }
    let mut names: Vec<&str> = Vec::new();
    for name in &owned {
        names.push(name);
    }
    let message = match nearest(&axis.to_string(), &names) {
        Some(meant) => format!("no parameter is called `{axis}`; did you mean `{meant}`?"),
        None if names.is_empty() => format!("no parameter is called `{axis}`; there are none"),
        None => format!(
            "no parameter is called `{axis}`; there are {}",
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
            "`{name}` has no values: write args({name} = [..], ..) with every parameter but a first `Bencher`"
        ),
        Args::Named => format!(
            "`{name}` has no values: add {name} = [..] to args; only a `Bencher`, which comes first, needs none"
        ),
    };
    Error::at(parameter.pattern, message)
}
