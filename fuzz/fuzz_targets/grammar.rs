//! Any bytes: the grammar of a format accepts them just if strict mode does. The first byte says which format.

#![no_main]

use std::cell::RefCell;

use apply_patch::format::{Format, Options, ParseError, ParseErrorKind, parse};
use apply_patch::grammar::lark;
use libfuzzer_sys::fuzz_target;
use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::{ApproximateTokEnv, TokEnv};
use llguidance::{Matcher, ParserFactory};

thread_local! {
    static ENVELOPE: RefCell<Grammar> = RefCell::new(Grammar::new(Format::Envelope));
    static BLOCKS: RefCell<Grammar> = RefCell::new(Grammar::new(Format::SearchReplace));
}

/// A grammar read byte by byte, and the token that ends a text.
struct Grammar {
    matcher: Matcher,
    end: u32,
}

impl Grammar {
    fn new(format: Format) -> Self {
        let lark = lark(format, &[]).expect("a grammar");
        let bytes: TokEnv = ApproximateTokEnv::single_byte_env();
        let factory = ParserFactory::new_simple(&bytes).expect("a factory");
        let matcher = Matcher::new(factory.create_parser(TopLevelGrammar::from_lark(lark)));
        Grammar { matcher, end: bytes.tok_trie().eos_token() }
    }

    fn accepts(&mut self, text: &[u8]) -> bool {
        let tokens: Vec<u32> = text.iter().map(|byte| u32::from(*byte)).chain([self.end]).collect();
        self.matcher.validate_tokens(&tokens).expect("tokens of one byte") == tokens.len()
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((how, text)) = data.split_first() else { return };
    let (format, grammar) = match how % 2 {
        0 => (Format::Envelope, &ENVELOPE),
        _ => (Format::SearchReplace, &BLOCKS),
    };
    let options = Options::default().with_format(format).with_strict(true);
    // That a block changes nothing is no matter of grammar.
    let is_grammar = |error: &ParseError| error.kind != ParseErrorKind::SameText;
    let strict = str::from_utf8(text).is_ok_and(|text| !parse(text, &options).errors.iter().any(is_grammar));
    assert_eq!(grammar.with_borrow_mut(|grammar| grammar.accepts(text)), strict);
});
