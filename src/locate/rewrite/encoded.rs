//! Signs of added lines that the file has encoded: `\'` for `'`, `&amp;` for `&`, `$$` for `$`, `\u00fc` for `ü`. The quoted
//! lines have these signs plain throughout, so the added lines have the signs of the file; refused if the lines do not show which
//! signs are encoded.

use crate::locate::align::encoding::{Encoding, Occurrence, occurrences};
use crate::locate::explanation::{Aligned, Obstacle};
use crate::locate::reading::Row;
use crate::locate::syntax::{QUOTES, before_comment, is_quotation_mark, literals, may_be_comment};

/// What the quoted lines show about encoded signs.
#[derive(Debug, Default)]
pub(super) struct Encoded {
    /// The encodings that the file has where the quote has a sign, and how many lines show each.
    encodings: Vec<(Encoding, usize)>,
    /// The signs of the quoted lines, with their surroundings.
    seen: Vec<Seen>,
}

/// A sign of the quoted lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    sign: char,
    container: Container,
    around: Around,
    /// The encoding that the file has for the sign; `None` if the file has the sign as quoted.
    encoding: Option<Encoding>,
    /// Whether the sign is in a removed line, whose place an added line takes.
    is_removed: bool,
}

/// What is around a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Around {
    before: Beside,
    behind: Beside,
    /// Whether the sign is between quotation marks, or in a formula.
    is_enclosed: bool,
}

/// What a sign is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Container {
    Comment,
    /// Text between these quotation marks.
    Text(char),
    /// Code of a template or a script beside markup.
    Code,
    Other,
}

/// What the parts of a line are.
struct Containers {
    /// Where a quotation mark opens or ends a text, with the mark that is open from there on.
    marks: Vec<(usize, Option<char>)>,
    /// Where a comment begins.
    comment: usize,
    /// What is outside of texts and comments.
    outside: Container,
}

impl Containers {
    /// Reads a line. Quotation marks may lack the escapes that the file has, so a mark inside of a word is an apostrophe.
    fn of(line: &str) -> Self {
        let mut marks = Vec::new();
        let mut open = None;
        let mut before = ' ';
        for (at, c) in line.char_indices() {
            let is_mark = open.map_or(is_quotation_mark(c), |mark| mark == c);
            let behind = || line[at + c.len_utf8()..].chars().next();
            let is_apostrophe = || before.is_alphanumeric() && behind().is_some_and(char::is_alphanumeric);
            if is_mark && !is_apostrophe() {
                open = if open.is_some() { None } else { Some(c) };
                marks.push((at + c.len_utf8(), open));
            }
            before = c;
        }
        let comment = if may_be_comment(line) { 0 } else { before_comment(line).len() };
        let outside = if is_code(line.trim()) { Container::Code } else { Container::Other };
        Containers { marks, comment, outside }
    }

    /// Returns what a position is in.
    fn at(&self, at: usize) -> Container {
        if self.comment <= at {
            return Container::Comment;
        }
        let marks = self.marks.partition_point(|(from, _)| *from <= at);
        let open = marks.checked_sub(1).and_then(|last| self.marks[last].1);
        open.map_or(self.outside, Container::Text)
    }
}

/// Checks whether a line is code of a template or a script, and no text of markup.
fn is_code(body: &str) -> bool {
    /// What code in a text of markup begins with.
    const TEMPLATES: [&str; 6] = ["{%", "<%", "<?", "{{", "{#", "{@"];
    let is_template = TEMPLATES.iter().any(|template| body.starts_with(template));
    let has_tag = || body.contains("</") || body.starts_with('<') || body.contains("/>");
    is_template || body.ends_with([';', '{', '}']) && !has_tag()
}

/// What is next to a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beside {
    Space,
    Digit,
    Letter,
    Sign,
}

impl Around {
    fn is_inside_word(self) -> bool {
        [self.before, self.behind].iter().all(|beside| matches!(beside, Beside::Letter | Beside::Digit))
    }

    fn is_near(self, other: Around) -> bool {
        self.before == other.before || self.behind == other.behind
    }
}

/// What the file would have for a sign of an added line.
enum Fate {
    /// The sign is encoded in lines that are replaced, or in other quoted lines.
    Encoded {
        is_replaced: bool,
    },
    Plain,
    /// Some of such signs are encoded, and some are not.
    Open,
    /// Some signs are encoded, and some are not, and none has such surroundings.
    Unlike,
    /// All signs are encoded, and none has such surroundings.
    Unseen,
}

/// How many lines show that signs are encoded throughout.
const ENOUGH: usize = 2;

impl Encoded {
    pub(super) fn of(aligned: &Aligned<'_, '_>) -> Self {
        let mut encoded = Encoded::default();
        let paired = || {
            aligned.rows().filter_map(|row| {
                let line = aligned.pairs[row].line()?;
                Some((aligned.reading.old(row), aligned.file.line(line).body()))
            })
        };
        for (quoted, actual) in paired().filter(|(quoted, actual)| quoted.line.body() != *actual) {
            let signs = occurrences(quoted.line.body(), actual).unwrap_or_default();
            encoded.count_encodings(&signs);
        }
        if !encoded.encodings.is_empty() {
            paired().for_each(|(quoted, actual)| encoded.learn(quoted, actual));
        }
        encoded
    }

    /// Counts a line for each encoding that the line shows.
    fn count_encodings(&mut self, signs: &[Occurrence]) {
        let mut shown: Vec<Encoding> = signs.iter().filter_map(|sign| sign.encoding).collect();
        shown.sort_unstable();
        shown.dedup();
        for encoding in shown {
            match self.encodings.iter_mut().find(|(other, _)| *other == encoding) {
                Some((_, lines)) => *lines += 1,
                None => self.encodings.push((encoding, 1)),
            }
        }
    }

    /// Learns the signs of a quoted line and its line of the file.
    fn learn(&mut self, quoted: &Row<'_>, actual: &str) {
        let Some(signs) = occurrences(quoted.line.body(), actual) else { return };
        let surroundings = Surroundings::of(quoted.line.body());
        let containers = Containers::of(quoted.line.body());
        for Occurrence { at, sign, encoding } in signs {
            let around = surroundings.around(at, sign);
            let container = containers.at(at);
            let seen = Seen { sign: kind(sign), container, around, encoding, is_removed: quoted.removes() };
            if !self.seen.contains(&seen) {
                self.seen.push(seen);
            }
        }
    }

    /// Returns an added line with the encoded signs of the file; `None` if nothing changes. `written` is the line of the patch,
    /// `line` the line with the spelling that is known so far.
    ///
    /// # Errors
    /// The quoted lines do not show whether the file would have a sign encoded.
    pub(super) fn mended(&self, written: &str, line: &str) -> Result<Option<String>, Obstacle> {
        if self.encodings.is_empty() {
            return Ok(None);
        }
        let (surroundings, containers) = (Surroundings::of(line), Containers::of(line));
        let mut mended = String::with_capacity(line.len());
        let mut at = 0;
        while let Some(sign) = line[at..].chars().next() {
            let rest = &line[at..];
            let length = self.encodings.iter().find_map(|(encoding, _)| encoding.encoded_length(rest));
            let text = &rest[..length.unwrap_or(sign.len_utf8())];
            let encoding = if length.is_some() {
                None
            } else {
                self.encoding_of(sign, containers.at(at), surroundings.around(at, sign), written)?
            };
            match encoding {
                Some(encoding) => encoding.write(sign, &mut mended),
                None => mended.push_str(text),
            }
            at += text.len();
        }
        Ok((mended != line).then_some(mended))
    }

    /// Returns how the file would have a sign of an added line; `None` for a plain sign.
    fn encoding_of(
        &self,
        sign: char,
        container: Container,
        around: Around,
        written: &str,
    ) -> Result<Option<Encoding>, Obstacle> {
        let of_sign: Vec<&Seen> = self.seen.iter().filter(|seen| seen.sign == kind(sign)).collect();
        if of_sign.iter().all(|seen| seen.encoding.is_none()) {
            return self.unseen(sign, container);
        }
        // What is encoded in a text is not encoded in code, in a comment, or between other quotation marks.
        let of_sign: Vec<&Seen> = of_sign.into_iter().filter(|seen| seen.container == container).collect();
        let mut encodings = of_sign.iter().filter_map(|seen| seen.encoding);
        let Some(encoding) = encodings.next() else { return Ok(None) };
        if encodings.any(|other| other != encoding) {
            return Err(Obstacle::Garbled);
        }
        // The line is written as the file has such lines.
        if encoding.is_in(sign, written) {
            return Ok(None);
        }
        let is_enough = self.encodings.iter().any(|(other, lines)| *other == encoding && *lines >= ENOUGH);
        match Self::fate(&of_sign, around) {
            Fate::Encoded { is_replaced } if is_enough || is_replaced => Ok(Some(encoding)),
            Fate::Plain => Ok(None),
            Fate::Unseen if !is_enough => Ok(None),
            Fate::Unlike if self.is_inside_words(sign) && encloses(sign, written) => Ok(None),
            _ => Err(Obstacle::Garbled),
        }
    }

    /// Returns what the file has for a sign with these surroundings, as the quoted lines show.
    fn fate(of_sign: &[&Seen], around: Around) -> Fate {
        let has = |is_wanted: &dyn Fn(&Seen) -> bool| {
            let (mut encoded, mut plain) = (false, false);
            let seen = of_sign.iter().filter(|seen| is_wanted(seen));
            seen.for_each(|seen| *if seen.encoding.is_some() { &mut encoded } else { &mut plain } = true);
            (encoded, plain)
        };
        // The lines that an added line replaces are closer to that line than other lines.
        match has(&|seen| seen.is_removed && seen.around == around) {
            (true, false) => return Fate::Encoded { is_replaced: true },
            (false, true) => return Fate::Plain,
            _ => {}
        }
        match has(&|seen| seen.around == around) {
            (true, false) => return Fate::Encoded { is_replaced: false },
            (true, true) => return Fate::Open,
            (false, true) => return Fate::Plain,
            (false, false) => {}
        }
        let is_plain_elsewhere = of_sign.iter().any(|seen| seen.encoding.is_none());
        let is_near = |seen: &&Seen| seen.around.is_near(around) && seen.encoding.is_some();
        match (is_plain_elsewhere, of_sign.iter().any(is_near)) {
            (true, true) => Fate::Unlike,
            (true, false) => Fate::Plain,
            (false, _) => Fate::Unseen,
        }
    }

    /// Checks whether a sign is encoded inside words only: an apostrophe.
    fn is_inside_words(&self, sign: char) -> bool {
        let mut encoded = self.seen.iter().filter(|seen| seen.sign == kind(sign) && seen.encoding.is_some());
        encoded.all(|seen| seen.around.is_inside_word())
    }

    /// Checks a sign that no quoted line has encoded: text with other entities would have an entity for a plain `&`.
    fn unseen(&self, sign: char, container: Container) -> Result<Option<Encoding>, Obstacle> {
        let is_of_text = |seen: &Seen| seen.encoding == Some(Encoding::Entity) && seen.container == container;
        let has_entities = self.seen.iter().any(is_of_text);
        let is_seen = self.seen.iter().any(|seen| seen.sign == sign);
        if sign == '&' && has_entities && !is_seen { Err(Obstacle::Garbled) } else { Ok(None) }
    }
}

/// Returns the first of the signs that are encoded together.
fn kind(sign: char) -> char {
    match sign {
        '>' => '<',
        _ if !sign.is_ascii() => char::REPLACEMENT_CHARACTER,
        _ => sign,
    }
}

/// Checks whether a sign is a quotation mark, and all of these marks that are not inside a word enclose text.
fn encloses(sign: char, line: &str) -> bool {
    let surroundings = Surroundings { line, enclosed: Vec::new(), dollars: Vec::new() };
    let marks = line.match_indices(sign);
    let outside = marks.filter(|(at, _)| !surroundings.around(*at, sign).is_inside_word()).count();
    QUOTES.contains(&sign) && outside % 2 == 0
}

/// A line, and its parts between quotation marks.
struct Surroundings<'l> {
    line: &'l str,
    enclosed: Vec<std::ops::Range<usize>>,
    /// Where the signs `$` of formulas are.
    dollars: Vec<usize>,
}

impl<'l> Surroundings<'l> {
    fn of(line: &'l str) -> Self {
        let start = |part: &str| part.as_ptr() as usize - line.as_ptr() as usize;
        let enclosed = literals(line).into_iter().map(|part| start(part)..start(part) + part.len()).collect();
        let dollars = line.match_indices('$').map(|(at, _)| at).collect();
        Surroundings { line, enclosed, dollars }
    }

    /// Returns what is around the sign at a position.
    fn around(&self, at: usize, sign: char) -> Around {
        let (before, behind) = (&self.line[..at], &self.line[at + sign.len_utf8()..]);
        if !sign.is_ascii() {
            // A letter is encoded wherever it is.
            return Around { before: Beside::Letter, behind: Beside::Letter, is_enclosed: false };
        }
        // Marks that lost their escapes enclose nothing.
        let is_mark = QUOTES.contains(&sign);
        let dollars = self.dollars.partition_point(|dollar| *dollar < at);
        let is_in_formula = sign != '$' && dollars % 2 == 1 && dollars < self.dollars.len();
        let literal = self.enclosed.partition_point(|part| part.end <= at);
        let is_in_literal = self.enclosed.get(literal).is_some_and(|part| part.contains(&at));
        let is_enclosed = is_in_formula || is_in_literal;
        Around {
            before: Beside::of(before.chars().next_back()),
            behind: Beside::of(behind.chars().next()),
            is_enclosed: is_enclosed && !is_mark,
        }
    }
}

impl Beside {
    fn of(c: Option<char>) -> Self {
        match c {
            None => Beside::Space,
            Some(c) if c.is_whitespace() => Beside::Space,
            Some(c) if c.is_numeric() => Beside::Digit,
            Some(c) if c.is_alphabetic() => Beside::Letter,
            Some(_) => Beside::Sign,
        }
    }
}
