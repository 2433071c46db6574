//! What the attribute leaves behind: the function, its registration, and an ignored test.

use proc_macro::{Ident, Literal, Span, TokenStream, TokenTree};

use crate::axes::{Axes, Axis};
use crate::compiler;
use crate::error::Error;
use crate::options::Options;
use crate::shorten;
use crate::signature::Signature;
use crate::split::{stream, tokens};
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
                compiler: $compiler,
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
        Ok(registration) => {
            let mut output = item;
            output.extend(registration);
            output
        }
        Err(error) => {
            // The function stays, so that the error is not followed by others about a name that is
            // not there.
            let mut output = fill("#[allow(dead_code)]", Span::call_site(), &[]);
            output.extend(item);
            output.extend(error.into_tokens());
            output
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

    let mut names = Vec::new();
    if let Some(generic) = &signature.generic {
        names.push(string(&generic.to_string()));
    }
    for axis in &axes.axes {
        names.push(string(&axis.name));
    }
    let mut cases = TokenStream::new();
    for (ty, name) in &types {
        cases.extend(call.cases(Some((ty, name))));
    }
    if types.is_empty() {
        cases = call.cases(None);
    }
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
            ("compiler", string(&compiler::flags())),
            ("settings", options.settings.clone()),
            ("axes", separated(names)),
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
    let mut named = Vec::new();
    for (tokens, name) in types.list.iter().zip(shorten::names(&types.list)) {
        named.push((stream(tokens), name));
    }
    named
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
        let bencher = self.axes.bencher.is_some();
        let mut labels = TokenStream::new();
        let mut copies = TokenStream::new();
        if let Some((_, name)) = ty {
            let source = "cases.label(::std::string::String::from($name));";
            labels.extend(fill(source, mixed, &[("name", string(name))]));
        }
        for (index, axis) in self.axes.axes.iter().enumerate() {
            let label = format!("cases.label((&&&$private::Label(value{index})).label());");
            labels.extend(self.at(axis.place(), &label));
            let copy = format!("let copy{index} = $private::copied(value{index});");
            if !bencher {
                copies.extend(self.at(axis.place(), &copy));
            }
        }
        let (template, own) = if bencher {
            let ended = self.at(self.signature.output, "$private::ended(returned)");
            (WITH_BENCHER, ("ended", ended))
        } else {
            (WITHOUT_BENCHER, ("copies", copies))
        };
        let holes = [
            ("private", self.private.clone()),
            ("labels", labels),
            ("call", self.call(ty.map(|(ty, _)| ty))),
            own,
        ];
        fill(template, mixed, &holes)
    }

    /// `function::<Type>(arguments)`, each argument with the place that a wrong type is reported at.
    fn call(&self, ty: Option<&TokenStream>) -> TokenStream {
        let mut arguments = Vec::new();
        if let Some(kind) = self.axes.bencher {
            let mut measuring = "bencher".to_owned();
            for (index, axis) in self.axes.axes.iter().enumerate() {
                if axis.is_way {
                    measuring.push_str(&format!(".{}(*value{index})", axis.name));
                }
            }
            arguments.push(self.at(kind, &format!("$private::bencher({measuring})")));
        }
        for &index in &self.axes.order {
            let source = match self.axes.bencher {
                Some(_) => format!("::core::clone::Clone::clone(value{index})"),
                None => format!("$private::hide(copy{index})"),
            };
            arguments.push(self.at(self.axes.axes[index].place(), &source));
        }
        let arguments = separated(arguments);
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
        let mut private = tokens(self.private.clone());
        for token in &mut private {
            token.set_span(place.resolved_at(token.span()));
        }
        fill(source, place, &[("private", stream(&private))])
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

/// Each part with a comma behind it.
fn separated(parts: Vec<TokenStream>) -> TokenStream {
    let mut list = TokenStream::new();
    for part in parts {
        list.extend(part);
        list.extend(fill(",", Span::mixed_site(), &[]));
    }
    list
}
