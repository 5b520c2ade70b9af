//! Random numbers that are the same on every machine: a case is named by its seed.

use std::ops::RangeInclusive;

/// The generator `SplitMix64`: one number of state, and good enough to choose lines.
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    /// The numbers of one case. The name is part of the seed, so that a new operator leaves the cases of the others
    /// as they were.
    pub(crate) fn new(seed: u64, name: &str, nth: usize) -> Self {
        let salt = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let mut random = Random(seed ^ salt);
        random.0 = random.number().wrapping_add(nth as u64);
        random
    }

    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.number() % end.max(1) as u64).unwrap_or(0)
    }

    /// A number of a range.
    pub(crate) fn within(&mut self, range: RangeInclusive<usize>) -> usize {
        range.start() + self.below(range.end() + 1 - range.start())
    }

    /// Whether what happens once in `of` times happens.
    pub(crate) fn once_in(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    /// One of some things; `None` where there are none.
    pub(crate) fn pick<T: Clone>(&mut self, things: &[T]) -> Option<T> {
        things.get(self.below(things.len())).cloned()
    }
}
