//! Choosing the places of all edits of a file together.
//!
//! The edits come in the file's order. So of all ways to give each edit one of its places, only those count in
//! which the places ascend and no line is changed twice; an edit that has the same place in every such way has
//! one place. Ways are not listed but counted, from the front and from the back.

/// What an edit changes, relative to the line where its quote begins.
///
/// Counted in half lines, so that a gap between lines has a width: line `n` is `2n+1..2n+2`, the gap before it
/// `2n..2n+1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Core {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Core {
    fn at(self, line: usize) -> Core {
        Core { start: self.start + 2 * line, end: self.end + 2 * line }
    }
}

/// An edit with its possible places.
#[derive(Debug, Clone)]
pub(super) struct Contender {
    pub(super) core: Core,
    /// Lines, 0-based, ascending, never empty.
    pub(super) places: Vec<usize>,
}

/// What the edits' order leaves of their places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Assignment {
    /// For each edit the places that it has in some ascending way: never none.
    Ascending(Vec<Vec<usize>>),
    /// There is no ascending way.
    Disordered,
}

/// Narrows the places of all edits by their order.
pub(super) fn assign(contenders: &[Contender]) -> Assignment {
    let forward = reachable(contenders);
    let backward = reachable_backward(contenders);
    let narrowed: Vec<Vec<usize>> = contenders
        .iter()
        .zip(forward.iter().zip(&backward))
        .map(|(contender, (before, after))| {
            let open = before.iter().zip(after).map(|(before, after)| *before && *after);
            contender.places.iter().zip(open).filter(|(_, open)| *open).map(|(place, _)| *place).collect()
        })
        .collect();
    if narrowed.iter().any(Vec::is_empty) { Assignment::Disordered } else { Assignment::Ascending(narrowed) }
}

/// For each place, whether the edits before can be put before it.
fn reachable(contenders: &[Contender]) -> Vec<Vec<bool>> {
    let mut earliest_end = Some(0);
    let mut all = Vec::with_capacity(contenders.len());
    for contender in contenders {
        let cores = contender.places.iter().map(|place| contender.core.at(*place));
        let open: Vec<bool> =
            cores.clone().map(|core| earliest_end.is_some_and(|end| end <= core.start)).collect();
        earliest_end = cores.zip(&open).find(|(_, open)| **open).map(|(core, _)| core.end);
        all.push(open);
    }
    all
}

/// For each place, whether the edits behind can be put behind it.
fn reachable_backward(contenders: &[Contender]) -> Vec<Vec<bool>> {
    let mut latest_start = Some(usize::MAX);
    let mut all = Vec::with_capacity(contenders.len());
    for contender in contenders.iter().rev() {
        let cores = contender.places.iter().map(|place| contender.core.at(*place));
        let open: Vec<bool> =
            cores.clone().map(|core| latest_start.is_some_and(|start| core.end <= start)).collect();
        latest_start = cores.zip(&open).rfind(|(_, open)| **open).map(|(core, _)| core.start);
        all.push(open);
    }
    all.reverse();
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn line(places: &[usize]) -> Contender {
        Contender { core: Core { start: 1, end: 2 }, places: places.to_vec() }
    }

    fn gap(places: &[usize]) -> Contender {
        Contender { core: Core { start: 0, end: 1 }, places: places.to_vec() }
    }

    #[test]
    fn the_only_ascending_way_is_found() {
        let edits = [line(&[4]), line(&[1, 9]), line(&[2, 12])];
        assert_eq!(assign(&edits), Assignment::Ascending(vec![vec![4], vec![9], vec![12]]));
    }

    #[test]
    fn what_the_order_leaves_open_stays_open() {
        assert_eq!(assign(&[line(&[4]), line(&[7, 9])]), Assignment::Ascending(vec![vec![4], vec![7, 9]]));
    }

    #[test]
    fn two_insertions_at_one_point_are_no_way() {
        assert_eq!(assign(&[gap(&[3]), gap(&[3])]), Assignment::Disordered);
        assert_eq!(assign(&[gap(&[3]), gap(&[3, 5])]), Assignment::Ascending(vec![vec![3], vec![5]]));
    }

    #[test]
    fn a_change_and_an_insertion_right_behind_it_are_in_order() {
        assert_eq!(assign(&[line(&[3]), gap(&[4])]), Assignment::Ascending(vec![vec![3], vec![4]]));
    }

    /// Every way to choose, listed.
    fn naive(contenders: &[Contender]) -> Vec<Vec<usize>> {
        let mut ways = vec![Vec::new()];
        for contender in contenders {
            ways = ways
                .into_iter()
                .flat_map(|way: Vec<usize>| {
                    contender.places.iter().map(move |place| [way.clone(), vec![*place]].concat())
                })
                .collect();
        }
        ways.retain(|way| {
            let cores: Vec<_> = way.iter().zip(contenders).map(|(place, c)| c.core.at(*place)).collect();
            cores.windows(2).all(|pair| pair[0].end <= pair[1].start)
        });
        ways
    }

    proptest! {
        #[test]
        fn same_as_listing_all_ways(
            edits in prop::collection::vec((any::<bool>(), prop::collection::btree_set(0usize..8, 1..4)), 1..5)
        ) {
            let contenders: Vec<_> = edits
                .into_iter()
                .map(|(gaps, places)| {
                    let places: Vec<_> = places.into_iter().collect();
                    if gaps { gap(&places) } else { line(&places) }
                })
                .collect();
            let ways = naive(&contenders);
            let expected = if ways.is_empty() {
                Assignment::Disordered
            } else {
                let of = |nth: usize| {
                    let places: std::collections::BTreeSet<_> = ways.iter().map(|way| way[nth]).collect();
                    places.into_iter().collect()
                };
                Assignment::Ascending((0..contenders.len()).map(of).collect())
            };
            prop_assert_eq!(assign(&contenders), expected);
        }
    }
}
