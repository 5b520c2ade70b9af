//! Lines that are attached to the line below: attributes, documentation, and the comment of a block.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

use crate::locate::syntax::{
    Block, CLOSING, begins_block, defines_alone, divides, indentation_width, is_about_next, is_attribute,
    is_in_brackets, is_opening_bracket, is_signature_of, is_word_char, uncommented, words_of,
};
use crate::text::{Document, is_blank};

/// How many lines above a line are looked at.
const REACH: usize = 200;

/// The signs around a text of several lines that documents the block below: Elixir, Julia, GraphQL, `PowerShell`.
const DOCUMENTATION: [[&str; 2]; 2] = [["\"\"\"", "\"\"\""], ["<#", "#>"]];

/// The signs around a comment of several lines: of C, markup, JSX, Lua, Haskell, Ruby.
const COMMENTS: [[&str; 2]; 6] =
    [["{/*", "*/}"], ["/*", "*/"], ["<!--", "-->"], ["--[[", "]]"], ["{-", "-}"], ["=begin", "=end"]];

/// The signs around a comment of templates, and of ML.
const OF_TEMPLATES: [[&str; 2]; 6] =
    [["{#", "#}"], ["{{--", "--}}"], ["{{!--", "--}}"], ["<%#", "%>"], ["@*", "*@"], ["(*", "*)"]];

/// Returns the first of the lines right above a line that are attached to that line, or the line itself: lines as deep as the line,
/// which are attributes, documentation, other heads of the same function, or in front of a block any comment that does not divide the
/// file.
pub(crate) fn with_attached_lines(document: &Document, line: usize) -> usize {
    let attached = Attached::new(document, line);
    let mut first = line;
    while let Some(above) = first.checked_sub(1).filter(|above| line - above <= REACH) {
        match attached.begin(above) {
            Some(begin) => first = begin,
            None => break,
        }
    }
    // Signs without text below the heading of a part belong to the heading.
    let is_below_heading = first.checked_sub(1).is_some_and(|above| divides(&attached.text(above)));
    (first..line).find(|line| !is_below_heading || has_words(&attached.text(*line))).unwrap_or(line)
}

fn has_words(text: &str) -> bool {
    words_of(text).next().is_some()
}

/// A line, and what shows which lines are attached to it.
struct Attached<'d> {
    document: &'d Document,
    line: usize,
    own: Cow<'d, str>,
    width: usize,
    /// Whether the line begins a block.
    opens: bool,
    /// Whether the line is a tag.
    is_tag: bool,
}

impl<'d> Attached<'d> {
    fn new(document: &'d Document, line: usize) -> Self {
        let own = String::from_utf8_lossy(document.line(line));
        let width = indentation_width(document.line(line));
        let is_tag =
            own.trim_start().strip_prefix('<').is_some_and(|name| name.starts_with(char::is_lowercase));
        let mut attached = Attached { document, line, own, width, opens: false, is_tag };
        attached.opens = begins_block(&attached.own)
            || is_certain(&attached.own) && attached.may_have(&attached.own)
            || line.checked_sub(1).is_some_and(|above| attached.is_other_head(&attached.text(above)))
            || has_body_below(document, line);
        attached
    }

    fn text(&self, line: usize) -> Cow<'d, str> {
        String::from_utf8_lossy(self.document.line(line))
    }

    /// Returns the first line of what is attached and ends with a line; `None` if that is not attached.
    fn begin(&self, end: usize) -> Option<usize> {
        let lines = self.line.saturating_sub(REACH)..end + 1;
        let begin = first_of_comment(self.document, lines.clone())
            .filter(|begin| self.opens || self.document.line(*begin).trim_ascii_start().starts_with(b"/**"));
        let begin = begin
            .or_else(|| self.first_of_text(lines.clone()))
            .or_else(|| self.first_of_attribute(lines.clone()))
            .or_else(|| first_of_box(self.document, lines).filter(|_| self.opens))
            .or_else(|| self.is_attached(end).then_some(end))?;
        (indentation_width(self.document.line(begin)) == self.width).then_some(begin)
    }

    /// Checks whether a line by itself is attached.
    fn is_attached(&self, above: usize) -> bool {
        let text = self.text(above);
        let body = text.trim();
        // In a template, a call is above a tag.
        let is_call = self.is_tag && body.starts_with('@');
        let is_bracket = self.opens && !self.own.contains('=') && is_in_brackets(body);
        let is_comment = || {
            let is_about_next = is_about_next(&text) && !self.divides_at(above);
            self.opens && (is_about_next || is_of_template(&text))
        };
        let is_whatever_below = || is_certain(&text) || self.is_other_head(&text);
        !is_call && self.may_have(&text) && (is_whatever_below() || is_bracket || is_comment())
    }

    /// Checks whether a comment divides the file. A line of signs below a text is a part of the comment, unless another one is above.
    fn divides_at(&self, line: usize) -> bool {
        let is_of_text = |line: Option<usize>, with_words: bool| {
            line.is_some_and(|line| {
                uncommented(&self.text(line)).1 && has_words(&self.text(line)) == with_words
            })
        };
        let is_below_text =
            || is_of_text(line.checked_sub(1), true) && !is_of_text(line.checked_sub(2), false);
        divides(&self.text(line)) && (has_words(&self.text(line)) || !is_below_text())
    }

    /// Checks whether the line may have an attribute: what looks like one is a call in front of a statement.
    fn may_have(&self, attribute: &str) -> bool {
        !is_call_of_variable(attribute) || declares(self.document, self.line)
    }

    /// Checks whether a line belongs to the head of the same function: its signature in Haskell, its type in C, or a declaration with
    /// other parameters.
    fn is_other_head(&self, text: &str) -> bool {
        let (body, own) = (text.trim(), self.own.trim());
        let head = own.split_once('(').map_or(own, |(head, _)| head);
        let is_same_name = || body.strip_prefix(head).is_some_and(|behind| behind.starts_with('('));
        let is_overload = defines_alone(own) && is_same_name() && !begins_block(body);
        let has_bracket = || {
            let below = self.line + 1;
            below < self.document.len() && is_opening_bracket(self.document.line(below))
        };
        let is_type = self.width == 0
            && is_return_type(body, head)
            && (own.ends_with(',') || own.ends_with(')') && has_bracket());
        is_signature_of(body, own) || is_overload || is_type
    }

    /// Returns the line that begins an attribute of several lines, which the last of some lines ends.
    fn first_of_attribute(&self, lines: Range<usize>) -> Option<usize> {
        let end = lines.end;
        let filled = lines.rev().take_while(|line| !is_blank(self.document.line(*line)));
        let count = attribute_lines(filled.map(|line| self.text(line)))?;
        let begin = end - count;
        self.may_have(&self.text(begin)).then_some(())?;
        (self.opens || self.width > 0 || self.text(begin).starts_with(['@', '#'])).then_some(begin)
    }

    /// Returns the line that begins a text about a block, which the last of some lines ends.
    fn first_of_text(&self, mut lines: Range<usize>) -> Option<usize> {
        let last = lines.next_back()?;
        let text = self.document.line(last).trim_ascii();
        let [open, _] = DOCUMENTATION.iter().find(|[_, close]| text == close.as_bytes())?;
        let begin =
            lines.rev().find(|line| memmem::find(self.document.line(*line), open.as_bytes()).is_some())?;
        let begins = self.text(begin);
        // In Python, the text is about the block that the line above opens, or about the file.
        let above = (0..begin).rev().map(|line| self.document.line(line)).find(|text| !is_blank(text));
        let is_of_block_above = above.is_none_or(|above| above.trim_ascii_end().ends_with(b":"));
        let is_text = begins.trim() == *open && !is_of_block_above || is_attribute(begins.trim());
        is_text.then_some(begin)
    }
}

/// Returns the line that begins a comment between two lines of signs, of which the second is the last of some lines. A comment with one
/// line of text is a heading.
fn first_of_box(document: &Document, mut lines: Range<usize>) -> Option<usize> {
    let text = |line: usize| String::from_utf8_lossy(document.line(line));
    let is_comment = |line: usize| uncommented(&text(line)).1;
    let is_rule = |line: usize| !has_words(&text(line)) && is_comment(line);
    let last = lines.next_back().filter(|last| is_rule(*last))?;
    let begin = lines.rev().take_while(|line| is_comment(*line)).find(|line| is_rule(*line))?;
    (last - begin > 2).then_some(begin)
}

/// Returns how many lines, more than one, are one attribute: the last of some lines, given from the last on, ends a bracket of it.
pub(crate) fn attribute_lines<'l>(lines: impl Iterator<Item = Cow<'l, str>>) -> Option<usize> {
    let mut open = 0;
    let mut is_list = false;
    for (nth, line) in lines.enumerate() {
        let body = line.trim();
        open += Block::Brackets.opened_by(body);
        is_list |= nth == 0 && body.ends_with(']');
        if nth == 0 && open >= 0 {
            return None;
        }
        if open >= 0 {
            let is_whole = open == 0 && (is_attribute(body) || is_list && body.starts_with('['));
            return is_whole.then_some(nth + 1);
        }
    }
    None
}

/// Returns the line that begins a comment of several lines, which the last of some lines ends.
fn first_of_comment(document: &Document, mut lines: Range<usize>) -> Option<usize> {
    let last = lines.next_back()?;
    let ends = document.line(last).trim_ascii_end();
    let pair = COMMENTS.iter().chain(&OF_TEMPLATES).find(|[_, close]| ends.ends_with(close.as_bytes()))?;
    let signs = |line: usize| pair.map(|sign| memmem::find(document.line(line), sign.as_bytes()));
    let is_end = signs(last)[0].is_none();
    let begin = lines.rev().filter(|_| is_end).find(|line| signs(*line) != [None, None])?;
    let begins = document.line(begin).trim_ascii_start().starts_with(pair[0].as_bytes());
    (begins && signs(begin)[1].is_none()).then_some(begin)
}

/// Checks whether a line is a comment of a template, and divides nothing.
fn is_of_template(line: &str) -> bool {
    let body = line.trim();
    let text_between = |[open, close]: &[&'static str; 2]| body.strip_prefix(open)?.strip_suffix(close);
    let text = OF_TEMPLATES.iter().find_map(text_between);
    text.is_some_and(|text| has_words(text) && !divides(&format!("// {}", text.trim())))
}

/// Checks whether the line right below a line is deeper, or an opening bracket alone.
pub(crate) fn has_body_below(document: &Document, line: usize) -> bool {
    let below = Some(line + 1).filter(|below| *below < document.len()).map(|below| document.line(below));
    below.is_some_and(|below| {
        let is_deeper = indentation_width(below) > indentation_width(document.line(line));
        !is_blank(below) && (is_deeper || is_opening_bracket(below))
    })
}

/// Checks whether a line is about the line below, whatever that is: an attribute, a declaration of a template, or documentation.
fn is_certain(line: &str) -> bool {
    const BEGINNINGS: [&str; 9] =
        ["template <", "template<", "///", "/**", "---@", "//go:", "@spec ", "-spec ", ".PHONY:"];
    let body = line.trim();
    let is_indented = line.starts_with(char::is_whitespace);
    is_attribute(body)
        || is_indented && is_in_brackets(body)
        || BEGINNINGS.iter().any(|beginning| body.starts_with(beginning)) && !body.starts_with("/***")
}

/// Checks whether a line declares a function or a class, or is an attribute above such a line.
fn declares(document: &Document, line: usize) -> bool {
    let width = indentation_width(document.line(line));
    let is_of_attribute = |text: &str| {
        let is_deeper = indentation_width(text.as_bytes()) > width;
        is_deeper || is_attribute(text.trim()) || text.trim_start().starts_with(CLOSING)
    };
    let lines = line..document.len().min(line + REACH);
    let mut texts = lines.map(|line| String::from_utf8_lossy(document.line(line)));
    let head = texts.find(|text| !is_of_attribute(text));
    let is_word = |word: &str| matches!(word, "class" | "export" | "async" | "def");
    head.is_some_and(|head| defines_alone(&head) || words_of(&head).any(is_word))
}

/// Checks whether a line that looks like an attribute may be the call of a method of a variable of Ruby: `@mailer.deliver(mail)`.
fn is_call_of_variable(line: &str) -> bool {
    let name =
        line.trim().strip_prefix('@').and_then(|rest| rest.split(|c| !is_word_char(c) && c != '.').next());
    let method = name.and_then(|name| name.rsplit_once('.')).map(|(_, method)| method);
    method.is_some_and(|method| method.starts_with(char::is_lowercase))
}

/// Checks whether a line is the type in front of the head of a function of C, which is its name: `static struct node *`.
fn is_return_type(line: &str, name: &str) -> bool {
    let is_of_type = |c: char| is_word_char(c) || matches!(c, ' ' | '*');
    let is_type = line.contains([' ', '*']) || matches!(line, "void" | "int" | "char" | "bool");
    is_type && line.chars().all(is_of_type) && !name.is_empty() && name.chars().all(is_word_char)
}
