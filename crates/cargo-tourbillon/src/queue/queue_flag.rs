//! Where the queue is.

use std::env;

use clap::Args;
use tourbillon_index::ServerAddress;
use tourbillon_index::queue::{Patience, Queue};

use crate::exit::Stop;
use crate::server;

/// The variable that names the server.
const VARIABLE: &str = "TOURBILLON_QUEUE";

#[derive(Clone, Debug, Args)]
pub(super) struct QueueFlag {
    /// Server of the queue: postgres://USER@HOST/DATABASE [TOURBILLON_QUEUE]
    #[arg(long, value_name = "URL", global = true)]
    queue: Option<String>,
}

impl QueueFlag {
    pub(super) fn address(&self) -> Result<ServerAddress, Stop> {
        if let Some(url) = &self.queue {
            return server::address("--queue", url, VARIABLE);
        }
        match env::var(VARIABLE) {
            Ok(url) if !url.is_empty() => server::address(VARIABLE, &url, VARIABLE),
            _ => Err(Stop::Usage(format!(
                "the queue is not named; set {VARIABLE} or write --queue postgres://USER@HOST/DATABASE"
            ))),
        }
    }

    pub(super) fn open(&self) -> Result<Queue, Stop> {
        Ok(Queue::open(&self.address()?, Patience::default())?)
    }
}
