//! What the attribute leaves behind: the function, its registration, and an ignored test.

use proc_macro::{Ident, Literal, Span, TokenStream, TokenTree};

use crate::axes::{Axes, Axis};
use crate::error::Error;
use crate::options::Options;
use crate::shorten;
use crate::signature::Signature;
use crate::template::{fill, string};

/// One function, one static entry, one function that offers the cases. The names of the two are
/// our own because values, types and the benchmark itself are looked up in the same scope.
const REGISTRATION: &str = r#"
    const _: () = {
        static __TOURBILLON_ENTRY: $private::Entry = $private::Entry::new(
            $private::Origin {
                package: ::core::option_env!("CARGO_PKG_NAME"),
                module: ::core::module_path!(),
                function: $function,
                file: $file,
                line: $line,
                column: $column,
            },
            $private::Settings::new()$settings,
            &[$axes],
            __tourbillon_cases,
        );
        fn __tourbillon_cases(cases: &mut $private::Cases<'_>) -> $private::Flow {
            use $private::{LabelByDebug as _, LabelByDisplay as _, LabelMissing as _};
            use $private::{ErrorByDebug as _, ErrorByDisplay as _, ErrorUnshown as _, NoError as _};
            $cases
            $private::Flow::Continue(())
        }
        $private::register!(__TOURBILLON_ENTRY);
    };
"#;

/// With the standard harness the function is registered, but nobody asks for it.
const FORGOTTEN: &str = "
    #[cfg(test)]
    #[::core::prelude::v1::test]
    #[ignore = $reason]
    fn $name() {}
";

/// A benchmark with a `Bencher` is called once for each visit and gets clones.
const WITH_BENCHER: &str = "
    let mut run = |bencher: $private::Bencher<'_>| {
        let returned = $call;
        (&&&&$private::Output(&$ended)).checked()
    };
    $labels
    cases.offer(&mut run)?;
";

/// A benchmark without one is the body: it is called in the timed loop and gets copies.
const WITHOUT_BENCHER: &str = "
    $copies
    let mut run = |bencher: $private::Bencher<'_>| {
        bencher.iter_checked(
            move || $call,
            |output| (&&&&$private::Output(output)).checked(),
        );
        ::core::result::Result::Ok(())
    };
    $labels
    cases.offer(&mut run)?;
";

/// Everything that `#[bench(attribute)] item` stands for.
pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    match registration(attribute, item.clone()) {
        Ok(registration) => [item, registration].into_iter().collect(),
        Err(error) => {
            // The function stays, so that the error is not followed by others about a name that is
            // not there.
            let unused = fill("#[allow(dead_code)]", Span::call_site(), &[]);
            [unused, item, error.into_tokens()].into_iter().collect()
        }
    }
}

fn registration(attribute: TokenStream, item: TokenStream) -> Result<TokenStream, Error> {
    // The signature first: options that fit no function are the smaller mistake.
    let signature = Signature::parse(item)?;
    let options = Options::parse(attribute)?;
    let axes = Axes::new(&options, &signature)?;
    let call = Call::new(&options, &signature, &axes);
    let types = types(&options);

    let mut names: Vec<&str> = axes.axes.iter().map(|axis| axis.name.as_str()).collect();
    let generic = signature.generic.as_ref().map(Ident::to_string);
    if let Some(generic) = &generic {
        names.insert(0, generic);
    }
    let cases = match types.as_slice() {
        [] => call.cases(None),
        types => types
            .iter()
            .map(|(ty, name)| call.cases(Some((ty, name))))
            .collect(),
    };
    let place = signature.name.span();
    let mixed = Span::mixed_site();
    let number = |number| TokenStream::from(TokenTree::from(Literal::usize_unsuffixed(number)));
    let mut output = fill(
        REGISTRATION,
        mixed,
        &[
            ("private", call.private.clone()),
            ("function", string(&signature.plain_name())),
            ("file", string(&place.file())),
            ("line", number(place.line())),
            ("column", number(place.column())),
            ("settings", options.settings.clone()),
            ("axes", separated(names.iter().map(|name| string(name)))),
            ("cases", cases),
        ],
    );
    let name = Ident::new(
        &format!("{}_needs_harness_false", signature.plain_name()),
        mixed,
    );
    let holes = [
        ("reason", string(&reason())),
        ("name", TokenTree::from(name).into()),
    ];
    output.extend(fill(FORGOTTEN, mixed, &holes));
    Ok(output)
}

fn reason() -> String {
    let target = std::env::var("CARGO_CRATE_NAME").unwrap_or_default();
    format!(
        "not measured: write `harness = false` in the [[bench]] section of `{target}` in Cargo.toml \
         and let its main call tourbillon::main()"
    )
}

fn types(options: &Options) -> Vec<(TokenStream, String)> {
    let Some(types) = &options.types else {
        return Vec::new();
    };
    let lists: Vec<&[TokenTree]> = types.list.iter().map(Vec::as_slice).collect();
    let tokens = types
        .list
        .iter()
        .map(|tokens| tokens.iter().cloned().collect());
    tokens.zip(shorten::names(&lists)).collect()
}

/// What is needed to write down a call of the function.
struct Call<'a> {
    private: TokenStream,
    signature: &'a Signature,
    axes: &'a Axes,
}

impl<'a> Call<'a> {
    fn new(options: &Options, signature: &'a Signature, axes: &'a Axes) -> Self {
        let path = options.path.clone();
        let root = path.unwrap_or_else(|| fill("::tourbillon", Span::mixed_site(), &[]));
        let private = fill("$root::private", Span::mixed_site(), &[("root", root)]);
        Self {
            private,
            signature,
            axes,
        }
    }

    /// Offers the cases of one type, or those of a function without a type parameter.
    ///
    /// Values are evaluated for each type anew, so that `[1, 2]` can be an array of that type; all
    /// axes before the first case, in `match`es that keep temporary values alive.
    fn cases(&self, ty: Option<(&TokenStream, &str)>) -> TokenStream {
        let mixed = Span::mixed_site();
        let mut inner = self.case(ty);
        for index in (0..self.axes.axes.len()).rev() {
            let source = format!("for value{index} in &axis{index} {{ $inner }}");
            inner = fill(&source, mixed, &[("inner", inner)]);
        }
        for (index, axis) in self.axes.axes.iter().enumerate().rev() {
            let position = index + usize::from(ty.is_some());
            let source = format!(
                "match cases.values({position}, $values) {{ axis{index} => {{ $inner }} }}"
            );
            let holes = [("inner", inner), ("values", axis.values.clone())];
            inner = fill(&source, axis.place(), &holes);
        }
        inner
    }

    /// Offers the case of the current values. The closure stands before the labels: it is where
    /// the type of a literal is inferred from the parameter.
    fn case(&self, ty: Option<(&TokenStream, &str)>) -> TokenStream {
        let mixed = Span::mixed_site();
        let ty_label = ty.map(|(_, name)| {
            let holes = [("name", string(name))];
            fill(
                "cases.label(::std::string::String::from($name));",
                mixed,
                &holes,
            )
        });
        let each = || self.axes.axes.iter().enumerate();
        let labels = each().map(|(index, axis)| {
            let source = format!("cases.label((&&&$private::Label(value{index})).label());");
            self.at(axis.place(), &source)
        });
        let holes = |name, tokens| {
            [
                ("private", self.private.clone()),
                ("labels", ty_label.into_iter().chain(labels).collect()),
                ("call", self.call(ty.map(|(ty, _)| ty))),
                (name, tokens),
            ]
        };
        if self.axes.bencher.is_some() {
            let ended = self.at(self.signature.output, "$private::ended(returned)");
            return fill(WITH_BENCHER, mixed, &holes("ended", ended));
        }
        let copies = each().map(|(index, axis)| {
            let source = format!("let copy{index} = $private::copied(value{index});");
            self.at(axis.place(), &source)
        });
        fill(WITHOUT_BENCHER, mixed, &holes("copies", copies.collect()))
    }

    /// `function::<Type>(arguments)`, each argument with the place that a wrong type is reported at.
    fn call(&self, ty: Option<&TokenStream>) -> TokenStream {
        let bencher = self
            .axes
            .bencher
            .map(|kind| self.at(kind, "$private::bencher(bencher)"));
        let values = self.axes.order.iter().map(|&index| {
            let source = match self.axes.bencher {
                Some(_) => format!("::core::clone::Clone::clone(value{index})"),
                None => format!("$private::hide(copy{index})"),
            };
            self.at(self.axes.axes[index].place(), &source)
        });
        let arguments = separated(bencher.into_iter().chain(values));
        let generic = ty.map_or_else(TokenStream::new, |ty| {
            fill("::<$ty>", Span::mixed_site(), &[("ty", ty.clone())])
        });
        let function = TokenTree::from(self.signature.name.clone()).into();
        let holes = [
            ("function", function),
            ("generic", generic),
            ("arguments", arguments),
        ];
        fill("$function $generic($arguments)", Span::mixed_site(), &holes)
    }

    /// Code that is reported at `place` where it does not compile. It still sees the variables of
    /// the templates.
    fn at(&self, place: Span, source: &str) -> TokenStream {
        let place = place.resolved_at(Span::mixed_site());
        let private = self.private.clone().into_iter().map(|mut token| {
            token.set_span(place.resolved_at(token.span()));
            token
        });
        fill(source, place, &[("private", private.collect())])
    }
}

impl Axis {
    /// Where the values stand; what is generated there still sees the template's variables.
    fn place(&self) -> Span {
        let first = self.values.clone().into_iter().next();
        let place = first.map_or_else(Span::call_site, |token| token.span());
        place.resolved_at(Span::mixed_site())
    }
}

fn separated(parts: impl Iterator<Item = TokenStream>) -> TokenStream {
    let comma = || fill(",", Span::mixed_site(), &[]);
    parts.flat_map(|part| [part, comma()]).collect()
}
