//! Shows an edit while it is still being written.
//!
//! Reads a patch from standard input as it arrives, and prints a line as soon as it is complete:
//!
//! ```sh
//! while IFS= read -r line; do printf '%s\n' "$line"; sleep 0.1; done <examples/quickstart.patch | cargo run --example stream
//! ```

use std::io::{self, Read, Write};

use apply_patch::format::{Event, Options, Stream};
use apply_patch::patch::Action;

fn main() -> io::Result<()> {
    let mut stream = Stream::new(&Options::default());
    let mut piece = [0; 4096];
    loop {
        let read = io::stdin().lock().read(&mut piece)?;
        if read == 0 {
            break;
        }
        let mut shown = String::new();
        stream.feed(&piece[..read], &mut |event| shown += &line(&event));
        io::stdout().write_all(shown.as_bytes())?;
        io::stdout().flush()?;
    }
    let mut shown = String::new();
    stream.finish(&mut |event| shown += &line(&event));
    io::stdout().write_all(shown.as_bytes())
}

/// What a person sees of an event: a line, or nothing.
fn line(event: &Event<'_>) -> String {
    match event {
        Event::HunkBegun(hunk) => match &hunk.action {
            Action::Add(_) => format!("new {}\n", hunk.path),
            Action::Copy { to, .. } => format!("new {}\n", to.path),
            Action::Delete | Action::DeleteQuoted(_) => format!("gone {}\n", hunk.path),
            _ => format!("changed {}\n", hunk.path),
        },
        Event::MovedTo(target) => format!("  now {}\n", target.path),
        Event::ChunkBegun { .. } => "  ⋯\n".to_owned(),
        Event::Header(header) => format!("  under {}\n", header.text),
        Event::Line(line) => format!("  {}{}\n", line.kind.sign(), line.text),
        Event::Repaired(repair) => format!("  ({repair})\n"),
        Event::Error(error) => format!("! {error}\n"),
        _ => String::new(),
    }
}
