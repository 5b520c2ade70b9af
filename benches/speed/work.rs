//! The work that is measured, each piece with what it needs made beforehand.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::hint::black_box;

use apply_patch::baseline::cascade::REPLACERS;
use apply_patch::format::{Options, Stream, parse};
use apply_patch::plan::{self, plan};
use camino::Utf8PathBuf;

/// Something to do, again and again.
pub(crate) type Work = Box<dyn Fn()>;

/// The work of this name at this size; what the size counts says the name.
pub(crate) fn work(name: &str, size: usize) -> Option<Work> {
    let (kind, case) = name.split_once('/').unwrap_or((name, ""));
    match kind {
        "count-lines" => Some(count_lines(size)),
        "split-and-hash" => Some(split_and_hash(size)),
        "parse" => Some(parsing(size, case == "strict")),
        "stream" => Some(streaming(size)),
        "place" => placing(case, size),
        "hostile" => hostile(case, size),
        "replacer" => replacer(case, size),
        _ => None,
    }
}

/// A source file of so many lines, with words that stand once and lines that stand everywhere.
pub(crate) fn source(lines: usize) -> String {
    let mut text = String::new();
    for nth in 0..lines / 10 {
        let _ = writeln!(
            text,
            "    /// Counts what the step {nth} has seen.\n    fn step_{nth}(&mut self, input: &Input) -> Option<Output> {{\n        let value = self.values.get(&input.key_{nth})?;\n        if value.is_empty() {{\n            return None;\n        }}\n        self.count += {nth};\n        Some(Output::new(value, \"step {nth}\"))\n    }}\n"
        );
    }
    text
}

/// A patch of many files, with about so many bytes.
pub(crate) fn envelope(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 4096);
    text.push_str("*** Begin Patch\n");
    for nth in 0.. {
        if text.len() >= bytes {
            break;
        }
        let _ = writeln!(text, "*** Update File: src/module_{nth}/handler.rs");
        for line in 0..20 {
            let _ = writeln!(
                text,
                "@@ fn step_{line}(&mut self, input: &Input) -> Result<Output, Error> {{\n         let value = self.values.get(&input.key)?;\n \n-        self.count += {line};\n+        self.count += {nth};\n         Ok(value)"
            );
        }
        let _ =
            writeln!(text, "*** Add File: docs/module_{nth}.md\n+# Module {nth}\n+\n+It handles one step.");
    }
    text.push_str("*** End Patch\n");
    text
}

/// Finding every line of a patch of so many bytes, as a parser has to: the floor of parsing.
fn count_lines(bytes: usize) -> Work {
    let text = envelope(bytes);
    Box::new(move || {
        let mut rest = text.as_bytes();
        let mut lines = 0;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            rest = &rest[end + 1..];
            lines += 1;
        }
        black_box(lines);
    })
}

/// Splitting a file of so many lines and hashing each: the floor of finding a quote.
fn split_and_hash(lines: usize) -> Work {
    let text = source(lines);
    Box::new(move || {
        let hash = |line: &[u8]| {
            let mut hasher = DefaultHasher::new();
            line.hash(&mut hasher);
            hasher.finish()
        };
        let hashes: Vec<u64> = text.as_bytes().split_inclusive(|byte| *byte == b'\n').map(hash).collect();
        black_box(hashes);
    })
}

fn parsing(bytes: usize, strict: bool) -> Work {
    let text = envelope(bytes);
    let options = Options::default().with_strict(strict);
    Box::new(move || {
        let parsed = parse(&text, &options);
        assert!(parsed.errors.is_empty());
        black_box(parsed);
    })
}

/// The same in pieces of 16 bytes, about what a model writes at a time.
fn streaming(bytes: usize) -> Work {
    let text = envelope(bytes);
    Box::new(move || {
        let mut events = 0;
        let mut stream = Stream::new(&Options::default());
        text.as_bytes().chunks(16).for_each(|piece| {
            stream.feed(piece, &mut |event| {
                black_box(&event);
                events += 1;
            });
        });
        stream.finish(&mut |_| events += 1);
        black_box(events);
    })
}

/// How a chunk in the middle of a file of so many lines is quoted, by the name of the case, and whether it has a place; `#`
/// is the number of its step.
const QUOTES: &[(&str, bool, &str)] = &[
    (
        "exact",
        true,
        "         if value.is_empty() {\n             return None;\n         }\n-        self.count += #;\n+        self.count += 0;\n         Some(Output::new(value, \"step #\"))\n",
    ),
    (
        "line-ends",
        true,
        "         if value.is_empty() {  \n             return None;\n         }\n-        self.count += #;\n+        self.count += 0;\n         Some(Output::new(value, \"step #\"))\n",
    ),
    (
        "indentation",
        true,
        "     if value.is_empty() {\n         return None;\n     }\n-    self.count += #;\n+    self.count += 0;\n     Some(Output::new(value, \"step #\"))\n",
    ),
    (
        "look-alikes",
        true,
        "         if value.is_empty() {\n             return None;\n         }\n-        self.count += #;\n+        self.count += 0;\n         Some(Output::new(value, “step #”))\n",
    ),
    (
        "spelling",
        true,
        "         if  value.is_empty() {\n             return None;\n         }\n-        self.count += #;\n+        self.count += 0;\n         Some(Output::new(value, \"step #\"))\n",
    ),
    (
        "typo",
        true,
        "         let valeu = self.values.get(&input.key_#)?;\n         if value.is_empty() {\n             return None;\n         }\n-        self.count += #;\n+        self.count += 0;\n         Some(Output::new(value, \"step #\"))\n",
    ),
    (
        "line-missing",
        true,
        "         let value = self.values.get(&input.key_#)?;\n         if value.is_empty() {\n         }\n-        self.count += #;\n+        self.count += 0;\n         Some(Output::new(value, \"step #\"))\n",
    ),
    (
        "nowhere",
        false,
        "         let total = cart.sum(&discount)?;\n         for item in cart.items() {\n-            total -= item.price;\n+            total += item.price;\n         }\n",
    ),
];

/// The names of the cases of placing.
pub(crate) fn placings() -> impl Iterator<Item = &'static str> {
    QUOTES.iter().map(|(name, ..)| *name).chain([LONG_QUOTE])
}

/// A quote of 200 lines that is nowhere, each line like some of the file.
const LONG_QUOTE: &str = "nowhere-long";

fn placing(case: &str, lines: usize) -> Option<Work> {
    if case == LONG_QUOTE {
        let quoted = (0..200).map(|nth| format!("         let total_{nth} = cart.sum(&discount_{nth})?;\n"));
        let chunk = quoted.chain(["-        total -= item.price;\n".to_owned()]).collect::<String>();
        return Some(planning(source(lines), &chunk, false));
    }
    let (_, fits, chunk) = QUOTES.iter().find(|(name, ..)| *name == case)?;
    let chunk = chunk.replace('#', &(lines / 20).to_string());
    Some(planning(source(lines), &chunk, *fits))
}

/// Planning a patch with these chunks against a file in memory.
fn planning(file: String, chunks: &str, fits: bool) -> Work {
    let files = BTreeMap::from([(Utf8PathBuf::from("a.rs"), file.into_bytes())]);
    let patch = format!("*** Begin Patch\n*** Update File: a.rs\n@@\n{chunks}*** End Patch\n");
    Box::new(move || {
        let parsed = parse(&patch, &Options::default());
        let planned = plan(&parsed.patch, &files, &plan::Options::default());
        assert_eq!(planned.is_ok(), fits, "{patch}");
        let _ = black_box(planned);
    })
}

/// The shapes on which matchers blow up, for files of so many lines.
pub(crate) const HOSTILE: &[&str] = &[
    "equal-lines",
    "equal-but-last",
    "only-trimmed",
    "absent-headers",
    "blank-runs",
    "one-line",
    "alternating",
    "whole-but-last",
];

fn hostile(case: &str, size: usize) -> Option<Work> {
    let quote = |line: &str, times: usize| format!(" {line}\n").repeat(times);
    let change = "-gone\n+come\n";
    Some(match case {
        "equal-lines" => planning("same\n".repeat(size), &(quote("same", 20) + "-same\n+other\n"), false),
        "equal-but-last" => planning("same\n".repeat(size), &(quote("same", size / 100) + change), false),
        "only-trimmed" => planning("  same  \n".repeat(size), &(quote("same", 20) + change), false),
        "absent-headers" => {
            let chunks: Vec<String> =
                (0..size / 10).map(|nth| format!("@@ absent {nth}\n line {nth}\n-gone\n")).collect();
            planning(source(size), &chunks.concat(), false)
        }
        "blank-runs" => planning("\n".repeat(size) + "end\n", &(" \n".repeat(20) + change), false),
        "one-line" => planning("x".repeat(size * 50) + "\n", " xxxx\n-yyyy\n+zzzz\n", false),
        "alternating" => planning("a\nb\n".repeat(size / 2), &(" a\n b\n".repeat(10) + "-c\n+d\n"), false),
        "whole-but-last" => {
            let text = source(size);
            let quoted: String = text.split_inclusive('\n').flat_map(|line| [" ", line]).collect();
            planning(text, &(quoted + change), false)
        }
        _ => return None,
    })
}

/// One replacer of the cascade on a quote of four lines in the middle of a file of so many lines.
fn replacer(name: &str, lines: usize) -> Option<Work> {
    let (_, replacer) = REPLACERS.iter().find(|(known, _)| *known == name)?;
    let text = source(lines);
    let quote = format!("  if value.is_empty() {{\n  return None;\n  }}\n  self.count += {};", lines / 20);
    Some(Box::new(move || {
        black_box(replacer(&text, &quote).next());
    }))
}
