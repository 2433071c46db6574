//! Which parameter gets which values.

use proc_macro::{Ident, Span, TokenStream};

use crate::error::Error;
use crate::listed::listed;
use crate::nearest::nearest;
use crate::options::{Args, Options};
use crate::signature::{Parameter, Signature, plain};
use crate::ways::Ways;

/// How a function is called: with a `Bencher` or without, and with which values.
#[derive(Debug)]
pub(crate) struct Axes {
    /// Place of the type of the first parameter, where that is a `Bencher`.
    pub(crate) bencher: Option<Span>,
    /// The axes, the slowest first; those of arguments before those of ways of measuring.
    pub(crate) axes: Vec<Axis>,
    /// For each parameter behind the `Bencher`, the index of its axis.
    pub(crate) order: Vec<usize>,
}

/// An axis and its values.
#[derive(Debug)]
pub(crate) struct Axis {
    /// Name: that of the parameter.
    pub(crate) name: String,
    /// The expression whose items are the values.
    pub(crate) values: TokenStream,
    /// Whether the values are no arguments but go to the method of the `Bencher` that has the
    /// axis's name.
    pub(crate) is_way: bool,
}

impl Axes {
    /// Matches the values in the options with the parameters of the function.
    pub(crate) fn new(options: &Options, signature: &Signature) -> Result<Self, Error> {
        generics(options, signature)?;
        let parameters = &signature.parameters;
        let given = match &options.args {
            Args::Absent => Vec::new(),
            Args::Only(at, values) => {
                let Some(last) = parameters.last() else {
                    let message = format!(
                        "`{}` has no parameter for these values; write fn {}(size: usize)",
                        signature.name, signature.name
                    );
                    return Err(Error::at(*at, message));
                };
                vec![(axis_name(last)?, values.clone())]
            }
            Args::Named(named) => named.clone(),
        };
        for (name, _) in &given {
            if !parameters.iter().any(|parameter| is_named(parameter, name)) {
                return Err(unknown(name, parameters));
            }
        }
        let mut bencher = None;
        let mut order = Vec::new();
        for (index, parameter) in parameters.iter().enumerate() {
            match axis_of(parameter, &given) {
                Some(axis) => order.push(axis),
                None if index == 0 => bencher = Some(parameter.kind),
                None => return Err(missing(parameter, &options.args)),
            }
        }
        let mut axes = Vec::new();
        for (name, values) in given {
            axes.push(Axis {
                name: plain(&name),
                values,
                is_way: false,
            });
        }
        for way in &options.ways {
            if bencher.is_none() {
                return Err(no_bencher(way, signature));
            }
            if axes.iter().any(|axis| axis.name == way.axis) {
                let message = format!(
                    "`{}` makes an axis `{}`, and a parameter is called so; give that another name",
                    way.option, way.axis
                );
                return Err(Error::at(way.at, message));
            }
            axes.push(Axis {
                name: way.axis.to_owned(),
                values: way.values.clone(),
                is_way: true,
            });
        }
        Ok(Self {
            bencher,
            axes,
            order,
        })
    }
}

fn no_bencher(way: &Ways, signature: &Signature) -> Error {
    let message = format!(
        "`{}` is for a function with a `Bencher`: write fn {}(b: Bencher<'_>, ..)",
        way.option, signature.name
    );
    Error::at(way.at, message)
}

/// The index of a parameter's axis; `None` where it has no values.
fn axis_of(parameter: &Parameter, given: &[(Ident, TokenStream)]) -> Option<usize> {
    for (index, (name, _)) in given.iter().enumerate() {
        if is_named(parameter, name) {
            return Some(index);
        }
    }
    None
}

fn generics(options: &Options, signature: &Signature) -> Result<(), Error> {
    match (&signature.generic, &options.types) {
        (Some(generic), None) => Err(Error::at(
            generic.span(),
            format!("`{generic}` needs types: write #[bench(types = [A, B])]"),
        )),
        (None, Some(types)) => Err(Error::at(
            types.at,
            format!(
                "`{}` has no type parameter for these types; write fn {}<T>(..)",
                signature.name, signature.name
            ),
        )),
        _ => Ok(()),
    }
}

fn axis_name(parameter: &Parameter) -> Result<Ident, Error> {
    parameter.name.clone().ok_or_else(|| {
        let message = "an axis is called like its parameter; give this one a name";
        Error::at(parameter.pattern, message)
    })
}

fn is_named(parameter: &Parameter, name: &Ident) -> bool {
    parameter
        .name
        .as_ref()
        .is_some_and(|own| own.to_string() == name.to_string())
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

fn missing(parameter: &Parameter, args: &Args) -> Error {
    let Some(name) = &parameter.name else {
        let message = "this parameter has no values; give it a name and write args(name = [..])";
        return Error::at(parameter.pattern, message);
    };
    let message = match args {
        Args::Absent => format!("`{name}` has no values: write #[bench(args = [..])]"),
        Args::Only(..) => format!(
            "`{name}` has no values: write args({name} = [..], ..) with every parameter but a first `Bencher`"
        ),
        Args::Named(_) => format!(
            "`{name}` has no values: add {name} = [..] to args; only a `Bencher`, which comes first, needs none"
        ),
    };
    Error::at(parameter.pattern, message)
}
