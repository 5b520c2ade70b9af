//! The loops of the seeds as written: over texts, trying every position. The replacers must find the same positions.

use proptest::prelude::*;

use super::super::three_tier;
use super::super::trim::trim_start;
use super::super::*;

type Texts = Vec<String>;

/// Lines of the content, lines of the quote.
fn split<'a>(content: &'a str, quote: &'a str) -> (Vec<&'a str>, Vec<&'a str>) {
    (content.split('\n').collect(), quote.split('\n').collect())
}

fn blocks(lines: &[&str], count: usize) -> impl Iterator<Item = String> {
    lines.windows(count).map(|block| block.join("\n"))
}

fn popped(mut lines: Vec<&str>) -> Vec<&str> {
    lines.pop_if(|line| line.is_empty());
    lines
}

fn line_trimmed_loop(content: &str, quote: &str) -> Texts {
    let (lines, quoted) = split(content, quote);
    let quoted = popped(quoted);
    let same = |block: &String| block.split('\n').map(trim).eq(quoted.iter().map(|line| trim(line)));
    blocks(&lines, quoted.len()).filter(same).collect()
}

/// Returns first and last line of each block between anchors.
fn anchored(lines: &[&str], quoted: &[&str]) -> Vec<Range<usize>> {
    let fits = |at: usize, quoted: &str| trim(lines[at]) == trim(quoted);
    let first = (0..lines.len()).filter(|&i| fits(i, quoted[0]));
    first
        .filter_map(|i| Some(i..(i + 2..lines.len()).find(|&j| fits(j, quoted[quoted.len() - 1]))?))
        .collect()
}

fn block_anchor_loop(content: &str, quote: &str) -> Texts {
    let (lines, quoted) = split(content, quote);
    if quoted.len() < 3 {
        return Vec::new();
    }
    let quoted = popped(quoted);
    let candidates = anchored(&lines, &quoted);
    let mut best = None;
    let mut most = if candidates.len() == 1 { SINGLE_CANDIDATE_SIMILARITY_THRESHOLD } else { -1.0 };
    for block in &candidates {
        let to_check = quoted.len().min(block.len() + 1).saturating_sub(2);
        let mut similarity = 0.0;
        for j in 1..=to_check {
            let (line, quoted) = (trim(lines[block.start + j]), trim(quoted[j]));
            similarity +=
                if line.is_empty() && quoted.is_empty() { 0.0 } else { super::similarity(line, quoted) };
        }
        similarity =
            if to_check == 0 { 1.0 } else { similarity / f64::from(u32::try_from(to_check).unwrap()) };
        if similarity > most || candidates.len() == 1 {
            (most, best) = (similarity, Some(block));
        }
    }
    let enough = candidates.len() == 1 || most >= MULTIPLE_CANDIDATES_SIMILARITY_THRESHOLD;
    best.filter(|_| enough).map(|block| lines[block.start..=block.end].join("\n")).into_iter().collect()
}

fn normalized(text: &str) -> String {
    text.split(is_space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn whitespace_normalized_loop(content: &str, quote: &str) -> Texts {
    let (lines, quoted) = split(content, quote);
    let wanted = normalized(quote);
    let mut texts = Vec::new();
    for line in &lines {
        if normalized(line) == wanted {
            texts.push((*line).to_owned());
        } else if normalized(line).contains(&wanted) {
            // The leftmost and then shortest part without surrounding whitespace that normalizes to the quote.
            let starts = (0..=line.len()).filter(|&at| line.is_char_boundary(at));
            let parts =
                starts.flat_map(|start| (start..=line.len()).filter_map(move |end| line.get(start..end)));
            texts.extend(
                parts
                    .into_iter()
                    .find(|part| trim(part) == *part && normalized(part) == wanted)
                    .map(str::to_owned),
            );
        }
    }
    if quoted.len() > 1 {
        texts.extend(blocks(&lines, quoted.len()).filter(|block| normalized(block) == wanted));
    }
    texts
}

fn remove_indentation(text: &str) -> String {
    let depth = |line: &&str| line.chars().take_while(|c| is_space(*c)).count();
    let filled = text.split('\n').filter(|line| !trim(line).is_empty());
    let Some(least) = filled.map(|line| depth(&line)).min() else { return text.to_owned() };
    let cut =
        |line: &str| if trim(line).is_empty() { line.to_owned() } else { line.chars().skip(least).collect() };
    text.split('\n').map(cut).collect::<Vec<String>>().join("\n")
}

fn indentation_flexible_loop(content: &str, quote: &str) -> Texts {
    let (lines, quoted) = split(content, quote);
    let same = |block: &String| remove_indentation(block) == remove_indentation(quote);
    blocks(&lines, quoted.len()).filter(same).collect()
}

fn escape_normalized_loop(content: &str, quote: &str) -> Texts {
    let wanted = unescape(quote);
    let (lines, quoted) = split(content, &wanted);
    let read = blocks(&lines, quoted.len()).filter(|block| unescape(block) == wanted);
    content.contains(&*wanted).then(|| wanted.to_string()).into_iter().chain(read).collect()
}

fn trimmed_boundary_loop(content: &str, quote: &str) -> Texts {
    let wanted = trim(quote);
    if wanted == quote {
        return Vec::new();
    }
    let (lines, quoted) = split(content, quote);
    let around = blocks(&lines, quoted.len()).filter(|block| trim(block) == wanted);
    content.contains(wanted).then(|| wanted.to_owned()).into_iter().chain(around).collect()
}

fn context_aware_loop(content: &str, quote: &str) -> Texts {
    let (lines, quoted) = split(content, quote);
    if quoted.len() < 3 {
        return Vec::new();
    }
    let quoted = popped(quoted);
    let sized = anchored(&lines, &quoted).into_iter().map(|block| &lines[block.start..=block.end]);
    let half = |block: &&[&str]| {
        let pairs =
            || block.iter().zip(&quoted).skip(1).take(quoted.len() - 2).map(|(a, b)| (trim(a), trim(b)));
        let filled = pairs().filter(|(a, b)| !a.is_empty() || !b.is_empty());
        let (same, other): (Vec<_>, Vec<_>) = filled.partition(|(a, b)| a == b);
        same.len() >= other.len()
    };
    sized.filter(|block| block.len() == quoted.len()).filter(half).map(|block| block.join("\n")).collect()
}

fn exact_loop(content: &str, quote: &str) -> Texts {
    content.contains(quote).then(|| quote.to_owned()).into_iter().collect()
}

const LOOPS: [fn(&str, &str) -> Texts; 9] = [
    exact_loop,
    line_trimmed_loop,
    block_anchor_loop,
    whitespace_normalized_loop,
    indentation_flexible_loop,
    escape_normalized_loop,
    trimmed_boundary_loop,
    context_aware_loop,
    exact_loop,
];

/// The `replace` of the seeds, which searches for texts.
fn replace_loop(content: &str, old: &str, new: &str, all: bool) -> Result<String, ReplaceError> {
    let mut found = false;
    for text in LOOPS.iter().flat_map(|texts| texts(content, old)) {
        let Some(index) = content.find(&text) else { continue };
        found = true;
        if all {
            return Ok(content.replace(&text, new));
        }
        if content.rfind(&text) == Some(index) {
            return Ok([&content[..index], new, &content[index + text.len()..]].concat());
        }
    }
    Err(if found { ReplaceError::Multiple } else { ReplaceError::NotFound })
}

/// All pairs of anchors, each with its score.
fn three_tier_loop(content: &str, old: &str) -> Option<Range<usize>> {
    let (lines, quoted) = split(content, old);
    let mut start = 0;
    let mut starts = Vec::new();
    for line in &lines {
        starts.push(start);
        start += line.len() + 1;
    }
    let fits = |at: &usize, quoted: &str| trim(lines[*at]) == trim(quoted);
    let first = || (0..lines.len()).filter(|at| fits(at, quoted[0]));
    let pairs: Vec<_> = first()
        .flat_map(|i| {
            (i + 1..lines.len()).filter(|at| fits(at, quoted[quoted.len() - 1])).map(move |j| (i, j))
        })
        .map(|(i, j)| starts[i]..starts[j] + lines[j].len())
        .collect();
    let threshold = if pairs.len() > 1 { 0.3 } else { 0.0 };
    let mut best: Option<(f64, &Range<usize>)> = None;
    for pair in &pairs {
        let score = super::similarity(old, &content[pair.clone()]);
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, pair));
        }
    }
    best.filter(|(score, _)| quoted.len() > 2 && *score >= threshold).map(|(_, pair)| pair.clone())
}

/// Generates a text with many similar lines, and a quote that is close to the text.
fn content_and_quote() -> impl Strategy<Value = (String, String)> {
    let piece = prop::sample::select(vec![
        "a",
        "b",
        "}",
        "begin",
        "end",
        "x = 1",
        "x  = 1",
        "\u{e9}",
        "\u{1f600}",
        " ",
        "  ",
        "\t",
        "\u{a0}",
        "\r",
        "\n",
        "\n",
        "\n",
        "\n",
        "\\n",
        "\\",
        "\\\\",
        "\\\"",
        "\"",
        "\\\n",
    ]);
    let pieces = prop::collection::vec(piece, 1..30);
    let lines = (0usize..100, 1usize..8, prop::collection::vec((any::<prop::sample::Index>(), 0..6), 0..3));
    (pieces, lines, any::<bool>()).prop_map(|(pieces, (from, count, changes), feed)| {
        let content = pieces.concat();
        let lines: Vec<_> = content.split('\n').collect();
        let from = from % lines.len();
        let mut quoted: Vec<_> = lines.iter().skip(from).take(count).map(|line| (*line).to_owned()).collect();
        for (at, change) in changes {
            let at = at.index(quoted.len());
            let line = quoted[at].clone();
            match change {
                0 => quoted[at] = format!(" {line}"),
                1 => quoted[at] = format!("{line} "),
                2 => quoted[at] = trim(&line).to_owned(),
                3 => quoted[at] = trim_start(&line).replace(' ', "  "),
                4 => quoted[at] = unescape(&line).into_owned(),
                _ => "bb".clone_into(&mut quoted[at]),
            }
        }
        let quote = quoted.join("\n") + if feed { "\n" } else { "" };
        (content, if quote.is_empty() { "a".to_owned() } else { quote })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn places_are_those_of_the_loops((content, quote) in content_and_quote()) {
        for ((name, replacer), texts) in REPLACERS.into_iter().zip(LOOPS) {
            let mut found: Texts = Vec::new();
            for place in replacer(&content, &quote) {
                let text = content.get(place);
                prop_assert!(text.is_some(), "{name}: in bounds, on character boundaries");
                found.extend(text.map(str::to_owned));
            }
            let mut wanted: Texts = texts(&content, &quote);
            // A text represents all its occurrences; only the first occurrence decides the order.
            for texts in [&mut found, &mut wanted] {
                let mut seen = std::collections::HashSet::new();
                texts.retain(|text| seen.insert(text.clone()));
            }
            prop_assert_eq!(found, wanted, "{}", name);
        }
    }

    #[test]
    fn no_replacer_yields_a_place_twice((content, quote) in content_and_quote()) {
        for (name, replacer) in REPLACERS {
            let mut seen = std::collections::HashSet::new();
            prop_assert!(replacer(&content, &quote).all(|place| seen.insert(place)), "{name}");
        }
    }

    #[test]
    fn replaced_as_by_the_loops((content, quote) in content_and_quote(), all in any::<bool>()) {
        // The only deviation: an empty text is not replaced between all characters.
        if !(all && trim(&quote).is_empty()) {
            prop_assert_eq!(replace(&content, &quote, "$& new", all), replace_loop(&content, &quote, "$& new", all));
        }
    }

    #[test]
    fn a_place_that_is_found_is_the_only_one_of_its_text((content, quote) in content_and_quote()) {
        if let Ok(found) = find(&content, &quote) {
            let text = &content[found.place.clone()];
            prop_assert_eq!((content.find(text), content.rfind(text)), (Some(found.place.start), Some(found.place.start)));
        }
    }

    #[test]
    fn three_tiers_as_by_the_loop((content, quote) in content_and_quote()) {
        if let Ok(found) = three_tier::find(&content, &quote) {
            prop_assert!(content.get(found.place.clone()).is_some());
            if found.replacer == "block-anchor" {
                prop_assert_eq!(Some(found.place), three_tier_loop(&content, &quote));
            }
        } else {
            prop_assert_eq!(three_tier_loop(&content, &quote), None);
        }
    }

    #[test]
    fn editkit_places_are_sound((content, quote) in content_and_quote()) {
        let out = editkit::find(&content, &quote, &quote, &editkit::Options::default());
        if let Ok(found) = out {
            let text = content.get(found.place.clone());
            prop_assert!(text.is_some_and(|text| normalized(text) == normalized(&quote)));
            // Replacing the quote by itself changes whitespace only, namely blank lines and line ends.
            let indented = found.replacement.split('\n').map(|line| line.trim_end_matches([' ', '\t', '\r']));
            let there = text.unwrap_or_default().split('\n').map(|line| line.trim_end_matches([' ', '\t', '\r']));
            if found.strategy == editkit::Strategy::IndentShift {
                prop_assert!(indented.map(trim_start).eq(there.clone().map(trim_start)) || quote.ends_with('\n'));
            }
        }
    }
}
