//! A client that writes requests to the server and reads its answers.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A running server.
pub(crate) struct Client {
    pub(crate) server: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: u64,
    /// Whether each request contains the version and the capabilities, as the revision 2026-07-28 has it.
    stateless: bool,
}

impl Client {
    /// Starts a server that works in a directory.
    pub(crate) fn start(dir: &Path, args: &[&str]) -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_apply-patch-mcp"))
            .args(args)
            .current_dir(dir)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = server.stdin.take();
        let output = BufReader::new(server.stdout.take().unwrap());
        Client { server, input, output, next: 0, stateless: false }
    }

    /// Starts a server, and shakes hands as the revisions up to 2025-11-25 have it.
    pub(crate) fn with_handshake(dir: &Path, args: &[&str]) -> Self {
        let mut client = Self::start(dir, args);
        let answer = client.request("initialize", initialize());
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{answer}");
        client.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    /// Starts a server that gets no handshake.
    pub(crate) fn stateless(dir: &Path, args: &[&str]) -> Self {
        let mut client = Self::start(dir, args);
        client.stateless = true;
        client
    }

    /// Writes a request, and returns the id that the answer will have.
    pub(crate) fn send(&mut self, method: &str, mut params: Value) -> u64 {
        self.next += 1;
        if self.stateless {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        self.write(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}));
        self.next
    }

    fn write(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    /// Reads the next answer.
    pub(crate) fn read(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// Writes a request, and reads its answer.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        let answer = self.read();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Calls a tool, and returns its result.
    #[allow(clippy::needless_pass_by_value, reason = "every caller makes the value for the call")]
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let mut answer = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].take()
    }

    /// Calls a tool that is to accept the call, and returns its text.
    pub(crate) fn accepted(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{result}");
        text(&result)
    }

    /// Calls a tool that is to refuse the call, and returns its text.
    pub(crate) fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        text(&result)
    }

    /// Closes the input, and waits for the end of the server.
    pub(crate) fn close(mut self) {
        self.input = None;
        assert!(self.server.wait().unwrap().success());
    }
}

/// The parameters of a handshake.
pub(crate) fn initialize() -> Value {
    json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}})
}

/// The first text of a result.
pub(crate) fn text(result: &Value) -> String {
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
