//! Pictures and pages as readers of XML and of HTML see them.

mod golden;
mod hostile;
mod outcomes;
mod overlaps;
mod samples;
