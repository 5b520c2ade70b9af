//! What is known of programming and markup languages.
//!
//! No language is parsed. These are the signs and words by which a line of any language is recognized: comments, string literals,
//! brackets, blocks, sections, and what joins a line to the next. A sign means one thing in one language and another thing in the
//! next, so every answer may be wrong; the caller takes the careful way where a sign is unknown.

mod annotations;
mod blocks;
mod brackets;
mod comments;
mod conditions;
mod declarations;
mod depth;
mod dividers;
mod embedded;
mod fields;
mod heads;
mod joint;
mod literals;
mod marks;
mod sections;
mod statements;
mod words;

pub(crate) use self::annotations::has_more_types;
pub(crate) use self::blocks::{
    Block, begins_block, begins_branch, begins_condition, begins_control, closes, continues, defines_alone,
    has_control, is_about_next, is_about_opener, is_attribute, is_head_end, is_in_brackets, is_label,
    is_statement, may_hold_deeper, opens_body,
};
pub(crate) use self::brackets::{CLOSING, ends_in_opener, is_open, is_opening_bracket};
pub(crate) use self::comments::{
    before_comment, is_comment, is_comment_sign, may_be_comment, uncommented, without_comment,
    without_possible_comment,
};
pub(crate) use self::conditions::{is_operator, is_opposite};
pub(crate) use self::declarations::declares;
pub(crate) use self::depth::{depth_of_line, indentation_width};
pub(crate) use self::dividers::divides;
pub(crate) use self::embedded::{
    FENCES, heredoc_end, is_fence, is_make_directive, is_make_rule, long_literal_end, opened_conditionals,
    opens_yaml_text,
};
pub(crate) use self::fields::{field, naming_field};
pub(crate) use self::heads::{
    has_other_signs, has_title, is_one_name, is_signature_of, name_words, named_part, naming_arguments,
    parameters, title_words, without_parameters, without_type_parameters,
};
pub(crate) use self::joint::Joint;
pub(crate) use self::literals::{QUOTES, literal_values, literals, without_literals};
pub(crate) use self::marks::{differs_in_marks, is_mark, may_read_otherwise, other_mark};
pub(crate) use self::sections::{Around, Section};
pub(crate) use self::statements::{
    begins_clause, continues_bracket, continues_opener, continues_statement, ends_open, ends_with_operator,
    imports, is_finished, is_pattern, is_unfinished, leaves_block, rest_behind, without_separator,
};
pub(crate) use self::words::{are_among, is_quotation_mark, is_word_char, names_and_signs, words_of};
