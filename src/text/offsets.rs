//! Lists of byte offsets.

use std::ops::Range;

/// A non-decreasing list of byte offsets, as narrow as the largest offset allows.
#[derive(Debug)]
pub(super) enum Offsets {
    Narrow(Vec<u32>),
    Wide(Vec<usize>),
}

impl Offsets {
    /// Returns an empty list with room for `capacity` offsets of at most `largest`.
    pub(super) fn up_to(largest: usize, capacity: usize) -> Self {
        if u32::try_from(largest).is_ok() {
            Self::Narrow(Vec::with_capacity(capacity))
        } else {
            Self::Wide(Vec::with_capacity(capacity))
        }
    }

    #[inline]
    pub(super) fn push(&mut self, offset: usize) {
        match self {
            #[expect(clippy::cast_possible_truncation, reason = "`up_to` was told that all offsets fit")]
            Self::Narrow(offsets) => offsets.push(offset as u32),
            Self::Wide(offsets) => offsets.push(offset),
        }
    }

    /// Returns the list of offsets for a part of a content. Only the first line of the content begins at an offset that
    /// does not end another line.
    pub(super) fn beginning(part: usize, largest: usize, capacity: usize) -> Self {
        let mut starts = Self::up_to(largest, capacity);
        if part == 0 {
            starts.push(0);
        }
        starts
    }

    /// Joins the offsets of all parts, which have the same width.
    pub(super) fn joined(parts: Vec<Self>) -> Self {
        let mut parts = parts.into_iter();
        // There is always a first part.
        let mut joined = parts.next().unwrap_or_else(|| Offsets::up_to(0, 0));
        for part in parts {
            match (&mut joined, part) {
                (Self::Narrow(offsets), Self::Narrow(more)) => offsets.extend(more),
                (offsets, more) => (0..more.len()).for_each(|index| offsets.push(more.get(index))),
            }
        }
        joined
    }

    /// Appends the offsets of a range of another list, each moved from `from` to `to`.
    pub(super) fn extend_moved(&mut self, others: &Self, range: Range<usize>, from: usize, to: usize) {
        match (&mut *self, others) {
            #[expect(clippy::cast_possible_truncation, reason = "`up_to` was told that all offsets fit")]
            (Self::Narrow(offsets), Self::Narrow(others)) => {
                let by = to.wrapping_sub(from) as u32;
                offsets.extend(others[range].iter().map(|offset| offset.wrapping_add(by)));
            }
            _ => range.for_each(|index| self.push(others.get(index) - from + to)),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Narrow(offsets) => offsets.len(),
            Self::Wide(offsets) => offsets.len(),
        }
    }

    /// Returns the offset at `index`, or the last offset if there are fewer; 0 for an empty list.
    pub(super) fn get(&self, index: usize) -> usize {
        match self {
            Self::Narrow(offsets) => {
                offsets.get(index).or(offsets.last()).map_or(0, |offset| *offset as usize)
            }
            Self::Wide(offsets) => offsets.get(index).or(offsets.last()).map_or(0, |offset| *offset),
        }
    }

    /// Returns how many offsets are at most `limit`.
    pub(super) fn count_up_to(&self, limit: usize) -> usize {
        match self {
            Self::Narrow(offsets) => offsets.partition_point(|offset| *offset as usize <= limit),
            Self::Wide(offsets) => offsets.partition_point(|offset| *offset <= limit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of 4 GiB is too large for a test, so the wide list is compared with the narrow list.
    #[test]
    fn wide_offsets_behave_like_narrow_ones() {
        let mut lists = [Offsets::up_to(9, 3), Offsets::Wide(Vec::new())];
        for list in &mut lists {
            for offset in [0, 4, 9] {
                list.push(offset);
            }
        }
        let [narrow, wide] = lists;
        assert!(matches!(narrow, Offsets::Narrow(_)));
        assert_eq!(narrow.len(), wide.len());
        for at in 0..12 {
            assert_eq!(narrow.get(at), wide.get(at));
            assert_eq!(narrow.count_up_to(at), wide.count_up_to(at));
        }
    }

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn offsets_are_wide_from_four_gibibytes_on() {
        assert!(matches!(Offsets::up_to(u32::MAX as usize, 0), Offsets::Narrow(_)));
        assert!(matches!(Offsets::up_to(u32::MAX as usize + 1, 0), Offsets::Wide(_)));
    }

    #[test]
    fn moved_offsets_are_the_same_in_both_widths() {
        let narrow = Offsets::Narrow(vec![0, 4, 9, 12]);
        let wide = Offsets::Wide(vec![0, 4, 9, 12]);
        for others in [&narrow, &wide] {
            for mut moved in [Offsets::up_to(20, 0), Offsets::Wide(Vec::new())] {
                moved.extend_moved(others, 1..3, 4, 2);
                moved.extend_moved(others, 3..4, 2, 5);
                assert_eq!((0..3).map(|index| moved.get(index)).collect::<Vec<_>>(), [2, 7, 15]);
            }
        }
    }
}
