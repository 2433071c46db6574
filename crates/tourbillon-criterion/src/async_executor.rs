//! Executors of [`Bencher::to_async`](crate::Bencher::to_async).

/// Runs futures to their end.
pub trait AsyncExecutor {
    /// Runs `future` on this thread until it is ready.
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T;
}

/// An executor without a runtime: polls a future, and parks the thread until it is woken.
#[cfg(feature = "async_futures")]
#[derive(Clone, Copy, Debug)]
pub struct FuturesExecutor;

#[cfg(feature = "async_futures")]
impl AsyncExecutor for FuturesExecutor {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        tourbillon_engine::Executor::block_on(&tourbillon_engine::BlockOn, future)
    }
}

/// The executor of the crate `smol`.
#[cfg(feature = "async_smol")]
#[derive(Clone, Copy, Debug)]
pub struct SmolExecutor;

#[cfg(feature = "async_smol")]
impl AsyncExecutor for SmolExecutor {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        smol::block_on(future)
    }
}

/// An executor for futures of the crate `async-std`, whose runtime has threads of its own.
#[cfg(feature = "async_std")]
#[derive(Clone, Copy, Debug)]
pub struct AsyncStdExecutor;

#[cfg(feature = "async_std")]
impl AsyncExecutor for AsyncStdExecutor {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        tourbillon_engine::Executor::block_on(&tourbillon_engine::BlockOn, future)
    }
}

#[cfg(feature = "async_tokio")]
mod of_tokio {
    use tokio::runtime::{Handle, Runtime};

    use super::AsyncExecutor;

    impl AsyncExecutor for Runtime {
        fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
            Runtime::block_on(self, future)
        }
    }

    impl AsyncExecutor for &Runtime {
        fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
            Runtime::block_on(self, future)
        }
    }

    impl AsyncExecutor for Handle {
        fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
            Handle::block_on(self, future)
        }
    }

    impl AsyncExecutor for &Handle {
        fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
            Handle::block_on(self, future)
        }
    }
}
