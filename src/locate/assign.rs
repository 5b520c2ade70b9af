//! Choosing the places of all edits of a file together.
//!
//! The edits come in the file's order. So of all ways to give each edit one of its places, only those count in
//! which the places ascend and no line is changed twice; an edit that has the same place in every such way has
//! one place. Ways are not listed but counted, from the front and from the back.

/// What an edit changes in the document.
///
/// Counted in half lines, so that a gap between lines has a width: line `n` is `2n+1..2n+2`, the gap before it
/// `2n..2n+1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Core {
    pub(super) start: usize,
    pub(super) end: usize,
}

/// What an edit would change at each of its places: ascending by start, never empty.
pub(super) type Contender = Vec<Core>;

/// What the edits' order leaves of their places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Assignment {
    /// For each edit which of its places it has in some ascending way: never none.
    Ascending(Vec<Vec<usize>>),
    /// There is no ascending way.
    Disordered,
}

/// Narrows the places of all edits by their order.
pub(super) fn assign(contenders: &[Contender]) -> Assignment {
    let forward = reachable(contenders);
    let backward = reachable_backward(contenders);
    let both = |(before, after): (Vec<bool>, Vec<bool>)| -> Vec<usize> {
        let open = before.into_iter().zip(after).enumerate();
        open.filter(|(_, (before, after))| *before && *after).map(|(nth, _)| nth).collect()
    };
    let narrowed: Vec<Vec<usize>> = forward.into_iter().zip(backward).map(both).collect();
    if narrowed.iter().any(Vec::is_empty) { Assignment::Disordered } else { Assignment::Ascending(narrowed) }
}

/// For each place, whether the edits before can be put before it.
fn reachable(contenders: &[Contender]) -> Vec<Vec<bool>> {
    let mut earliest_end = Some(0);
    let mut all = Vec::with_capacity(contenders.len());
    for cores in contenders {
        let open: Vec<bool> =
            cores.iter().map(|core| earliest_end.is_some_and(|end| end <= core.start)).collect();
        earliest_end = cores.iter().zip(&open).filter(|(_, open)| **open).map(|(core, _)| core.end).min();
        all.push(open);
    }
    all
}

/// For each place, whether the edits behind can be put behind it.
fn reachable_backward(contenders: &[Contender]) -> Vec<Vec<bool>> {
    let mut latest_start = Some(usize::MAX);
    let mut all = Vec::with_capacity(contenders.len());
    for cores in contenders.iter().rev() {
        let open: Vec<bool> =
            cores.iter().map(|core| latest_start.is_some_and(|start| core.end <= start)).collect();
        latest_start = cores.iter().zip(&open).filter(|(_, open)| **open).map(|(core, _)| core.start).max();
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
        places.iter().map(|line| Core { start: 2 * line + 1, end: 2 * line + 2 }).collect()
    }

    fn gap(places: &[usize]) -> Contender {
        places.iter().map(|line| Core { start: 2 * line, end: 2 * line + 1 }).collect()
    }

    #[test]
    fn the_only_ascending_way_is_found() {
        let edits = [line(&[4]), line(&[1, 9]), line(&[2, 12])];
        assert_eq!(assign(&edits), Assignment::Ascending(vec![vec![0], vec![1], vec![1]]));
    }

    #[test]
    fn what_the_order_leaves_open_stays_open() {
        assert_eq!(assign(&[line(&[4]), line(&[7, 9])]), Assignment::Ascending(vec![vec![0], vec![0, 1]]));
    }

    #[test]
    fn two_insertions_at_one_point_are_no_way() {
        assert_eq!(assign(&[gap(&[3]), gap(&[3])]), Assignment::Disordered);
        assert_eq!(assign(&[gap(&[3]), gap(&[3, 5])]), Assignment::Ascending(vec![vec![0], vec![1]]));
    }

    #[test]
    fn a_change_and_an_insertion_right_behind_it_are_in_order() {
        assert_eq!(assign(&[line(&[3]), gap(&[4])]), Assignment::Ascending(vec![vec![0], vec![0]]));
    }

    /// Every way to choose, listed.
    fn naive(contenders: &[Contender]) -> Vec<Vec<usize>> {
        let mut ways = vec![Vec::new()];
        for contender in contenders {
            ways = ways
                .into_iter()
                .flat_map(|way: Vec<usize>| {
                    (0..contender.len()).map(move |place| [way.clone(), vec![place]].concat())
                })
                .collect();
        }
        ways.retain(|way| {
            let cores: Vec<_> = way.iter().zip(contenders).map(|(place, cores)| cores[*place]).collect();
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
