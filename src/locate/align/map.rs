//! Indentation maps: the rule that maps the indentation of the quote to the indentation of the file.
//!
//! A map is a parameter of the alignment. A line that does not follow the map costs extra, and added lines are written
//! with the mapped indentation.

use std::borrow::Cow;

use super::cost::Costs;

/// The rule by which the indentation of the quote becomes that of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum IndentMap {
    /// The indentation is equal.
    Same,
    /// So many characters more, or fewer if negative.
    Shift { character: char, by: i32 },
    /// Maps units: `from_base` characters become `to_base`, and each further `from_step` characters become `to_step`
    /// more. Between units of spaces, one further space, as in front of the star of a comment, stays one space.
    Linear { from: char, to: char, from_step: i32, to_step: i32, from_base: i32, to_base: i32 },
    /// The quote has no indentation, the file has several depths.
    Flat,
    /// No rule.
    Free,
}

impl IndentMap {
    /// Checks whether the map is a rule that maps every indentation.
    pub(crate) fn is_rule(self) -> bool {
        !matches!(self, IndentMap::Flat | IndentMap::Free)
    }

    /// Returns the prior cost of the map.
    pub(crate) fn prior(self, costs: &Costs) -> i32 {
        match self {
            IndentMap::Same => 0,
            IndentMap::Shift { character: ' ', by: -1 | 1 } => costs.shift_one,
            IndentMap::Shift { .. } => costs.shift,
            IndentMap::Linear { from: ' ', from_step: 1, .. }
            | IndentMap::Linear { from: ' ', to: ' ', from_step: 2, to_step: 4, .. } => costs.linear,
            // A tab of an odd width: a lost sign column is as likely.
            IndentMap::Linear { from: ' ', to: '\t', from_step, to_step: 1, .. } if from_step % 2 == 1 => {
                costs.linear
            }
            IndentMap::Linear { from_base: 0, to_base: 0, .. } => costs.scale,
            IndentMap::Linear { .. } => costs.linear,
            IndentMap::Flat => costs.flat,
            IndentMap::Free => costs.free,
        }
    }

    /// Returns the indentation of the file for an indentation of the quote; `None` if the map has no result.
    pub(crate) fn apply(self, indent: &str) -> Option<Cow<'_, str>> {
        match self {
            IndentMap::Same => Some(Cow::Borrowed(indent)),
            IndentMap::Shift { character, by } => {
                let length = length_of(indent, character)? + by;
                repeated(character, length).map(Cow::Owned)
            }
            IndentMap::Linear { from, to, from_step, to_step, from_base, to_base } => {
                let length = length_of(indent, from)?;
                let (levels, rest) =
                    ((length - from_base).div_euclid(from_step), (length - from_base).rem_euclid(from_step));
                if from == ' ' && to == ' ' && from_step > 1 && rest == 1 {
                    // The star of a comment is a column right of its level.
                    return repeated(to, to_base + levels * to_step + rest).map(Cow::Owned);
                }
                let scaled = (length - from_base) * to_step + to_base * from_step;
                // The rest of a tab stays spaces.
                let rest = scaled.rem_euclid(from_step);
                let whole = repeated(to, scaled.div_euclid(from_step))?;
                match rest {
                    0 => Some(Cow::Owned(whole)),
                    _ if from == ' ' && to == '\t' && to_step == 1 => {
                        Some(Cow::Owned(whole + &repeated(' ', rest)?))
                    }
                    _ => None,
                }
            }
            IndentMap::Flat | IndentMap::Free => None,
        }
    }

    /// Describes the map in words.
    pub(crate) fn name(self) -> String {
        match self {
            IndentMap::Same => "the same".to_owned(),
            IndentMap::Shift { character, by } => {
                format!("{} {}", count_of(character, by.abs()), if by < 0 { "fewer" } else { "more" })
            }
            IndentMap::Linear { from, to, from_step, to_step, .. } => {
                format!("{} for {}", count_of(to, to_step), count_of(from, from_step))
            }
            IndentMap::Flat => "none, where the file has several depths".to_owned(),
            IndentMap::Free => "no rule".to_owned(),
        }
    }

    /// Returns the prior cost of the map, and the cost of the pairs that it does not map.
    fn prior_with_misfits(self, costs: &Costs, counted: &[Counted<'_, '_>]) -> i32 {
        let misfits = counted.iter().filter(|((quoted, actual), _)| !self.maps(quoted, actual));
        let misfits: i32 = misfits.map(|(_, count)| count).sum();
        self.prior(costs).saturating_add(costs.slip.saturating_mul(misfits))
    }

    /// Checks whether the map maps one indentation to another.
    pub(crate) fn maps(self, quoted: &str, actual: &str) -> bool {
        self.apply(quoted).is_some_and(|mapped| mapped == actual)
    }
}

/// Describes a number of tabs or spaces.
fn count_of(character: char, count: i32) -> String {
    let unit = if character == '\t' { "tab" } else { "space" };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

/// Returns the length of an indentation of only this character; `None` if the indentation has other characters.
fn length_of(indent: &str, character: char) -> Option<i32> {
    indent.chars().all(|c| c == character).then(|| i32::try_from(indent.len()).ok())?
}

/// Returns a text of `length` characters; `None` if the length is negative or too large for an indentation.
fn repeated(character: char, length: i32) -> Option<String> {
    /// The longest indentation that is written.
    const LONGEST: usize = 4096;
    let length = usize::try_from(length).ok().filter(|length| *length <= LONGEST)?;
    Some(character.to_string().repeat(length))
}

/// The indentation of a quoted line, and of the paired line of the file.
pub(crate) type IndentPair<'p> = (Cow<'p, str>, Cow<'p, str>);

/// The maximum number of maps that are proposed for an alignment.
const MOST_MAPS: usize = 5;

/// The maximum number of different pairs that are combined.
const MOST_PAIRS: usize = 12;

/// The largest ratio of two units.
const LARGEST_RATIO: i32 = 8;

/// Proposes maps that explain the pairs of an alignment: maps that are not much worse than the best, the best first.
/// [`IndentMap::Free`] is proposed if each map has more than two misfits. The order of the pairs does not matter.
pub(crate) fn propose(costs: &Costs, counted: &[Counted<'_, '_>]) -> Vec<IndentMap> {
    if counted.iter().all(|((quoted, actual), _)| quoted == actual) {
        return vec![IndentMap::Same];
    }
    let mut maps = vec![IndentMap::Same];
    for ((quoted, actual), _) in counted.iter().filter(|((quoted, actual), _)| quoted != actual) {
        maps.extend(shift(quoted, actual));
        maps.extend(scale(quoted, actual));
    }
    if counted.len() <= MOST_PAIRS {
        for (nth, (one, _)) in counted.iter().enumerate() {
            maps.extend(counted[nth + 1..].iter().filter_map(|(other, _)| line_through(one, other)));
        }
    }
    maps.sort_unstable();
    maps.dedup();
    let mut scored: Vec<(i32, IndentMap)> =
        maps.into_iter().map(|map| (map.prior_with_misfits(costs, counted), map)).collect();
    scored.sort_unstable();
    let best = scored.first().map_or(0, |(score, _)| *score);
    scored.retain(|(score, _)| *score <= best + costs.limit());
    let mut maps: Vec<IndentMap> = scored.into_iter().map(|(_, map)| map).take(MOST_MAPS).collect();
    if best > 2 * costs.slip {
        maps.push(IndentMap::Free);
    }
    maps
}

/// A pair, and how often the pair occurs.
pub(crate) type Counted<'c, 'p> = (&'c IndentPair<'p>, i32);

/// Checks whether an indentation consists of a single character; an empty indentation matches both a tab and a space.
fn has_only(indent: &str, character: char) -> bool {
    indent.chars().all(|c| c == character)
}

fn length(indent: &str) -> i32 {
    i32::try_from(indent.len()).unwrap_or(i32::MAX)
}

fn shift(quoted: &str, actual: &str) -> Vec<IndentMap> {
    let both = |character: &char| has_only(quoted, *character) && has_only(actual, *character);
    let by = length(actual) - length(quoted);
    [' ', '\t'].into_iter().filter(both).map(|character| IndentMap::Shift { character, by }).collect()
}

/// Units in the ratio of two indentations: tabs for spaces, two columns for four.
fn scale(quoted: &str, actual: &str) -> Vec<IndentMap> {
    units(quoted, actual)
        .filter_map(|(from, to)| linear(from, to, (0, 0), (length(quoted), length(actual))))
        .collect()
}

/// Returns the linear map through two pairs.
fn line_through(one: &IndentPair<'_>, other: &IndentPair<'_>) -> Option<IndentMap> {
    let (near, far) = if one.0.len() < other.0.len() { (one, other) } else { (other, one) };
    let fits = |(from, to): &(char, char)| has_only(&near.0, *from) && has_only(&near.1, *to);
    units(&far.0, &far.1).filter(fits).find_map(|(from, to)| {
        linear(from, to, (length(&near.0), length(&near.1)), (length(&far.0), length(&far.1)))
    })
}

/// Returns the characters that two indentations may consist of.
fn units<'i>(quoted: &'i str, actual: &'i str) -> impl Iterator<Item = (char, char)> + 'i {
    let all = [(' ', ' '), (' ', '\t'), ('\t', ' '), ('\t', '\t')];
    all.into_iter().filter(move |(from, to)| has_only(quoted, *from) && has_only(actual, *to))
}

/// Returns the map through two points, each a length in the quote and in the file. Unusual ratios are left out: 3:2 and
/// 4:1 would explain a lost sign column.
fn linear(from: char, to: char, near: (i32, i32), far: (i32, i32)) -> Option<IndentMap> {
    let (wide, tall) = (far.0 - near.0, far.1 - near.1);
    if wide <= 0 || tall <= 0 {
        return None;
    }
    let divisor = greatest_common_divisor(wide, tall);
    let (from_step, to_step) = (wide / divisor, tall / divisor);
    let is_usual = if from == to {
        from == ' ' && matches!((from_step, to_step), (1, 2) | (2, 1))
    } else {
        from_step.min(to_step) == 1 && from_step.max(to_step) <= LARGEST_RATIO
    };
    // A level has at least two spaces, unless a line has an odd number.
    let is_of_levels = from == to && from_step == 1 && wide % 2 == 0;
    let (from_step, to_step) = if is_of_levels { (2, 4) } else { (from_step, to_step) };
    // A line through the origin has no base.
    let (from_base, to_base) = if near.0 * to_step == near.1 * from_step { (0, 0) } else { near };
    is_usual.then_some(IndentMap::Linear { from, to, from_step, to_step, from_base, to_base })
}

fn greatest_common_divisor(a: i32, b: i32) -> i32 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proposed(pairs: &[(&'static str, &'static str)]) -> Vec<IndentMap> {
        let pairs: Vec<IndentPair<'_>> = pairs.iter().map(|(q, f)| ((*q).into(), (*f).into())).collect();
        propose(&Costs::DEFAULT, &pairs.iter().map(|pair| (pair, 1)).collect::<Vec<_>>())
    }

    #[test]
    fn a_shift_is_preferred_to_a_ratio() {
        let maps = proposed(&[("", "    "), ("    ", "        ")]);
        assert_eq!(maps[0], IndentMap::Shift { character: ' ', by: 4 });
        assert_eq!(maps[0].apply("  ").as_deref(), Some("      "));
    }

    #[test]
    fn tabs_for_spaces_are_a_ratio() {
        let maps = proposed(&[("    ", "\t"), ("        ", "\t\t")]);
        assert_eq!(maps[0].apply("            ").as_deref(), Some("\t\t\t"));
        assert_eq!(maps[0].apply("      ").as_deref(), Some("\t  "));
    }

    #[test]
    fn a_star_is_a_column_right_of_its_level() {
        for (pairs, odd, result) in [
            ([("  ", "    "), ("    ", "        ")], "   ", "     "),
            ([("    ", "  "), ("        ", "    ")], "     ", "   "),
            ([(" ", "  "), ("  ", "    ")], "   ", "      "),
        ] {
            assert_eq!(proposed(&pairs)[0].apply(odd).as_deref(), Some(result), "{pairs:?}");
        }
    }

    #[test]
    fn nothing_is_left_of_the_margin() {
        assert_eq!(IndentMap::Shift { character: ' ', by: -4 }.apply("  "), None);
    }
}
