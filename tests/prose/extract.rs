//! The words of a file, without code: no code blocks, no code spans, no targets of links.

/// Words in lower case with their lines, in order.
#[derive(Debug, Default)]
pub(crate) struct Words {
    words: Vec<Word>,
}

#[derive(Debug)]
struct Word {
    text: String,
    /// 1-based.
    line: usize,
    phrase: usize,
}

impl Words {
    /// Returns how many words there are.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// Returns the word at an index, or `None` after the last.
    pub(crate) fn word(&self, at: usize) -> Option<&str> {
        self.words.get(at).map(|word| &*word.text)
    }

    /// Returns the line of a word, 1-based.
    pub(crate) fn line(&self, at: usize) -> usize {
        self.words[at].line
    }

    /// Returns the number of the phrase of a word. Punctuation and the end of a paragraph end a phrase.
    pub(crate) fn phrase(&self, at: usize) -> usize {
        self.words[at].phrase
    }

    /// Appends the words of another extract of the same file.
    pub(crate) fn append(&mut self, other: Self) {
        let first = self.next_phrase();
        self.words.extend(other.words.into_iter().map(|word| Word { phrase: first + word.phrase, ..word }));
    }

    fn next_phrase(&self) -> usize {
        self.words.last().map_or(0, |word| word.phrase + 1)
    }

    /// Appends the words of a paragraph whose first line is `line`.
    fn push(&mut self, text: &str, mut line: usize) {
        let mut phrase = self.next_phrase();
        for piece in without_spans(text).split_inclusive(|char: char| !is_of_word(char)) {
            let word = piece.trim_end_matches(|char| !is_of_word(char)).trim_matches(['\'', '-', '_']);
            if word.contains(char::is_alphabetic) {
                self.words.push(Word { text: word.to_lowercase(), line, phrase });
            }
            phrase += usize::from(piece.ends_with(['.', ',', ';', ':', '(', ')', '|', '!', '?']));
            line += usize::from(piece.ends_with('\n'));
        }
    }
}

fn is_of_word(char: char) -> bool {
    char.is_alphanumeric() || "'-_".contains(char)
}

/// Returns a paragraph without code spans, link targets and HTML tags; its line breaks stay.
fn without_spans(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let ticks = rest.len() - rest.trim_start_matches('`').len();
        let skipped = match char {
            '`' => rest[ticks..].find(&rest[..ticks]).map_or(ticks, |end| end + 2 * ticks),
            ']' if rest.starts_with("](") => rest.find(')').map_or(1, |end| end + 1),
            '<' if rest[1..].starts_with(|next: char| next.is_ascii_alphabetic() || "/!".contains(next)) => {
                rest.find('>').map_or(1, |end| end + 1)
            }
            'h' if rest.starts_with("https://") => rest.find(char::is_whitespace).unwrap_or(rest.len()),
            _ => 0,
        };
        if skipped == 0 {
            plain.push(char);
            rest = &rest[char.len_utf8()..];
        } else {
            plain.push(' ');
            plain.extend(rest[..skipped].chars().filter(|char| *char == '\n'));
            rest = &rest[skipped..];
        }
    }
    plain
}

/// Returns the words of Markdown.
pub(crate) fn markdown(text: &str) -> Words {
    paragraphs(text.lines().enumerate().map(|(index, line)| (index + 1, line)))
}

/// Returns the words of lines of Markdown with their numbers. A gap in the numbers ends a paragraph.
fn paragraphs<'a>(lines: impl Iterator<Item = (usize, &'a str)>) -> Words {
    let mut words = Words::default();
    let (mut paragraph, mut first, mut last) = (String::new(), 0, 0);
    let mut fence: Option<&str> = None;
    for (number, line) in lines {
        let trimmed = line.trim();
        let gap = number != last + 1;
        last = number;
        if gap {
            fence = None;
        }
        let mark = &trimmed[..trimmed.len() - trimmed.trim_start_matches(['`', '~']).len()];
        let fences = mark.len() >= 3;
        if gap || fences || trimmed.is_empty() || fence.is_some() {
            words.push(&paragraph, first);
            paragraph.clear();
        }
        match fence {
            Some(open) if mark.starts_with(open) && trimmed == mark => fence = None,
            Some(_) => {}
            None if fences => fence = Some(mark),
            None => {
                if paragraph.is_empty() {
                    first = number;
                } else {
                    paragraph.push('\n');
                }
                paragraph.push_str(trimmed);
            }
        }
    }
    words.push(&paragraph, first);
    words
}

/// Returns the words of the comments of Rust code.
pub(crate) fn comments(code: &str) -> Words {
    comments_that(code, |_| true)
}

/// Returns the words of the documentation comments of Rust code: `///` and `//!`.
pub(crate) fn doc_comments(code: &str) -> Words {
    comments_that(code, |text| text.starts_with("///") || text.starts_with("//!"))
}

fn comments_that(code: &str, is_counted: impl Fn(&str) -> bool) -> Words {
    let all = tokens(code).filter_map(|(line, token)| match token {
        Token::Comment(text) if is_counted(text) => Some((line, text.trim_start_matches(['/', '!']))),
        _ => None,
    });
    paragraphs(all)
}

/// Returns the words of the strings of Rust code, without the names in `{}`.
pub(crate) fn strings(code: &str) -> Words {
    let mut words = Words::default();
    for (line, token) in tokens(code) {
        if let Token::Text(text) = token {
            let mut plain = String::new();
            for part in text.split('{') {
                plain.push_str(part.rsplit('}').next().unwrap_or_default());
                plain.push('.');
            }
            words.push(&plain.replace("\\n", " "), line);
        }
    }
    words
}

enum Token<'a> {
    /// From the slashes to the end of the line.
    Comment(&'a str),
    /// Between the quotes.
    Text(&'a str),
}

/// Returns the line comments and the strings of Rust code with their lines, 1-based. Characters such as `'"'` and
/// lifetimes are skipped. The project has no block comments; `no_block_comments` keeps it so.
fn tokens(code: &str) -> impl Iterator<Item = (usize, Token<'_>)> {
    let (mut rest, mut line) = (code, 1);
    std::iter::from_fn(move || {
        loop {
            let char = rest.chars().next()?;
            let (token, skipped) = token(rest, char);
            let here = line;
            line += rest[..skipped].matches('\n').count();
            rest = &rest[skipped..];
            if let Some(token) = token {
                return Some((here, token));
            }
        }
    })
}

/// Returns the token at the beginning of `rest`, if any, and how many bytes to go on.
fn token(rest: &str, char: char) -> (Option<Token<'_>>, usize) {
    let bytes = rest.as_bytes();
    match char {
        '/' if rest.starts_with("//") => {
            let end = rest.find('\n').unwrap_or(rest.len());
            (Some(Token::Comment(&rest[..end])), end)
        }
        '"' => {
            let mut end = 1;
            while end < bytes.len() && bytes[end] != b'"' {
                end += 1 + usize::from(bytes[end] == b'\\');
            }
            (rest.get(1..end).map(Token::Text), (end + 1).min(bytes.len()))
        }
        'r' if rest.starts_with("r\"") || rest.starts_with("r#\"") => {
            let (open, close) = if bytes[1] == b'"' { (2, "\"") } else { (3, "\"#") };
            let end = rest[open..].find(close).map_or(rest.len(), |end| open + end);
            (Some(Token::Text(&rest[open..end])), (end + close.len()).min(rest.len()))
        }
        '\'' if rest.starts_with("'\\") => {
            (None, 3 + rest.get(3..).and_then(|rest| rest.find('\'')).map_or(0, |end| end + 1))
        }
        '\'' => {
            let mut after = rest[1..].char_indices().skip(1);
            let is_char = after.next().is_some_and(|(_, next)| next == '\'');
            (None, if is_char { 1 + rest[1..].find('\'').map_or(0, |end| end + 1) } else { 1 })
        }
        _ => (None, char.len_utf8()),
    }
}

#[test]
fn code_is_left_out() {
    let text = "One `it\nthey` [two](it.md) <b>three</b>.\n\n```sh\nit stands\n```\n| four | `such` |\n";
    let words = markdown(text);
    let found: Vec<_> =
        (0..words.len()).map(|at| (words.line(at), words.word(at).unwrap_or_default())).collect();
    assert_eq!(found, [(1, "one"), (2, "two"), (2, "three"), (7, "four")]);
}

#[test]
fn comments_and_strings_are_told_from_code() {
    let code = "//! Alpha\n//! ```\n//! it\n//! ```\nlet it = ('\"', \"// beta {it}\", 'a); // gamma\nlet r = r#\"de\"lta\"#;\n";
    let texts = |words: Words| {
        (0..words.len()).map(|at| (words.line(at), words.word(at).unwrap().to_owned())).collect()
    };
    let found: Vec<(usize, String)> = texts(comments(code));
    assert_eq!(found, [(1, "alpha".to_owned()), (5, "gamma".to_owned())]);
    let found: Vec<(usize, String)> = texts(strings(code));
    assert_eq!(found, [(5, "beta".to_owned()), (6, "de".to_owned()), (6, "lta".to_owned())]);
}

#[test]
fn no_block_comments() {
    for file in crate::files().iter().filter(|file| file.starts_with("src/")) {
        let text = std::fs::read_to_string(crate::root().join(file)).expect("a readable file");
        let begins = text.lines().any(|line| line.trim_start().starts_with("/*"));
        assert!(!begins, "{file} has a block comment, which the check of the prose does not read");
    }
}
