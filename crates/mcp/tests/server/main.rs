//! The server as a client meets it: a process that reads requests and writes answers.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may do both")]

mod client;
mod protocol;
mod reliability;
