//! Every terminal with every kind of output: bodies that do nothing but hand on a value, so that what
//! stands in their loops is the fetching of it, or was added.

macro_rules! copied {
    ($name:ident, $type:ty) => {
        #[doc = concat!("Bodies whose output is `", stringify!($type), "`.")]
        pub mod $name {
            use tourbillon_clock::Clock;
            use tourbillon_engine::{
                Arm, Awaited, BlockOn, Chained, Controlled, Counted, Iterated, Prepared, Reading,
                Restored, Streamed, hide, keep, on_threads,
            };
            use tourbillon_record::BatchShape;

            type Value = $type;

            /// `iter`.
            pub fn k_iter(clock: &Clock, shape: BatchShape, v: Value) -> Reading {
                Iterated::new(move || v, |_| Ok(())).batch(clock, shape)
            }

            /// `iter_fixed`.
            pub fn k_iter_fixed(clock: &Clock, shape: BatchShape, v: Value) -> Reading {
                Iterated::single(move || v).batch(clock, shape)
            }

            /// `function` for its throughput.
            pub fn k_function(clock: &Clock, shape: BatchShape, v: Value) -> Reading {
                let body = |x: Value| x;
                Iterated::new(move || body(hide(v)), |_| Ok(())).batch(clock, shape)
            }

            /// `chain`, and `function` for its latency.
            pub fn k_chain(clock: &Clock, shape: BatchShape, v: Value) -> Reading {
                Chained::new(|x: Value| x, v).batch(clock, shape)
            }

            /// `iter_async`.
            pub fn k_awaited(clock: &Clock, shape: BatchShape, v: Value) -> Reading {
                Awaited::new(BlockOn, async move || v, false).batch(clock, shape)
            }

            /// `iter_threads`.
            pub fn k_threads(clock: &Clock, shape: BatchShape, v: Value) -> Option<Reading> {
                let mut reading = None;
                on_threads(2, false, &|_| move || v, &mut |arm| {
                    reading = Some(arm.batch(clock, shape));
                })
                .ok()?;
                reading
            }

            /// `iter_n`, with a loop as people write it.
            pub fn k_iter_n(clock: &Clock, shape: BatchShape, v: Value) -> Reading {
                let body = move |count| {
                    for _ in 0..count {
                        keep(v);
                    }
                };
                Counted::new(body).batch(clock, shape)
            }

            /// `iter_controlled_fixed`, without a pause.
            pub fn k_controlled(clock: &Clock, shape: BatchShape, v: Value) -> Reading {
                Controlled::fixed(move |_, _| v, 1).batch(clock, shape)
            }

            /// `with_inputs(..).iter_ref` and `iter_mut`.
            pub fn k_inputs_borrowed(clock: &Clock, shape: BatchShape, v: Value) -> Reading {
                Prepared::borrowing(move || v, |x: &mut Value| *x, false).batch(clock, shape)
            }

            /// `with_inputs(..).iter_owned`.
            pub fn k_inputs_consumed(clock: &Clock, shape: BatchShape, v: Value) -> Reading {
                Prepared::consuming(move || v, |x: Value| x, false).batch(clock, shape)
            }

            /// `with_state(..).reset(..).iter_mut`.
            pub fn k_state(clock: &Clock, shape: BatchShape, v: Value) -> Reading {
                let reset = move |x: &mut Value| *x = v;
                Restored::new(move || v, reset, |x: &mut Value| *x, false).batch(clock, shape)
            }

            /// `with_stream(..).fetch`, and `with_stream(..).iter` of a body that returns the item.
            pub fn k_stream(clock: &Clock, shape: BatchShape, items: &[Value]) -> Reading {
                Streamed::new(items, |x: &Value| *x, false)
                    .expect("items")
                    .batch(clock, shape)
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
        Arm, Awaited, BlockOn, Chained, Controlled, Counted, Iterated, Kept, Prepared, Reading,
        Restored, Streamed, keep, on_threads,
    };
    use tourbillon_record::BatchShape;

    type Text = &'static str;

    /// A text on the heap, by a call that can be distinguished from what the loop adds.
    #[inline(never)]
    fn made(text: Text) -> String {
        String::from(text)
    }

    /// The same without a text: dropping it is a call and nothing else.
    #[inline(never)]
    fn boxed(text: Text) -> Box<[usize; 4]> {
        Box::new([text.len(); 4])
    }

    /// `iter`.
    pub fn k_iter(clock: &Clock, shape: BatchShape, text: Text) -> Reading {
        Kept::outputs(move || made(text), |_| Ok(())).batch(clock, shape)
    }

    /// `drop_inside().iter`.
    pub fn k_iter_dropped(clock: &Clock, shape: BatchShape, text: Text) -> Reading {
        Iterated::new(move || boxed(text), |_| Ok(())).batch(clock, shape)
    }

    /// `iter_fixed`, which drops inside.
    pub fn k_iter_fixed(clock: &Clock, shape: BatchShape, text: Text) -> Reading {
        Iterated::single(move || boxed(text)).batch(clock, shape)
    }

    /// `iter_async`.
    pub fn k_awaited(clock: &Clock, shape: BatchShape, text: Text) -> Reading {
        Awaited::new(BlockOn, async move || made(text), false).batch(clock, shape)
    }

    /// `drop_inside().iter_async`.
    pub fn k_awaited_dropped(clock: &Clock, shape: BatchShape, text: Text) -> Reading {
        Awaited::new(BlockOn, async move || boxed(text), true).batch(clock, shape)
    }

    /// `iter_threads`.
    pub fn k_threads(clock: &Clock, shape: BatchShape, text: Text) -> Option<Reading> {
        let mut reading = None;
        on_threads(2, false, &|_| move || made(text), &mut |arm| {
            reading = Some(arm.batch(clock, shape));
        })
        .ok()?;
        reading
    }

    /// `drop_inside().iter_threads`.
    pub fn k_threads_dropped(clock: &Clock, shape: BatchShape, text: Text) -> Option<Reading> {
        let mut reading = None;
        on_threads(2, true, &|_| move || boxed(text), &mut |arm| {
            reading = Some(arm.batch(clock, shape));
        })
        .ok()?;
        reading
    }

    /// `chain`: nothing is made anew.
    pub fn k_chain(clock: &Clock, shape: BatchShape, text: Text) -> Reading {
        Chained::new(|x: String| x, made(text)).batch(clock, shape)
    }

    /// `iter_n`.
    pub fn k_iter_n(clock: &Clock, shape: BatchShape, text: Text) -> Reading {
        let body = move |count| {
            for _ in 0..count {
                keep(boxed(text));
            }
        };
        Counted::new(body).batch(clock, shape)
    }

    /// `iter_controlled_fixed`.
    pub fn k_controlled(clock: &Clock, shape: BatchShape, text: Text) -> Reading {
        Controlled::fixed(move |_, _| boxed(text), 1).batch(clock, shape)
    }

    /// `with_inputs(..).iter_mut`.
    pub fn k_inputs_borrowed(clock: &Clock, shape: BatchShape, text: Text) -> Reading {
        Prepared::borrowing(move || text, |x: &mut Text| made(x), false).batch(clock, shape)
    }

    /// `drop_inside().with_inputs(..).iter_mut`.
    pub fn k_inputs_dropped(clock: &Clock, shape: BatchShape, text: Text) -> Reading {
        Prepared::borrowing(move || text, |x: &mut Text| boxed(x), true).batch(clock, shape)
    }

    /// `with_inputs(..).iter_owned`: moved, not made.
    pub fn k_inputs_consumed(clock: &Clock, shape: BatchShape, text: Text) -> Reading {
        Prepared::consuming(move || made(text), |x: String| x, false).batch(clock, shape)
    }

    /// `with_state(..).reset(..).iter_mut`.
    pub fn k_state(clock: &Clock, shape: BatchShape, text: Text) -> Reading {
        let reset = move |x: &mut Text| *x = text;
        Restored::new(move || text, reset, |x: &mut Text| made(x), false).batch(clock, shape)
    }

    /// `drop_inside().with_state(..).reset(..).iter_mut`.
    pub fn k_state_dropped(clock: &Clock, shape: BatchShape, text: Text) -> Reading {
        let reset = move |x: &mut Text| *x = text;
        Restored::new(move || text, reset, |x: &mut Text| boxed(x), true).batch(clock, shape)
    }

    /// `with_stream(..).iter`.
    pub fn k_stream(clock: &Clock, shape: BatchShape, items: &[Text]) -> Reading {
        Streamed::new(items, |x: &Text| made(x), false)
            .expect("items")
            .batch(clock, shape)
    }

    /// `drop_inside().with_stream(..).iter`.
    pub fn k_stream_dropped(clock: &Clock, shape: BatchShape, items: &[Text]) -> Reading {
        Streamed::new(items, |x: &Text| boxed(x), true)
            .expect("items")
            .batch(clock, shape)
    }
}
