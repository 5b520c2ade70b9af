//! Conditions, and what turns a condition into its opposite.

/// Checks whether a token is an operator that may turn a condition into its opposite.
pub(crate) fn is_operator(token: &str) -> bool {
    token.eq_ignore_ascii_case("not") || token.chars().all(|c| "!<>=&|+-*/%^".contains(c))
}

/// Comparisons of which one is true where the other is not, or of which each is true in the other direction.
const OPPOSITES: [(&str, &str); 6] =
    [("==", "!="), ("===", "!=="), ("<", ">"), ("<", ">="), ("<=", ">"), ("<=", ">=")];

/// Checks whether a condition is the opposite of another, each as its words and signs: one has the tokens of the other, and a negation
/// before one of these, or the opposite comparison is all that differs.
pub(crate) fn is_opposite<'l>(
    tokens: impl Iterator<Item = &'l str>,
    others: impl Iterator<Item = &'l str>,
) -> bool {
    let [own, other] =
        [tokens.collect::<Vec<_>>(), others.collect::<Vec<_>>()].map(|tokens| joined_operators(&tokens));
    if own.len() == other.len() {
        let mut differing = own.iter().zip(&other).filter(|(own, other)| own != other);
        let (only, None) = (differing.next(), differing.next()) else { return false };
        return only.is_some_and(|(own, other)| {
            OPPOSITES.iter().any(|(one, two)| own == one && other == two || own == two && other == one)
        });
    }
    negates(&own, &other) || negates(&other, &own)
}

/// Checks whether the second condition has the tokens of the first, and a negation before one of them.
fn negates(own: &[String], other: &[String]) -> bool {
    let mut left = own.iter().peekable();
    let mut is_negated = false;
    let mut has_negation = false;
    for token in other {
        if left.next_if_eq(&token).is_some() {
            has_negation |= is_negated;
            is_negated = false;
        } else if is_negation(token) {
            is_negated = true;
        } else if token != "(" {
            is_negated = false;
        }
    }
    left.peek().is_none() && has_negation
}

fn is_negation(token: &str) -> bool {
    token == "!" || token.eq_ignore_ascii_case("not")
}

/// Joins the signs of an operator: `=` and `=` to `==`. A negation behind an operator stays apart.
fn joined_operators(tokens: &[&str]) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    for token in tokens {
        let is_sign = |token: &str| token.chars().all(|c| "!<>=".contains(c));
        match joined.last_mut().filter(|last| is_sign(last) && is_sign(token) && *token != "!") {
            Some(last) => last.push_str(token),
            None => joined.push((*token).to_owned()),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locate::align::line_text::LineText;

    #[test]
    fn a_condition_and_its_opposite() {
        let is_opposite = |one: &str, other: &str| {
            let (one, other) = (LineText::new(one), LineText::new(other));
            is_opposite(one.tokens(), other.tokens())
        };
        for (one, other) in [
            ("if (user.active) {", "if (!user.active) {"),
            ("if card.valid:", "if not (card.valid):"),
            ("if not done:", "if done:"),
            ("if a == b {", "if a != b {"),
            ("while i < n {", "while i >= n {"),
            ("if (a) {", "if (!a && b) {"),
        ] {
            assert!(is_opposite(one, other) && is_opposite(other, one), "{one} {other}");
        }
        for (one, other) in [
            ("while i < n {", "while i <= n {"),
            ("if (a) {", "if (a && !b) {"),
            ("if a == b {", "if a == c {"),
            ("if a != !b {", "if a != !b {"),
            ("if (a) {", "if (b) {"),
        ] {
            assert!(!is_opposite(one, other), "{one} {other}");
        }
    }
}
