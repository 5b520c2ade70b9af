//! Every cost and threshold of placing, in a single table.
//!
//! A cost is a negative log-likelihood in tenths of a nat (`-10 ln p`): 23 is "one in ten", 46 is "one in a hundred".
//! Costs of independent events are added. Each constant has its reason and the case that fixed the value.
//!
//! The order of the costs matters more than their values: each may be multiplied by a random factor between 0.8 and 1.2
//! without a wrong edit (`cargo bench --bench drift -- --jitter SEED`).

/// The costs of a run. [`Costs::DEFAULT`] is the table of the tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Costs {
    // How a quoted line may differ from the line that was quoted.
    /// Trailing whitespace. Models hardly see trailing whitespace, so this cost only orders explanations.
    pub trailing_space: i32,
    /// Look-alike characters (curly quotes, dashes, no-break spaces, Unicode forms): happens all the time.
    pub look_alike: i32,
    /// Whitespace between words, or the other kind of quotation marks throughout.
    pub inner_space: i32,
    /// The line was read through a wrong code page.
    pub code_page: i32,
    /// Signs that the file has encoded, and the quote plain: `&amp;`, `\'`, `\u00fc`.
    pub encoded: i32,
    /// Type annotations of a declaration, or a comment at the end, that one of the lines has and the other has not.
    pub annotation: i32,
    /// A misspelt word: once in 16 lines. Below `margin`, so that a slip alone never decides between two positions.
    pub typo: i32,
    /// Each further wrong letter in that word, and each further misspelt word.
    pub typo_more: i32,
    /// A missing, additional or replaced bracket, comma or other sign.
    pub sign: i32,
    /// Each further kind of sign that differs.
    pub sign_more: i32,
    /// A different word. Above `margin`, so that a single word distinguishes two similar blocks.
    pub word: i32,
    /// Each further word that differs.
    pub word_more: i32,
    /// A different word that the file has elsewhere: rather copied from another line than remembered wrongly.
    pub word_known: i32,
    /// The quoted line is cut short.
    pub cut: i32,
    /// The line was rewritten, by the model or in the file; the content of the line is added. Less than a missing line
    /// and an additional line together.
    pub rewritten: i32,
    /// A removed line differs from the file. Models copy removed lines with more care than context: this keeps "the
    /// line is gone" apart from "a line was skipped".
    pub removed: i32,

    // Lines too many and lines too few. The gaps are affine: the first line costs more than each further line.
    /// A quoted line that is not in the file; its content is added.
    pub missing: i32,
    /// Each further quoted line in a row that is not in the file: likely next to the first.
    pub missing_more: i32,
    /// Lines of the file that are not quoted, between two quoted lines. A jump is a single event of any length. Above
    /// `margin`.
    pub skip: i32,
    /// Each further line of the jump. With 3 instead of 1, a quote across 30 new lines loses to a rewritten line nearby.
    pub skip_more: i32,
    /// A blank line too many or too few. With 10 instead of 18, a missing blank line would beat two skipped lines.
    pub blank: i32,
    /// Quoted lines that the file breaks at other positions: typical for a formatter.
    pub join: i32,
    /// A jump that a line of dots announces.
    pub dots: i32,
    /// Unquoted lines, or lines replaced by dots, that leave the block of the surrounding lines.
    pub gap_outside: i32,

    // Indentation.
    /// A single line with an indentation that differs from the map by whole steps of the indentation of the file.
    pub slip: i32,
    /// The same by half a step, or with different characters.
    pub slip_odd: i32,
    /// An added line as deep as the line that slipped, which may have slipped too.
    pub slip_added: i32,
    /// A shift of all lines: a single event for many lines, so less than a slip.
    pub shift: i32,
    /// A shift of all lines by a single column. A lost sign column is more likely.
    pub shift_one: i32,
    /// Another unit of indentation: tabs for spaces, two columns for four.
    pub scale: i32,
    /// Another unit and a shift.
    pub linear: i32,
    /// All lines of the quote are at the margin, at any depth in the file: just below a shift and a slip.
    pub flat: i32,
    /// No rule connects the indentation of the quote and that of the file: more than two slips.
    pub free: i32,
    /// No line of the quote shows that its indentation is the indentation of the file. Without this cost, a single quoted line
    /// that lost its indentation leaves the depth of the added lines open: 4 of 60 cases more are refused (`cargo bench --bench
    /// drift -- --seed 77 --cases 60 --only indent-lost`).
    pub unshown: i32,
    /// Most added lines would have a depth that no line nearby has. At least `margin + shift_one - read_signs`, so that
    /// the added lines alone can decide between these two.
    pub odd_depth: i32,

    // Readings of the quote.
    /// The blank line at the end of a chunk is not part of the quote.
    pub read_blank: i32,
    /// Line numbers were copied with the lines.
    pub read_numbers: i32,
    /// An encoder wrote the patch: entities, or a level of escapes.
    pub read_encoded: i32,
    /// `- item` is a context line without its sign.
    pub read_item: i32,
    /// `\n` as two characters is a line break.
    pub read_line_break: i32,
    /// The context lost its sign column. Above `margin`, so that this reading never ties with a shift.
    pub read_signs: i32,
    /// A context line next to a change is an added line that lost its `+`. Within `margin` of a missing line next to a
    /// change, but not of a missing bracket.
    pub lost_plus: i32,
    /// The same, if the line has the depth of its neighbours only without its first column.
    pub lost_plus_indented: i32,
    /// The same, right above a removed line.
    pub lost_plus_above: i32,

    // Whether the edit was made before.
    /// The edit was made before: patches are rarely sent twice. Above `margin`.
    pub made: i32,
    /// A removal at an end of the quote was already made: no trace of the removed line is left.
    pub made_open: i32,
    /// Some chunks of a file were already made and some not.
    pub made_in_part: i32,
    /// The factor for the content of a line that matches by chance. Content is limited per line, so a line of a similar
    /// block counts double.
    pub coincidence: i32,

    // Headers, order, numbers.
    /// The position is outside the block that the header introduces. Above `margin`: decides between equal positions.
    pub header: i32,
    /// The least evidence of an exact quote against a header that names another block than the one around: more than three lines that
    /// the file has once. With 150, the edit of `place/header/not-found/refused-short` is made; with 215, one of the drift cases is refused.
    pub header_named: i32,
    /// The position is not the end of the file, although the chunk requires the end.
    pub end_of_file: i32,
    /// The position is not at the line number of the diff, moved by what the hunk before shows.
    pub number: i32,
    /// For each factor of e in the distance to that line.
    pub number_more: i32,
    /// The chunks are not in the order of the file.
    pub order: i32,
    /// Two chunks change the same line, or add lines at the same point.
    pub clash: i32,
    /// Two equal chunks share a position: `margin` more than `order`, so that two exact positions in the wrong order are two changes,
    /// and less than `margin` more than a jump over a few lines, which is no better position for the second chunk.
    pub same_change: i32,

    // Content and evidence.
    /// The maximum evidence of a single line.
    pub content: i32,
    /// The evidence of a line without letters: a bracket.
    pub content_sign: i32,
    /// The target is not in this file, and the quoted lines are here by chance.
    pub null: i32,
    /// Evidence of a line that the file has more than once: this times the logarithm of lines per occurrence.
    pub null_found: i32,
    /// The target is not in this file, but a sibling is, and a single name below the line that opens the block shows that: each
    /// line that agrees counts this share, in hundredths. With 20 instead of 30, the drift benchmark refuses 11 % more clear edits,
    /// and has as many wrong ones (seed 9917, 60 cases a row).
    pub null_sibling: i32,
    /// The share, in hundredths, of the content of a missing context line that does not count against the null
    /// explanation, because an older version of the file explains the line as well as another text does. With 100
    /// instead of 50, the drift benchmark has one more wrong edit in 65,000 runs.
    pub null_stale: i32,
    /// The least evidence of a part of a quote, if the other quoted lines are far above or below, or not in the file: nearly two lines
    /// that the file has once. With 70, the twin of `guard/apart/twin-above-quoted-lines` is changed; with 125, the clear edit of
    /// `guard/apart/dots-over-a-section` is refused.
    pub apart: i32,
    /// The same, if the file has each line of the part, or each kept line beside removed lines, several times. With 100, the edit of
    /// `guard/apart/line-skipped-among-repeated` is made, which may be one of a twin.
    pub apart_vague: i32,

    // Decision.
    /// By how much every different result must be dearer: one in twenty. With 22, refusals are halved and fixtures go
    /// wrong; with 40, refusals triple.
    pub margin: i32,
    /// The margin if no line supports the second position.
    pub dominated: i32,
}

impl Costs {
    /// The table that the tool uses.
    pub const DEFAULT: Costs = Costs {
        trailing_space: 2,
        look_alike: 4,
        inner_space: 8,
        code_page: 12,
        encoded: 12,
        annotation: 12,
        typo: 28,
        typo_more: 8,
        sign: 25,
        sign_more: 8,
        word: 50,
        word_more: 15,
        word_known: 20,
        cut: 40,
        rewritten: 35,
        removed: 20,
        missing: 30,
        missing_more: 12,
        skip: 40,
        skip_more: 1,
        blank: 18,
        join: 25,
        dots: 3,
        gap_outside: 40,
        slip: 34,
        slip_odd: 60,
        slip_added: 10,
        shift: 22,
        shift_one: 40,
        scale: 24,
        linear: 40,
        flat: 53,
        free: 90,
        unshown: 20,
        odd_depth: 38,
        read_blank: 3,
        read_numbers: 8,
        read_encoded: 8,
        read_item: 10,
        read_line_break: 20,
        read_signs: 34,
        lost_plus: 56,
        lost_plus_indented: 35,
        lost_plus_above: 25,
        made: 40,
        made_open: 30,
        made_in_part: 30,
        coincidence: 2,
        header: 35,
        header_named: 200,
        end_of_file: 35,
        number: 32,
        number_more: 8,
        order: 40,
        clash: 40,
        same_change: 72,
        content: 60,
        content_sign: 5,
        null: 40,
        null_found: 10,
        null_sibling: 30,
        null_stale: 50,
        apart: 100,
        apart_vague: 140,
        margin: 30,
        dominated: 8,
    };

    /// Returns how much more than the cheapest explanation an explanation may cost and still be kept: the margin, plus
    /// the possible effect of order and headers.
    pub(crate) fn limit(&self) -> i32 {
        self.margin + 45
    }

    /// Returns the content of a line, by its letters and digits. The content saturates: a line of any length is a
    /// single piece of evidence. 5 letters are worth 24, 10 are worth 38, 20 are worth 52.
    pub(crate) fn content_of(&self, letters: usize, is_blank: bool) -> i32 {
        /// After so many letters, a line has 63 % of the most that a line can count.
        const LETTERS: f64 = 10.0;
        if letters == 0 {
            return if is_blank { 1 } else { self.content_sign };
        }
        let letters = f64::from(u32::try_from(letters).unwrap_or(u32::MAX));
        let content = f64::from(self.content) * (1.0 - libm::exp(-letters / LETTERS));
        // Between 0 and `content`, which is an i32.
        #[expect(clippy::cast_possible_truncation, reason = "the value lies between 0 and an i32")]
        let content = content as i32;
        content
    }
}
