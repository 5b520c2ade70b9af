//! `apply-patch-mcp`: serves the edits of apply-patch to a client of the Model Context Protocol, over standard input and
//! output.

mod answer;
mod args;
mod call;
mod server;
mod tools;

use std::process::ExitCode;

use clap::Parser;
use rmcp::ServiceExt;
use rmcp::transport::stdio_pipes;

use crate::args::Args;
use crate::server::Server;

fn main() -> ExitCode {
    let args = Args::parse();
    match Server::new(&args).map_err(|error| error.to_string()).and_then(serve) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error);
            ExitCode::FAILURE
        }
    }
}

/// Answers requests until the client closes the input. A call that is being answered at that moment is finished first.
fn serve(server: Server) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| format!("no thread could be started: {error}"))?.block_on(async {
        let running = match server.serve(stdio_pipes()).await {
            Ok(running) => running,
            // The client went away before its first request.
            Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(error.to_string()),
        };
        running.waiting().await.map(|_| ()).map_err(|error| error.to_string())
    })
}

/// Writes a message for a person. Standard output belongs to the protocol.
#[allow(clippy::print_stderr, reason = "hosts show what a server writes there")]
fn report(message: &str) {
    eprintln!("apply-patch-mcp: {message}");
}
