//! Every sentence of a report, one file for each enum that it puts into words.

mod difference;
mod doubt;
mod drift;
mod miss;
