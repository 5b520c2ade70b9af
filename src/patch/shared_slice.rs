//! A list, or a range of a shared list.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// Elements that read as a slice: owned, or a range of a `Vec` shared through `Arc`. The lines of all chunks of a text
/// are a single list, so that a chunk of a few lines allocates nothing, and cloning a chunk copies no line.
///
/// ```
/// use apply_patch::patch::{Header, SharedSlice};
///
/// let mut headers = SharedSlice::from(vec![Header { number: None, text: "impl Item {".into() }]);
/// headers.to_mut().push(Header { number: None, text: "fn new() {".into() });
/// assert_eq!(headers[1].text, "fn new() {");
/// ```
#[derive(Clone)]
pub struct SharedSlice<T>(Kept<T>);

#[derive(Clone)]
enum Kept<T> {
    Own(Vec<T>),
    Shared {
        /// `None` while the list is being built.
        list: Option<Arc<Vec<T>>>,
        /// The elements of the list that belong to this slice, 0-based.
        range: Range<usize>,
    },
}

impl<T> SharedSlice<T> {
    /// Returns a range at the end of a list that is still being built. The slice is empty until
    /// [`complete`](Self::complete) provides the list.
    pub(crate) fn behind(list: &[T]) -> Self {
        SharedSlice(Kept::Shared { list: None, range: list.len()..list.len() })
    }

    /// Puts an element at the end of the list that is still being made, if this share is the last.
    pub(crate) fn push(&mut self, list: &mut Vec<T>, element: T) {
        if let Some(range) = self.range_at_end(list) {
            list.push(element);
            range.end += 1;
        }
    }

    /// Removes the elements of this slice from the list that is still being built, if this slice is the last.
    pub(crate) fn take_off(mut self, list: &mut Vec<T>) {
        if let Some(range) = self.range_at_end(list) {
            list.truncate(range.start);
        }
    }

    /// Returns the range if it ends with the list that is still being built; otherwise `None`.
    fn range_at_end(&mut self, list: &[T]) -> Option<&mut Range<usize>> {
        match &mut self.0 {
            Kept::Shared { list: None, range } if range.end == list.len() => Some(range),
            _ => None,
        }
    }

    /// Provides the finished list to a slice that refers to it. A slice that already has a list keeps that list.
    pub(crate) fn complete(&mut self, made: &Arc<Vec<T>>) {
        if let Kept::Shared { list: list @ None, .. } = &mut self.0 {
            *list = Some(Arc::clone(made));
        }
    }
}

impl<T: Clone> SharedSlice<T> {
    /// Returns the elements as an owned list, for changing. Slices that share the elements are not affected.
    pub fn to_mut(&mut self) -> &mut Vec<T> {
        if let Kept::Shared { .. } = self.0 {
            *self = SharedSlice::from(std::mem::take(self).into_vec());
        }
        match &mut self.0 {
            Kept::Own(own) => own,
            Kept::Shared { .. } => unreachable!("it has just been given a list of its own"),
        }
    }

    /// Returns the elements as a `Vec`. Copies only elements that are shared.
    pub fn into_vec(self) -> Vec<T> {
        match self.0 {
            Kept::Own(own) => own,
            Kept::Shared { .. } => self.to_vec(),
        }
    }
}

impl<T> Deref for SharedSlice<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.0 {
            Kept::Own(own) => own,
            Kept::Shared { list: Some(list), range } => list.get(range.clone()).unwrap_or_default(),
            Kept::Shared { list: None, .. } => &[],
        }
    }
}

impl<T> From<Vec<T>> for SharedSlice<T> {
    fn from(own: Vec<T>) -> Self {
        SharedSlice(Kept::Own(own))
    }
}

impl<T> FromIterator<T> for SharedSlice<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        SharedSlice::from(Vec::from_iter(elements))
    }
}

impl<'p, T> IntoIterator for &'p SharedSlice<T> {
    type Item = &'p T;
    type IntoIter = std::slice::Iter<'p, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T> Default for SharedSlice<T> {
    fn default() -> Self {
        SharedSlice::from(Vec::new())
    }
}

impl<T: PartialEq> PartialEq for SharedSlice<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for SharedSlice<T> {}

impl<T: fmt::Debug> fmt::Debug for SharedSlice<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_the_list_that_they_were_made_in() {
        let mut list = Vec::new();
        let mut shares = Vec::new();
        for elements in [&[1, 2][..], &[], &[3]] {
            let mut share = SharedSlice::behind(&list);
            for element in elements {
                share.push(&mut list, *element);
            }
            shares.push(share);
        }
        assert!(shares[0].is_empty(), "the list is still being made");
        let list = Arc::new(list);
        for share in &mut shares {
            share.complete(&list);
        }
        assert_eq!(
            shares.iter().map(|share| share.to_vec()).collect::<Vec<_>>(),
            [vec![1, 2], vec![], vec![3]]
        );

        let mut changed = shares[0].clone();
        changed.to_mut().push(7);
        assert_eq!((&changed[..], &shares[0][..], &list[..]), (&[1, 2, 7][..], &[1, 2][..], &[1, 2, 3][..]));
        changed.complete(&list);
        assert_eq!(&changed[..], [1, 2, 7], "it has a list");

        let own = changed.as_ptr();
        let taken_apart = changed.into_vec();
        assert_eq!(taken_apart.as_ptr(), own, "nobody else has it");
        assert_eq!((shares[0].clone().into_vec(), &list[..]), (vec![1, 2], &[1, 2, 3][..]));
    }

    #[test]
    fn only_the_last_share_grows_or_is_taken_off() {
        let mut list = Vec::new();
        let mut first = SharedSlice::behind(&list);
        first.push(&mut list, 1);
        let mut second = SharedSlice::behind(&list);
        second.push(&mut list, 2);
        first.push(&mut list, 9);
        first.clone().take_off(&mut list);
        SharedSlice::from(vec![9, 9]).take_off(&mut list);
        assert_eq!(list, [1, 2]);
        second.take_off(&mut list);
        assert_eq!(list, [1]);
        first.push(&mut list, 3);
        first.complete(&Arc::new(list));
        assert_eq!(&first[..], [1, 3]);
    }
}
