//! The grammar accepts what strict mode accepts, and nothing else.

use std::cell::RefCell;
use std::fs;
use std::path::Path;

use apply_patch::format::{Format, Options, ParseErrorKind, parse};
use apply_patch::grammar::lark;
use apply_patch::patch::Action;
use apply_patch::plan::HunkKind;
use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::{ApproximateTokEnv, TokEnv};
use llguidance::{Matcher, ParserFactory};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestRunner;
use walkdir::WalkDir;

use crate::cases;
use crate::patches::{nearly, patch, strict};

/// A grammar as an engine for constrained decoding reads it, byte by byte.
struct Engine {
    matcher: Matcher,
    end: u32,
}

impl Engine {
    fn new(format: Format, without: &[HunkKind]) -> Self {
        let lark = lark(format, without).unwrap();
        let bytes: TokEnv = ApproximateTokEnv::single_byte_env();
        let factory = ParserFactory::new_simple(&bytes).unwrap();
        let matcher = Matcher::new(factory.create_parser(TopLevelGrammar::from_lark(lark)));
        assert_eq!(matcher.get_error(), None);
        Engine { matcher, end: bytes.tok_trie().eos_token() }
    }

    fn accepts(&mut self, text: &[u8]) -> bool {
        let tokens: Vec<u32> = text.iter().map(|byte| u32::from(*byte)).chain([self.end]).collect();
        let accepted = self.matcher.validate_tokens(&tokens).unwrap();
        accepted == tokens.len()
    }
}

/// The grammar of the envelope, without some of its parts.
struct Grammar {
    engine: Engine,
    without: Vec<HunkKind>,
}

impl Grammar {
    fn new(without: &[HunkKind]) -> Self {
        Grammar { engine: Engine::new(Format::Envelope, without), without: without.to_vec() }
    }

    fn accepts(&mut self, text: &[u8]) -> bool {
        self.engine.accepts(text)
    }

    /// Whether strict mode takes the text, and it has none of the parts that are left out.
    fn is_wanted(&self, text: &[u8]) -> bool {
        let Ok(text) = str::from_utf8(text) else { return false };
        let parsed = strict(text);
        let has = |kind: &HunkKind| {
            parsed.patch.hunks.iter().any(|hunk| match kind {
                HunkKind::Add => matches!(hunk.action, Action::Add(_)),
                HunkKind::Delete => matches!(hunk.action, Action::Delete),
                HunkKind::Move => matches!(hunk.action, Action::Update { move_to: Some(_), .. }),
                _ => false,
            })
        };
        parsed.errors.is_empty() && !self.without.iter().any(has)
    }

    /// Says what the two differ about, if they do.
    fn disagreement(&mut self, text: &[u8]) -> Option<String> {
        let (grammar, wanted) = (self.accepts(text), self.is_wanted(text));
        let shown = String::from_utf8_lossy(text);
        let errors = strict(&shown).errors;
        (grammar != wanted).then(|| {
            format!(
                "grammar without {:?}: {grammar}; strict mode: {wanted} {errors:?}\n{text:?}\n{shown}",
                self.without
            )
        })
    }
}

/// The bytes that change the meaning of a line most.
const TELLING: &[u8] = b"*@+- \n\r\t:a\xc2\x85\x00";

/// White space, and what only looks like it.
const SPACES: &[&str] = &[
    " ", "\t", "\r", "\u{b}", "\u{c}", "\u{1c}", "\u{1f}", "\u{85}", "\u{a0}", "\u{1680}", "\u{180e}",
    "\u{2000}", "\u{200a}", "\u{200b}", "\u{2028}", "\u{2029}", "\u{202f}", "\u{205f}", "\u{3000}",
    "\u{feff}",
];

/// A small change to a text.
#[derive(Debug, Clone)]
enum Mutation {
    Change(Index, u8),
    Drop(Index),
    Insert(Index, u8),
    /// At an end of what a line names.
    Space(Index, &'static str),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let at = any::<Index>;
    let byte = || prop_oneof![4 => select(TELLING), 1 => any::<u8>()];
    prop_oneof![
        (at(), byte()).prop_map(|(at, byte)| Mutation::Change(at, byte)),
        at().prop_map(Mutation::Drop),
        (at(), byte()).prop_map(|(at, byte)| Mutation::Insert(at, byte)),
        (at(), select(SPACES)).prop_map(|(at, space)| Mutation::Space(at, space)),
    ]
}

impl Mutation {
    fn apply(&self, text: &str) -> Vec<u8> {
        let mut bytes = text.as_bytes().to_vec();
        match self {
            Mutation::Change(at, byte) if !bytes.is_empty() => {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            Mutation::Drop(at) if !bytes.is_empty() => drop(bytes.remove(at.index(bytes.len()))),
            Mutation::Insert(at, byte) => bytes.insert(at.index(bytes.len() + 1), *byte),
            Mutation::Space(at, space) => {
                let behind =
                    text.match_indices(": ").chain(text.match_indices("@@ ")).map(|(at, it)| at + it.len());
                let before = text.match_indices('\n').map(|(at, _)| at);
                let ends: Vec<usize> = behind.chain(before).chain([text.len()]).collect();
                let end = *at.get(&ends);
                bytes.splice(end..end, space.bytes());
            }
            Mutation::Change(..) | Mutation::Drop(_) => {}
        }
        bytes
    }
}

/// Every way of leaving parts out.
fn variants() -> Vec<Grammar> {
    let parts = [HunkKind::Add, HunkKind::Delete, HunkKind::Move];
    let chosen = |mask: usize| -> Vec<HunkKind> {
        (0..parts.len()).filter(|nth| mask & (1 << nth) != 0).map(|nth| parts[nth]).collect()
    };
    (0..8).map(|mask| Grammar::new(&chosen(mask))).collect()
}

/// On generated texts, and on eight mutations of each. `TIMES=280` makes it a million texts.
#[test]
fn the_grammar_is_what_strict_mode_accepts() {
    let grammars = RefCell::new(variants());
    let texts = prop_oneof![patch().prop_map(|patch| patch.to_string()), nearly()];
    let mut runner = TestRunner::new(cases(400));
    let ran = runner.run(&(texts, vec(mutation(), 8)), |(text, mutations)| {
        let mutated = mutations.iter().map(|mutation| mutation.apply(&text));
        for text in mutated.chain([text.clone().into_bytes()]) {
            // One variant a text is enough: each text is as good for any.
            let grammars = &mut *grammars.borrow_mut();
            let variant = if text.len() % 2 == 0 { 0 } else { text.len() % grammars.len() };
            prop_assert_eq!(grammars[variant].disagreement(&text), None);
        }
        Ok(())
    });
    assert!(ran.is_ok(), "{}", ran.unwrap_err());
}

#[test]
fn the_grammar_is_what_strict_mode_accepts_on_every_fixture() {
    let mut grammars = variants();
    let mut accepted = 0;
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    for entry in WalkDir::new(fixtures).into_iter().filter_map(Result::ok) {
        if entry.file_name() == "patch.txt" {
            let text = fs::read(entry.path()).unwrap();
            for grammar in &mut grammars {
                assert_eq!(grammar.disagreement(&text), None, "{}", entry.path().display());
            }
            accepted += usize::from(grammars[0].accepts(&text));
        }
    }
    assert!(accepted > 100, "{accepted} of the fixtures are strict grammar");
}

/// Whether strict mode takes a text as SEARCH/REPLACE blocks. That a block changes nothing is no matter of grammar.
fn is_block_text(text: &[u8]) -> bool {
    let options = Options::default().with_format(Format::SearchReplace).with_strict(true);
    let Ok(text) = str::from_utf8(text) else { return false };
    parse(text, &options).errors.iter().all(|error| error.kind == ParseErrorKind::SameText)
}

/// Lines of blocks, and some that are nearly so.
const BLOCK_LINES: &[&str] = &[
    "<<<<<<< SEARCH",
    "=======",
    ">>>>>>> REPLACE",
    "a.py",
    "<<<<",
    "=====",
    "----------",
    "\\=======",
    ":start_line:3",
    "",
    " ",
    "    x = 1",
    "- item",
    "`a.py`",
    "{a.py",
    "<<<<<<< HEAD",
];

/// A text of blocks, with a line here and there that is none of theirs.
fn block_text() -> impl Strategy<Value = String> {
    let line = || select(&BLOCK_LINES[8..14]);
    let block = (any::<bool>(), vec(line(), 0..3), vec(line(), 0..3)).prop_map(|(named, old, new)| {
        let name = named.then_some("src/a.py");
        let lines = name.into_iter().chain([BLOCK_LINES[0]]).chain(old).chain([BLOCK_LINES[1]]);
        lines.chain(new).chain([BLOCK_LINES[2]]).collect::<Vec<_>>()
    });
    let odd = proptest::option::weighted(0.3, (any::<Index>(), select(BLOCK_LINES)));
    let ends = (select(&["\n", "\r\n"][..]), any::<bool>());
    (vec(block, 1..4), odd, ends).prop_map(|(blocks, odd, (end, closed))| {
        let mut lines: Vec<&str> = vec!["b.py"];
        lines.extend(blocks.concat());
        if lines[1] == "src/a.py" {
            lines.remove(0);
        }
        if let Some((at, line)) = odd {
            lines.insert(at.index(lines.len() + 1), line);
        }
        let text = lines.join(end);
        if closed { text + end } else { text }
    })
}

/// On generated texts, and on eight mutations of each.
#[test]
fn the_grammar_of_blocks_is_what_strict_mode_accepts() {
    let engine = RefCell::new(Engine::new(Format::SearchReplace, &[]));
    let accepted = RefCell::new(0);
    let mut runner = TestRunner::new(cases(400));
    let ran = runner.run(&(block_text(), vec(mutation(), 8)), |(text, mutations)| {
        let mutated = mutations.iter().map(|mutation| mutation.apply(&text));
        for text in mutated.chain([text.clone().into_bytes()]) {
            let accepts = engine.borrow_mut().accepts(&text);
            *accepted.borrow_mut() += usize::from(accepts);
            prop_assert_eq!(accepts, is_block_text(&text), "{:?}", String::from_utf8_lossy(&text));
        }
        Ok(())
    });
    assert!(ran.is_ok(), "{}", ran.unwrap_err());
    assert!(*accepted.borrow() > 200, "{} texts are blocks", accepted.borrow());
}

#[test]
fn the_grammar_of_blocks_is_what_strict_mode_accepts_on_every_fixture() {
    let mut engine = Engine::new(Format::SearchReplace, &[]);
    let mut accepted = 0;
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    for entry in WalkDir::new(fixtures).into_iter().filter_map(Result::ok) {
        if entry.file_name() == "patch.txt" {
            let text = fs::read(entry.path()).unwrap();
            assert_eq!(engine.accepts(&text), is_block_text(&text), "{}", entry.path().display());
            accepted += usize::from(is_block_text(&text));
        }
    }
    assert!(accepted > 10, "{accepted} of the fixtures are strict blocks");
}
