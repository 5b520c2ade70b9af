//! Costs with random factors: what the order of the costs decides does not depend on their exact values.

use apply_patch::locate::{Costs, replace_costs};

use crate::random::Random;

/// By how much a cost may be lower or higher, in percent.
const PERCENT: usize = 20;

/// Multiplies each of the named fields by a random factor. A field of [`Costs`] that is not named does not compile.
macro_rules! scaled {
    ($costs:expr, $scale:expr, $($field:ident),* $(,)?) => {{
        let Costs { $($field),* } = $costs;
        Costs { $($field: $scale($field)),* }
    }};
}

/// Replaces the costs of this process by random ones. Returns whether these are used: costs are replaced once.
pub(crate) fn jitter(seed: u64) -> bool {
    let mut random = Random::new(seed, "jitter", 0);
    let mut vary = |cost: i32| {
        let percent = random.within(100 - PERCENT..=100 + PERCENT);
        // The factor is 80 to 120, so that the conversion never fails.
        (cost * i32::try_from(percent).unwrap_or(100) + 50) / 100
    };
    replace_costs(scaled!(
        Costs::DEFAULT,
        vary,
        trailing_space,
        look_alike,
        inner_space,
        code_page,
        encoded,
        annotation,
        typo,
        typo_more,
        sign,
        sign_more,
        word,
        word_more,
        word_known,
        cut,
        rewritten,
        removed,
        missing,
        missing_more,
        skip,
        skip_more,
        blank,
        join,
        dots,
        gap_outside,
        slip,
        slip_odd,
        slip_added,
        shift,
        shift_one,
        scale,
        linear,
        flat,
        free,
        unshown,
        odd_depth,
        read_blank,
        read_numbers,
        read_encoded,
        read_item,
        read_line_break,
        read_signs,
        lost_plus,
        lost_plus_indented,
        lost_plus_above,
        made,
        made_open,
        made_in_part,
        coincidence,
        header,
        header_named,
        end_of_file,
        number,
        number_more,
        order,
        clash,
        same_change,
        content,
        content_sign,
        null,
        null_found,
        null_sibling,
        null_stale,
        apart,
        apart_vague,
        margin,
        dominated,
    ))
}
