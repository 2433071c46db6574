//! Bodies that the attribute hands to the timed loop, each in a module of its own, so that the compiler
//! can divide them between codegen units, and other attributes as well. Compiled with optimisation by the assembly
//! tests.

/// A function without parameters.
mod k_plain {
    use tourbillon::{bench, hide};

    #[bench]
    fn plain() -> u64 {
        hide(1_u64) + 1
    }
}

/// An output that needs dropping, and is kept.
mod k_kept {
    use tourbillon::{bench, hide, keep};

    struct Dropped(u64);

    impl Drop for Dropped {
        #[inline]
        fn drop(&mut self) {
            keep(self.0);
        }
    }

    #[bench]
    fn kept() -> Dropped {
        Dropped(hide(1))
    }
}

/// Values of a parameter.
mod k_args {
    use tourbillon::{bench, hide};

    #[bench(args = [1, 2])]
    fn args(n: u64) -> u64 {
        hide(n) * 3
    }
}

/// Types of a parameter.
mod k_types {
    use tourbillon::{bench, hide};

    #[bench(types = [u32, u64])]
    fn types<T: From<u8>>() -> T {
        hide(T::from(1))
    }
}

/// Both.
mod k_both {
    use tourbillon::{bench, hide};

    #[bench(types = [u32, u64], args = [1, 2])]
    fn both<T: From<u8>>(n: u8) -> T {
        hide(T::from(hide(n)))
    }
}

/// A result, which is checked after the first call.
mod k_result {
    use tourbillon::{bench, hide};

    #[bench]
    fn result() -> Result<u64, ()> {
        hide(Ok(1))
    }
}

/// What the function's own attributes ask for is done.
mod k_never {
    use tourbillon::{bench, hide};

    #[bench]
    #[inline(never)]
    fn never() -> u64 {
        hide(1_u64) + 1
    }
}

/// The same where a `cfg_attr` asks for it.
mod k_conditionally_never {
    use tourbillon::{bench, hide};

    #[bench]
    #[cfg_attr(all(), inline(never))]
    fn never() -> u64 {
        hide(2_u64) + 1
    }
}

/// Attributes that go together with the one for benchmarks, without a warning.
#[deny(warnings)]
mod attributed {
    use tourbillon::bench;

    #[bench]
    #[inline]
    fn inlined() {}

    #[inline(always)]
    #[bench]
    fn always() {}

    #[bench]
    #[unsafe(no_mangle)]
    extern "C" fn tourbillon_attributed_no_mangle() {}

    #[unsafe(export_name = "tourbillon_attributed_exported")]
    #[bench]
    extern "C" fn exported() {}

    #[bench]
    #[cold]
    #[track_caller]
    const fn others() {}
}

fn main() -> std::process::ExitCode {
    tourbillon::main()
}
