//! What is awaited: on tokio, on the executor of smol and without a runtime.
//!
//! `ready` is a future that never waits: what an executor adds to it, which is nothing, because it is
//! entered once for a batch. `give_way` hands the thread back to the executor once. `ask` sends a
//! question to a task that runs on the same executor and awaits its answer; the task is part of the
//! set-up, which is awaited before the clock starts.

use std::process::ExitCode;

use async_channel::{Receiver, Sender};
use async_executor::LocalExecutor;
use futures_lite::future;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{mpsc, oneshot};
use tourbillon::{Bencher, BlockOn, Executor, bench};

fn main() -> ExitCode {
    tourbillon::main()
}

/// All it takes to measure on tokio.
struct Tokio(Runtime);

impl Tokio {
    fn new() -> Result<Self, String> {
        let runtime = Builder::new_current_thread().build();
        Ok(Self(runtime.map_err(|error| {
            format!("the runtime cannot be built: {error}")
        })?))
    }
}

impl Executor for Tokio {
    fn block_on<F: Future>(&self, future: F) -> F::Output {
        self.0.block_on(future)
    }
}

/// The same for smol: its tasks run while this thread waits. Nothing here waits for input or output; what
/// does needs `smol::block_on`, which starts a thread for that.
struct Smol(LocalExecutor<'static>);

impl Executor for Smol {
    fn block_on<F: Future>(&self, future: F) -> F::Output {
        future::block_on(self.0.run(future))
    }
}

/// What a question costs the side that answers it.
fn answer(question: u64) -> u64 {
    question.rotate_left(7) ^ 0x5555
}

#[bench(group = "ready")]
fn ready_block_on(b: Bencher<'_>) {
    b.iter_async(BlockOn, async || answer(1));
}

#[bench(group = "ready")]
fn ready_tokio(b: Bencher<'_>) -> Result<(), String> {
    b.iter_async(Tokio::new()?, async || answer(1));
    Ok(())
}

#[bench(group = "ready")]
fn ready_smol(b: Bencher<'_>) {
    b.iter_async(Smol(LocalExecutor::new()), async || answer(1));
}

#[bench(group = "give_way")]
fn give_way_block_on(b: Bencher<'_>) {
    b.iter_async(BlockOn, future::yield_now);
}

#[bench(group = "give_way")]
fn give_way_tokio(b: Bencher<'_>) -> Result<(), String> {
    b.iter_async(Tokio::new()?, tokio::task::yield_now);
    Ok(())
}

#[bench(group = "give_way")]
fn give_way_smol(b: Bencher<'_>) {
    let executor = Smol(LocalExecutor::new());
    b.iter_async(executor, future::yield_now);
}

/// A question and the place for its answer.
type Asked = (u64, oneshot::Sender<u64>);

/// Starts the task that answers, and asks it once.
async fn tokio_answers() -> mpsc::Sender<Asked> {
    let (ask, mut asked) = mpsc::channel::<Asked>(1);
    tokio::spawn(async move {
        while let Some((question, back)) = asked.recv().await {
            // The asking task may be gone.
            let _ = back.send(answer(question));
        }
    });
    assert_eq!(asks_tokio(&ask).await, answer(42));
    ask
}

async fn asks_tokio(ask: &mpsc::Sender<Asked>) -> u64 {
    let (back, answered) = oneshot::channel();
    ask.send((42, back)).await.expect("the task runs");
    answered.await.expect("the task answers")
}

#[bench(group = "ask")]
fn ask_tokio(b: Bencher<'_>) -> Result<(), String> {
    let executor = Tokio::new()?;
    let ask = executor.block_on(tokio_answers());
    b.iter_async(&executor, async || asks_tokio(&ask).await);
    Ok(())
}

/// Starts the task that answers, and asks it once.
async fn smol_answers(executor: &LocalExecutor<'_>) -> (Sender<u64>, Receiver<u64>) {
    let (ask, asked) = async_channel::bounded(1);
    let (answers, answered) = async_channel::bounded(1);
    let task = executor.spawn(async move {
        while let Ok(question) = asked.recv().await {
            // The asking task may be gone.
            let _ = answers.send(answer(question)).await;
        }
    });
    task.detach();
    assert_eq!(asks_smol(&ask, &answered).await, answer(42));
    (ask, answered)
}

async fn asks_smol(ask: &Sender<u64>, answered: &Receiver<u64>) -> u64 {
    ask.send(42).await.expect("the task runs");
    answered.recv().await.expect("the task answers")
}

#[bench(group = "ask")]
fn ask_smol(b: Bencher<'_>) {
    let executor = Smol(LocalExecutor::new());
    let (ask, answered) = executor.block_on(smol_answers(&executor.0));
    b.iter_async(&executor, async || asks_smol(&ask, &answered).await);
}
