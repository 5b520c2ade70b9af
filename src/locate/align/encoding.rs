//! Signs that a line of the file has encoded, where the quoted line has them plain: `\'` for `'`, `&amp;` for `&`, `$$` for `$`,
//! `\u00fc` for `ü`.

/// How a format writes a sign that would mean something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Encoding {
    /// An entity of XML, by its name.
    Entity,
    /// A backslash before the sign.
    Backslash,
    /// The sign twice.
    Doubled,
    /// `\u00fc`, in lower or upper case.
    Unicode { is_upper: bool },
}

/// A sign of a quoted line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Occurrence {
    /// The position in the quoted line, in bytes.
    pub(crate) at: usize,
    pub(crate) sign: char,
    /// The encoding that the file has for the sign; `None` if the file has the sign as quoted.
    pub(crate) encoding: Option<Encoding>,
}

/// The entities that encoders write, with their signs. The first entity of a sign is written.
pub(crate) const ENTITIES: [(&str, char); 14] = [
    ("&lt;", '<'),
    ("&gt;", '>'),
    ("&amp;", '&'),
    ("&quot;", '"'),
    ("&apos;", '\''),
    ("&nbsp;", '\u{a0}'),
    ("&#34;", '"'),
    ("&#38;", '&'),
    ("&#39;", '\''),
    ("&#60;", '<'),
    ("&#62;", '>'),
    ("&#160;", '\u{a0}'),
    ("&#x22;", '"'),
    ("&#x27;", '\''),
];

/// The signs that formats write twice.
const DOUBLED: [char; 6] = ['\'', '"', '$', '%', '{', '}'];

const ALL: [Encoding; 4] = [
    Encoding::Entity,
    Encoding::Backslash,
    Encoding::Unicode { is_upper: false },
    Encoding::Unicode { is_upper: true },
];

impl Encoding {
    /// Writes a sign.
    pub(crate) fn write(self, sign: char, text: &mut String) {
        match self {
            Encoding::Entity => text.push_str(entity(sign).unwrap_or(sign.encode_utf8(&mut [0; 4]))),
            Encoding::Backslash => text.extend(['\\', sign]),
            Encoding::Doubled => text.extend([sign, sign]),
            Encoding::Unicode { is_upper } => {
                for unit in sign.encode_utf16(&mut [0; 2]) {
                    let digits = if is_upper { format!("{unit:04X}") } else { format!("{unit:04x}") };
                    text.push_str("\\u");
                    text.push_str(&digits);
                }
            }
        }
    }

    /// Returns a sign as the format writes it; `None` for a sign that the encoding has not.
    fn encoded(self, sign: char) -> Option<String> {
        let has = match self {
            Encoding::Entity => entity(sign).is_some(),
            Encoding::Backslash => sign.is_ascii_punctuation() && sign != '\\',
            Encoding::Doubled => DOUBLED.contains(&sign),
            Encoding::Unicode { .. } => !sign.is_ascii(),
        };
        let mut text = String::new();
        self.write(sign, &mut text);
        has.then_some(text)
    }

    /// Checks whether a line has a sign encoded.
    pub(crate) fn is_in(self, sign: char, line: &str) -> bool {
        self.encoded(sign).is_some_and(|text| line.contains(&text))
    }

    /// Returns the length of the encoded sign at the beginning of a text.
    pub(crate) fn encoded_length(self, text: &str) -> Option<usize> {
        match self {
            Encoding::Entity => {
                let end = text.strip_prefix('&')?.find(|c: char| !c.is_ascii_alphanumeric() && c != '#')? + 1;
                (end > 1 && text[end..].starts_with(';')).then_some(end + 1)
            }
            Encoding::Backslash | Encoding::Unicode { .. } => {
                let sign = text.strip_prefix('\\')?.chars().next()?;
                Some(1 + sign.len_utf8())
            }
            Encoding::Doubled => {
                let sign = text.chars().next().filter(|sign| DOUBLED.contains(sign))?;
                text[sign.len_utf8()..].starts_with(sign).then_some(2 * sign.len_utf8())
            }
        }
    }
}

/// Checks whether a line of the file differs from a quoted line only in signs that the file has encoded.
pub(crate) fn is_encoded(quoted: &str, actual: &str) -> bool {
    // Each encoding is longer than its sign.
    actual.len() > quoted.len() && may_begin(quoted, actual) && occurrences(quoted, actual).is_some()
}

/// Checks whether the first difference of two lines may be an encoded sign.
fn may_begin(quoted: &str, actual: &str) -> bool {
    let same = quoted.bytes().zip(actual.bytes()).take_while(|(q, f)| q == f).count();
    let is_sign = |byte: &u8| matches!(byte, b'&' | b'\\') || DOUBLED.contains(&char::from(*byte));
    // The entity of `&` begins with the sign.
    actual.as_bytes()[same.saturating_sub(1)..].iter().take(2).any(is_sign)
}

/// A line without its entities.
pub(crate) struct WithoutEntities {
    /// The line with the sign of each entity.
    pub(crate) text: String,
    /// The signs of the entities.
    pub(crate) signs: String,
    /// The line without its entities.
    pub(crate) rest: String,
}

/// Returns a line with the sign of each entity.
pub(crate) fn without_entities(line: &str) -> WithoutEntities {
    let mut found = WithoutEntities { text: String::new(), signs: String::new(), rest: String::new() };
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let entity = ENTITIES.iter().filter(|_| c == '&').find(|(entity, _)| rest.starts_with(entity));
        let (length, sign) = entity.map_or((c.len_utf8(), c), |(entity, sign)| (entity.len(), *sign));
        found.text.push(sign);
        if entity.is_some() { &mut found.signs } else { &mut found.rest }.push(sign);
        rest = &rest[length..];
    }
    found
}

fn entity(sign: char) -> Option<&'static str> {
    ENTITIES.iter().find(|(_, other)| *other == sign).map(|(entity, _)| *entity)
}

/// Returns the signs of a quoted line, and how the file has each; `None` if anything else differs. Both are without whitespace at
/// the ends.
pub(crate) fn occurrences(quoted: &str, actual: &str) -> Option<Vec<Occurrence>> {
    let mut found = Vec::new();
    let (mut at, mut rest) = (0, actual);
    while let Some(sign) = quoted[at..].chars().next() {
        let (length, encoding, behind) = step(sign, &quoted[at..], rest)?;
        if !sign.is_alphanumeric() && !sign.is_whitespace() || !sign.is_ascii() {
            let signs = quoted[at..at + length].char_indices();
            found.extend(signs.map(|(offset, sign)| Occurrence { at: at + offset, sign, encoding }));
        }
        (at, rest) = (at + length, behind);
    }
    rest.is_empty().then_some(found)
}

/// Returns the length of equally encoded signs at the beginning of a quoted text, how the file has them, and the rest of the file's text.
fn step<'f>(sign: char, quoted: &str, actual: &'f str) -> Option<(usize, Option<Encoding>, &'f str)> {
    let length = sign.len_utf8();
    if DOUBLED.contains(&sign) {
        let run = |text: &str| text.len() - text.trim_start_matches(sign).len();
        let (q, f) = (run(quoted), run(actual));
        if f > 0 {
            let encoding = if q == f { None } else { Some(Encoding::Doubled) };
            return (q == f || 2 * q == f).then(|| (q, encoding, &actual[f..]));
        }
    }
    let is_begun = actual.starts_with(['&', '\\']);
    let encoded = ALL.into_iter().filter(|_| is_begun).find_map(|encoding| {
        let text = encoding.encoded(sign).filter(|text| !quoted.starts_with(text.as_str()))?;
        Some((length, Some(encoding), actual.strip_prefix(text.as_str())?))
    });
    encoded.or_else(|| Some((length, None, actual.strip_prefix(sign)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encodings(quoted: &str, actual: &str) -> Option<Vec<(char, Option<Encoding>)>> {
        Some(occurrences(quoted, actual)?.into_iter().map(|found| (found.sign, found.encoding)).collect())
    }

    #[test]
    fn signs_are_paired_with_their_encodings() {
        let (entity, doubled) = (Some(Encoding::Entity), Some(Encoding::Doubled));
        assert_eq!(encodings("a & b", "a &amp; b"), Some(vec![('&', entity)]));
        assert_eq!(encodings("'it's'", "'it''s'"), Some(vec![('\'', None), ('\'', doubled), ('\'', None)]));
        assert_eq!(
            encodings("f\u{fc}r", "f\\u00fcr"),
            Some(vec![('\u{fc}', Some(Encoding::Unicode { is_upper: false }))])
        );
        assert_eq!(encodings("a_b", "a\\_b"), Some(vec![('_', Some(Encoding::Backslash))]));
        assert_eq!(encodings("''", "''"), Some(vec![('\'', None), ('\'', None)]));
    }

    #[test]
    fn another_difference_shows_nothing() {
        assert_eq!(encodings("a & c", "a &amp; b"), None);
        assert_eq!(encodings("'{}'", "'{{{}}}'"), None);
        assert_eq!(encodings("\\d", "\\\\d"), None);
    }
}
