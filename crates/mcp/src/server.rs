//! The server: which requests it answers, and with what.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};

use crate::answer;
use crate::args::Args;
use crate::call::{Call, Places, arguments};
use crate::tools::{self, APPLY_PATCH, EDIT_FILE};

/// What a client needs to know of patches. A third of the instructions that the command gives, because hosts send the text
/// with each conversation, and some of them cut it off.
const INSTRUCTIONS: &str = include_str!("instructions.md");

/// Answers the requests of one client. It has no state of a session: every call contains all that it needs.
#[derive(Debug)]
pub(crate) struct Server {
    places: Arc<Places>,
    tools: Vec<Tool>,
    structured: bool,
    budget: usize,
}

impl Server {
    /// Makes a server for the directories of the arguments.
    ///
    /// # Errors
    /// That a directory cannot be opened.
    pub(crate) fn new(args: &Args) -> Result<Self, Box<dyn std::error::Error>> {
        let places = Places { root: args.root.clone(), further: args.add_root.clone() };
        places.open()?;
        let tools = tools::all(args.structured)?;
        Ok(Server { places: Arc::new(places), tools, structured: args.structured, budget: args.budget })
    }

    /// Reads the arguments of a call. `None`: there is no such tool.
    fn read(request: CallToolRequestParams) -> Option<Result<Call, String>> {
        match &*request.name {
            APPLY_PATCH => Some(arguments(request.arguments).map(Call::ApplyPatch)),
            EDIT_FILE => Some(arguments(request.arguments).map(Call::EditFile)),
            _ => None,
        }
    }

    /// Runs a call on a thread of its own, so that other requests are answered meanwhile.
    async fn run(&self, call: Call) -> Result<CallToolResult, ErrorData> {
        let (places, budget, structured) = (Arc::clone(&self.places), self.budget, self.structured);
        let run = move || answer::of_report(&call.run(&places), budget, structured);
        tokio::task::spawn_blocking(run)
            .await
            .map_err(|error| ErrorData::internal_error(format!("the call did not end: {error}"), None))
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let name = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(name.with_title("apply-patch"))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.clone()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.clone();
        let result = match Self::read(request) {
            Some(Ok(call)) => self.run(call).await?,
            Some(Err(error)) => answer::of_wrong_arguments(&name, &error, self.structured),
            None => return Err(ErrorData::invalid_params(format!("unknown tool: {name:?}"), None)),
        };
        Ok(result.into())
    }
}
