//! What lives as long as the process.

use std::mem::ManuallyDrop;

/// A value that is never freed.
///
/// A run needs what it has until its process ends. The code that frees it, part by part, and is called on
/// each way out of each function that holds it, would be compiled into every bench binary for nothing.
pub(crate) type Lasting<T> = ManuallyDrop<T>;
