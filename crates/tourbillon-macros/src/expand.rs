//! The code that the attribute generates: the function, its registration, and an ignored test.

use proc_macro::{Ident, Literal, Span, TokenStream, TokenTree};

use tourbillon_values::editor_module;

use crate::axes::Axes;
use crate::options::Options;
use crate::signature::{Generic, Signature, plain};
use crate::tokens::{Angles, Error, at_commas, fill, stream, string, tokens};
use crate::{compiler, shorten};

/// One function, one static entry, one function that visits the cases. The prefix of their names is there
/// because values, types and the benchmark itself are looked up in the same scope.
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
                has_standard_harness: $has_standard_harness,
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

/// A function that is the body goes where the timed loop goes. Without this, the rest of the crate would
/// decide whether both are in one codegen unit, and with that, whether the loop calls the function or
/// contains it.
const INLINE: &str = "#[inline]";

/// With the standard harness the function is registered and never measured. `cargo test` shows this; under
/// `cargo bench` the program fails when it ends.
const FORGOTTEN: &str = "
    #[cfg(test)]
    #[::core::prelude::v1::test]
    #[ignore = $reason]
    fn $name() {}
";

/// rust-analyzer offers to run what has an attribute of this name, under its path. In a module without imports the
/// attribute is the compiler's.
const EDITOR: &str = "
    mod $module {
        #[bench]
        fn $name() {}
    }
";

/// A benchmark with a `Bencher` is called once in each launch and gets clones.
const WITH_BENCHER: &str = "
    let mut run = |bencher: $private::Bencher<'_>| {
        let returned = $call;
        (&&&&$private::Output(&$ended)).checked()
    };
    $labels
    cases.visit(&mut run)?;
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
    cases.visit(&mut run)?;
";

/// Everything that `#[bench(attribute)] item` stands for.
pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    match benchmark(attribute, item.clone()) {
        Ok(benchmark) => benchmark,
        Err(error) => {
            // The function stays: without it, errors about a missing name would follow.
            let mut output = fill("#[allow(dead_code)]", Span::call_site(), &[]);
            output.extend(item);
            output.extend(error.into_tokens());
            output
        }
    }
}

fn benchmark(attribute: TokenStream, item: TokenStream) -> Result<TokenStream, Error> {
    // The signature first: options that do not fit are the smaller mistake.
    let signature = Signature::parse(item.clone())?;
    let mut options = Options::parse(attribute)?;
    let axes = Axes::new(&mut options, &signature)?;
    let types = at_commas(&options.types, Angles::Types);
    let consts = at_commas(&options.consts, Angles::Expressions);
    let call = Call::new(options.path.take(), &signature, &axes, [&types, &consts]);

    let mut names = TokenStream::new();
    for generic in &signature.generics {
        add(&mut names, string(&generic.name().to_string()));
    }
    for axis in &axes.axes {
        add(&mut names, string(&plain(&axis.name)));
    }
    let cases = call.combinations();
    let cases = cases.iter().map(|chosen| call.cases(chosen)).collect();
    let span = signature.name.span();
    let function = plain(&signature.name);
    let mixed = Span::mixed_site();
    let number = |number| TokenStream::from(TokenTree::from(Literal::usize_unsuffixed(number)));
    let holes = [
        ("private", call.private.clone()),
        ("function", string(&function)),
        ("file", string(&span.file())),
        ("line", number(span.line())),
        ("column", number(span.column())),
        ("compiler", string(&compiler::flags())),
        (
            "has_standard_harness",
            ident(Ident::new(
                &compiler::has_standard_harness().to_string(),
                mixed,
            )),
        ),
        ("settings", options.settings.calls.clone()),
        ("axes", names),
        ("cases", cases),
    ];
    let mut output = TokenStream::new();
    if axes.bencher.is_none() && !signature.decides_inlining {
        output.extend(fill(INLINE, mixed, &[]));
    }
    output.extend(item);
    output.extend(fill(REGISTRATION, mixed, &holes));
    if compiler::is_rust_analyzer() {
        let module = Ident::new(&editor_module(&function), mixed);
        let mut name = signature.name.clone();
        name.set_span(mixed);
        let holes = [("module", ident(module)), ("name", ident(name))];
        output.extend(fill(EDITOR, mixed, &holes));
    } else {
        let name = Ident::new(&format!("{function}_needs_harness_false"), mixed);
        let holes = [("reason", string(&reason())), ("name", ident(name))];
        output.extend(fill(FORGOTTEN, mixed, &holes));
    }
    Ok(output)
}

fn ident(ident: Ident) -> TokenStream {
    TokenStream::from(TokenTree::from(ident))
}

fn reason() -> String {
    let target = std::env::var_os("CARGO_CRATE_NAME").unwrap_or_default();
    format!(
        "not measured: write `harness = false` in the [[bench]] section of `{}` in Cargo.toml \
         and let its main call tourbillon::main()",
        target.display()
    )
}

/// What is needed to write down a call of the function.
struct Call<'a> {
    private: TokenStream,
    signature: &'a Signature,
    axes: &'a Axes,
    /// The types and the constants.
    lists: [&'a [&'a [TokenTree]]; 2],
}

impl<'a> Call<'a> {
    fn new(
        path: Option<TokenStream>,
        signature: &'a Signature,
        axes: &'a Axes,
        lists: [&'a [&'a [TokenTree]]; 2],
    ) -> Self {
        let mixed = Span::mixed_site();
        let private = match path {
            Some(path) => fill("$path::private", mixed, &[("path", path)]),
            None => fill("::tourbillon::private", mixed, &[]),
        };
        Self {
            private,
            signature,
            axes,
            lists,
        }
    }

    /// The choices of a type and a constant, the first parameter slower; one without any where there are no such
    /// parameters. Each has the place of what is chosen for each parameter.
    fn combinations(&self) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new()];
        for generic in &self.signature.generics {
            let count = self.list(generic).len();
            let longer = all
                .iter()
                .flat_map(|chosen| (0..count).map(move |at| [chosen.as_slice(), &[at]].concat()));
            all = longer.collect();
        }
        all
    }

    /// What a parameter in angle brackets may be.
    fn list(&self, generic: &Generic) -> &'a [&'a [TokenTree]] {
        let [types, consts] = self.lists;
        match generic {
            Generic::Type(_) => types,
            Generic::Const(_) => consts,
        }
    }

    /// Offers the cases of one type and one constant.
    ///
    /// Values are evaluated for each type anew, so that `[1, 2]` can be an array of that type; those of
    /// all axes before the first case, in `match`es that keep temporary values alive.
    fn cases(&self, chosen: &[usize]) -> TokenStream {
        let mixed = Span::mixed_site();
        let mut inner = self.case(chosen);
        let axes = &self.axes.axes;
        for index in (0..axes.len()).rev() {
            let source = format!("for value{index} in &axis{index} {{ $inner }}");
            inner = fill(&source, mixed, &[("inner", inner)]);
        }
        for index in (0..axes.len()).rev() {
            let position = index + chosen.len();
            let source = format!(
                "match cases.values({position}, $values) {{ axis{index} => {{ $inner }} }}"
            );
            let holes = [("inner", inner), ("values", axes[index].values.clone())];
            inner = fill(&source, axes[index].span(), &holes);
        }
        inner
    }

    /// Offers the case of the current values. The closure comes before the labels: it is where the type of
    /// a literal is inferred from the parameter.
    fn case(&self, chosen: &[usize]) -> TokenStream {
        let mixed = Span::mixed_site();
        let bencher = self.axes.bencher.is_some();
        let mut holes = Vec::new();
        let mut labels = TokenStream::new();
        let mut copies = TokenStream::new();
        for (generic, &at) in self.signature.generics.iter().zip(chosen) {
            let list = self.list(generic);
            labels.extend(match generic {
                Generic::Type(_) => {
                    let source = "cases.label(::std::string::String::from($name));";
                    let name = string(&shorten::name(list, at));
                    fill(source, mixed, &[("name", name)])
                }
                Generic::Const(_) => {
                    let source = "cases.label((&&&$private::Label(&$value)).label());";
                    let holes = [
                        ("private", self.private.clone()),
                        ("value", constant(list[at])),
                    ];
                    fill(source, mixed, &holes)
                }
            });
        }
        for (index, axis) in self.axes.axes.iter().enumerate() {
            let label = format!("cases.label((&&&$private::Label(value{index})).label());");
            labels.extend(self.at(axis.span(), &label));
            if !bencher {
                let copy = format!("let copy{index} = $private::copied(value{index});");
                copies.extend(self.at(axis.span(), &copy));
            }
        }
        holes.push(("private", self.private.clone()));
        holes.push(("labels", labels));
        holes.push(("call", self.call(chosen)));
        if bencher {
            let ended = self.at(self.signature.output, "$private::ended(returned)");
            holes.push(("ended", ended));
            fill(WITH_BENCHER, mixed, &holes)
        } else {
            holes.push(("copies", copies));
            fill(WITHOUT_BENCHER, mixed, &holes)
        }
    }

    /// `function::<Type, { constant }>(arguments)`, each argument with the place that a wrong type is reported at.
    fn call(&self, chosen: &[usize]) -> TokenStream {
        let mixed = Span::mixed_site();
        let axes = &self.axes.axes;
        let mut holes = Vec::new();
        let mut arguments = TokenStream::new();
        if let Some(kind) = self.axes.bencher {
            let mut measuring = "$private::bencher(bencher".to_owned();
            for (index, axis) in axes.iter().enumerate() {
                if axis.way.is_some() {
                    measuring.push_str(&format!(".{}(*value{index})", axis.name));
                }
            }
            measuring.push(')');
            add(&mut arguments, self.at(kind, &measuring));
        }
        for &index in &self.axes.order {
            let source = match self.axes.bencher {
                Some(_) => format!("::core::clone::Clone::clone(value{index})"),
                None => format!("$private::hide(copy{index})"),
            };
            add(&mut arguments, self.at(axes[index].span(), &source));
        }
        let function = TokenTree::from(self.signature.name.clone());
        holes.push(("function", TokenStream::from(function)));
        holes.push(("arguments", arguments));
        if chosen.is_empty() {
            return fill("$function($arguments)", mixed, &holes);
        }
        let mut generics = TokenStream::new();
        for (generic, &at) in self.signature.generics.iter().zip(chosen) {
            let tokens = self.list(generic)[at];
            let argument = match generic {
                Generic::Type(_) => stream(tokens),
                Generic::Const(_) => constant(tokens),
            };
            add(&mut generics, argument);
        }
        holes.push(("generics", generics));
        fill("$function::<$generics>($arguments)", mixed, &holes)
    }

    /// Code whose errors are reported at `span`. It still sees the variables of the templates.
    fn at(&self, span: Span, source: &str) -> TokenStream {
        let span = span.resolved_at(Span::mixed_site());
        let mut private = tokens(self.private.clone());
        for token in &mut private {
            token.set_span(span.resolved_at(token.span()));
        }
        fill(source, span, &[("private", stream(&private))])
    }
}

/// A constant as an argument in angle brackets: in braces unless it is one token.
fn constant(tokens: &[TokenTree]) -> TokenStream {
    match tokens {
        [_] => stream(tokens),
        _ => fill(
            "{ $value }",
            Span::mixed_site(),
            &[("value", stream(tokens))],
        ),
    }
}

/// Adds a part, and a comma after it.
fn add(list: &mut TokenStream, part: TokenStream) {
    list.extend(part);
    list.extend(fill(",", Span::mixed_site(), &[]));
}
