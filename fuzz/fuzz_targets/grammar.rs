//! Any bytes: the grammar accepts them just if strict mode does.

#![no_main]

use std::cell::RefCell;

use apply_patch::format::{Options, parse};
use apply_patch::grammar::LARK;
use libfuzzer_sys::fuzz_target;
use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::{ApproximateTokEnv, TokEnv};
use llguidance::{Matcher, ParserFactory};

thread_local! {
    /// The grammar read byte by byte, and the token that ends a text.
    static GRAMMAR: RefCell<(Matcher, u32)> = RefCell::new(grammar());
}

fn grammar() -> (Matcher, u32) {
    let bytes: TokEnv = ApproximateTokEnv::single_byte_env();
    let factory = ParserFactory::new_simple(&bytes).expect("a factory");
    let matcher = Matcher::new(factory.create_parser(TopLevelGrammar::from_lark(LARK.to_owned())));
    (matcher, bytes.tok_trie().eos_token())
}

fn grammar_accepts(text: &[u8]) -> bool {
    GRAMMAR.with_borrow_mut(|(matcher, end)| {
        let tokens: Vec<u32> = text.iter().map(|byte| u32::from(*byte)).chain([*end]).collect();
        matcher.validate_tokens(&tokens).expect("tokens of one byte") == tokens.len()
    })
}

fuzz_target!(|text: &[u8]| {
    let options = Options { strict: true, ..Options::default() };
    let strict = str::from_utf8(text).is_ok_and(|text| parse(text, &options).errors.is_empty());
    assert_eq!(grammar_accepts(text), strict);
});
