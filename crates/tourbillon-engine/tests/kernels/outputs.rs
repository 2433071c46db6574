//! Every terminal with every kind of output: bodies that do nothing but hand on a value, so that what
//! stands in their loops is the fetching of it, or was added.

macro_rules! copied {
    ($name:ident, $type:ty) => {
        #[doc = concat!("Bodies whose output is `", stringify!($type), "`.")]
        pub mod $name {
            use tourbillon_clock::Clock;
            use tourbillon_engine::{
                Arm, Awaited, BlockOn, Chained, Controlled, Counted, Iterated, Prepared, Reading,
                Restored, Streamed, Stretch, hide, keep, on_threads,
            };

            type Value = $type;

            /// `iter`.
            pub fn k_iter(clock: &Clock, stretch: Stretch, v: Value) -> Reading {
                Iterated::new(move || v, |_| Ok(())).batch(clock, stretch)
            }

            /// `iter_fixed`.
            pub fn k_iter_fixed(clock: &Clock, stretch: Stretch, v: Value) -> Reading {
                Iterated::single(move || v).batch(clock, stretch)
            }

            /// `function` for its throughput.
            pub fn k_function(clock: &Clock, stretch: Stretch, v: Value) -> Reading {
                let body = |x: Value| x;
                Iterated::new(move || body(hide(v)), |_| Ok(())).batch(clock, stretch)
            }

            /// `chain`, and `function` for its latency.
            pub fn k_chain(clock: &Clock, stretch: Stretch, v: Value) -> Reading {
                Chained::new(|x: Value| x, v).batch(clock, stretch)
            }

            /// `iter_async`.
            pub fn k_awaited(clock: &Clock, stretch: Stretch, v: Value) -> Reading {
                Awaited::new(BlockOn, async move || v, false).batch(clock, stretch)
            }

            /// `iter_threads`.
            pub fn k_threads(clock: &Clock, stretch: Stretch, v: Value) -> Option<Reading> {
                let mut reading = None;
                on_threads(2, false, &|_| move || v, &mut |arm| {
                    reading = Some(arm.batch(clock, stretch));
                })
                .ok()?;
                reading
            }

            /// `iter_n`, with a loop as people write it.
            pub fn k_iter_n(clock: &Clock, stretch: Stretch, v: Value) -> Reading {
                let body = move |count| {
                    for _ in 0..count {
                        keep(v);
                    }
                };
                Counted::new(body).batch(clock, stretch)
            }

            /// `iter_controlled_fixed`, without a pause.
            pub fn k_controlled(clock: &Clock, stretch: Stretch, v: Value) -> Reading {
                Controlled::fixed(move |_, _| v, 1).batch(clock, stretch)
            }

            /// `with_inputs(..).iter_ref` and `iter_mut`.
            pub fn k_inputs_borrowed(clock: &Clock, stretch: Stretch, v: Value) -> Reading {
                Prepared::borrowing(move || v, |x: &mut Value| *x, false).batch(clock, stretch)
            }

            /// `with_inputs(..).iter_owned`.
            pub fn k_inputs_consumed(clock: &Clock, stretch: Stretch, v: Value) -> Reading {
                Prepared::consuming(move || v, |x: Value| x, false).batch(clock, stretch)
            }

            /// `with_state(..).reset(..).iter_mut`.
            pub fn k_state(clock: &Clock, stretch: Stretch, v: Value) -> Reading {
                let reset = move |x: &mut Value| *x = v;
                Restored::new(move || v, reset, |x: &mut Value| *x, false).batch(clock, stretch)
            }

            /// `with_stream(..).fetch`.
            pub fn k_stream(clock: &Clock, stretch: Stretch, items: &[Value]) -> Reading {
                Streamed::new(items, |x: &Value| *x, false)
                    .expect("items")
                    .batch(clock, stretch)
            }
        }
    };
}

copied!(unit, ());
copied!(byte, u8);
copied!(truth, bool);
copied!(half, u32);
copied!(word, u64);
copied!(signed, i64);
copied!(wide, u128);
copied!(float, f32);
copied!(double, f64);
copied!(option_half, Option<u32>);
copied!(option_word, Option<u64>);
copied!(option_double, Option<f64>);
copied!(text, &'static str);
copied!(large, [u64; 5]);

/// Bodies whose output is a `String`.
pub mod owned {
    use tourbillon_clock::Clock;
    use tourbillon_engine::{
        Arm, Chained, Controlled, Counted, Iterated, Kept, Prepared, Reading, Restored, Stretch,
        keep,
    };

    /// A text on the heap, by a call that can be told from what the loop adds.
    #[inline(never)]
    fn made(text: &'static str) -> String {
        String::from(text)
    }

    /// The same without a text: dropping it is a call and nothing else.
    #[inline(never)]
    fn boxed(text: &'static str) -> Box<[usize; 4]> {
        Box::new([text.len(); 4])
    }

    /// `iter`.
    pub fn k_iter(clock: &Clock, stretch: Stretch, text: &'static str) -> Reading {
        Kept::outputs(move || made(text), |_| Ok(())).batch(clock, stretch)
    }

    /// `drop_inside().iter`, `iter_fixed`.
    pub fn k_iter_dropped(clock: &Clock, stretch: Stretch, text: &'static str) -> Reading {
        Iterated::single(move || boxed(text)).batch(clock, stretch)
    }

    /// `chain`: nothing is made anew.
    pub fn k_chain(clock: &Clock, stretch: Stretch, text: &'static str) -> Reading {
        Chained::new(|x: String| x, made(text)).batch(clock, stretch)
    }

    /// `iter_n`.
    pub fn k_iter_n(clock: &Clock, stretch: Stretch, text: &'static str) -> Reading {
        let body = move |count| {
            for _ in 0..count {
                keep(boxed(text));
            }
        };
        Counted::new(body).batch(clock, stretch)
    }

    /// `iter_controlled_fixed`.
    pub fn k_controlled(clock: &Clock, stretch: Stretch, text: &'static str) -> Reading {
        Controlled::fixed(move |_, _| boxed(text), 1).batch(clock, stretch)
    }

    /// `with_inputs(..).iter_mut`.
    pub fn k_inputs_borrowed(clock: &Clock, stretch: Stretch, text: &'static str) -> Reading {
        Prepared::borrowing(move || text, |x: &mut &'static str| made(x), false)
            .batch(clock, stretch)
    }

    /// `with_inputs(..).iter_owned`: moved, not made.
    pub fn k_inputs_consumed(clock: &Clock, stretch: Stretch, text: &'static str) -> Reading {
        Prepared::consuming(move || made(text), |x: String| x, false).batch(clock, stretch)
    }

    /// `with_state(..).reset(..).iter_mut`.
    pub fn k_state(clock: &Clock, stretch: Stretch, text: &'static str) -> Reading {
        let reset = move |x: &mut &'static str| *x = text;
        Restored::new(move || text, reset, |x: &mut &'static str| made(x), false)
            .batch(clock, stretch)
    }
}
