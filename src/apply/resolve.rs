//! Resolves the symbolic links of a path without leaving the roots.
//!
//! The system would also follow links out of the roots; so each component is checked before it is followed. A directory
//! outside the roots is never inspected: the directories above a root are the only outside directories that a link may
//! use on its way from a path inside to another.

use std::io;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::name_case::spelt;
use super::root::{Resolved, Roots};
use crate::fs::{Attributes, Kind, Meta};
use crate::plan::ReadError;
use crate::plan::path::protection;

/// How many links a path may go through; the number that Linux takes.
const MOST_LINKS: usize = 40;

/// The known metadata of a root, and of the directories above a root.
const KNOWN_FOLDER: Meta = Meta {
    kind: Kind::Folder,
    len: 0,
    attributes: Attributes { mode: 0o777, owner: None, is_plain: true },
    id: None,
    links: 1,
    is_sticky: false,
};

impl Roots {
    /// Follows the links of a path, each of which has to stay inside the roots.
    pub(super) fn resolve(&self, path: &Utf8Path) -> Result<Resolved, ReadError> {
        Walk::new(self, path).run()
    }
}

/// A walk along a path.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    roots: &'a Roots,
    asked: &'a Utf8Path,
    /// Where the walk has come to: an absolute path without links.
    at: Utf8PathBuf,
    meta: Option<Meta>,
    /// The remaining components, the next component last.
    ahead: Vec<String>,
    links: usize,
    link: bool,
}

impl<'a> Walk<'a> {
    pub(super) fn new(roots: &'a Roots, asked: &'a Utf8Path) -> Self {
        let at = roots.base().to_owned();
        let meta = Some(KNOWN_FOLDER);
        let mut walk = Walk { roots, asked, at, meta, ahead: Vec::new(), links: 0, link: false };
        walk.put_ahead(asked);
        walk.skip_known();
        walk
    }

    /// Skips the first directories of the path, if all are known to distinguish `Foo` from `foo`. A single look shows that all
    /// exist and that no link is among them. The system resolves a path from its root, so a look at each directory would be
    /// quadratic in the depth.
    fn skip_known(&mut self) {
        let Ok((root, names)) = self.roots.take_apart(self.asked) else { return };
        let Some((_, folders)) = names.split_last() else { return };
        let mut at = root.to_owned();
        for name in folders {
            if !self.roots.case_sensitive.tell(&at, name) {
                break;
            }
            at.push(name);
        }
        let skipped = at.components().count() - root.components().count();
        if skipped == 0 {
            return;
        }
        if let Ok(meta @ Some(Meta { kind: Kind::Folder, .. })) = self.roots.fs.look(&at) {
            self.ahead.truncate(names.len() - skipped);
            (self.at, self.meta) = (at, meta);
        }
    }

    pub(super) fn run(mut self) -> Result<Resolved, ReadError> {
        while let Some(name) = self.ahead.pop() {
            self.step(&name)?;
        }
        if self.roots.hold(&self.at) {
            Ok(Resolved { path: self.at, meta: self.meta, link: self.link })
        } else {
            Err(self.outside())
        }
    }

    /// Puts a path before the remaining components. An absolute path starts again, at a root if it names a root.
    fn put_ahead(&mut self, path: &Utf8Path) {
        let real = self.roots.without_alias(path);
        let path = real.as_deref().unwrap_or(path);
        if path.is_absolute() {
            self.at = path.components().take_while(is_start).collect();
            self.meta = Some(KNOWN_FOLDER);
        }
        let names = path.components().rev().filter(|component| !is_start(component));
        self.ahead.extend(names.map(|component| component.as_str().to_owned()));
    }

    fn step(&mut self, name: &str) -> Result<(), ReadError> {
        match (name, self.meta) {
            (".", _) => Ok(()),
            // The system behaves in the same way: a missing directory has no parent.
            ("..", None) => Err(self.io(io::ErrorKind::NotFound.into())),
            ("..", Some(_)) => {
                self.at.pop();
                Ok(())
            }
            (name, None) => self.go_on_missing(name),
            (name, Some(_)) => self.enter(name),
        }
    }

    /// Below a missing directory everything is missing; returns the path where the entry would be.
    fn go_on_missing(&mut self, name: &str) -> Result<(), ReadError> {
        self.refuse_protected(name)?;
        self.at.push(name);
        Ok(())
    }

    fn enter(&mut self, name: &str) -> Result<(), ReadError> {
        let next = self.at.join(name);
        if self.roots.hold(&next) {
            self.refuse_protected(name)?;
        } else if !self.roots.lead_through(&next) {
            return Err(self.outside());
        }
        if self.roots.lead_through(&next) {
            self.at = next;
            return Ok(());
        }
        let meta = self.roots.fs.look(&next).map_err(|source| self.io(source))?;
        match meta {
            Some(Meta { kind: Kind::Link, .. }) => self.follow(&next),
            Some(Meta { kind: Kind::File | Kind::Other(_), .. }) if !self.ahead.is_empty() => {
                Err(self.not_a_folder(&next))
            }
            Some(found) => {
                self.at = spelt(&*self.roots.fs, &self.roots.case_sensitive, &self.at, name, &found)
                    .map_err(|source| self.io(source))?;
                self.meta = meta;
                Ok(())
            }
            None => {
                (self.at, self.meta) = (next, None);
                Ok(())
            }
        }
    }

    fn follow(&mut self, link: &Utf8Path) -> Result<(), ReadError> {
        // All behind the last component of what was asked for comes from links.
        self.link |= self.ahead.is_empty();
        self.links += 1;
        if self.links > MOST_LINKS {
            return Err(ReadError::LinkLoop { path: self.asked.to_owned() });
        }
        let target = self.roots.fs.read_link(link).map_err(|source| self.io(source))?;
        self.put_ahead(&target);
        Ok(())
    }

    fn refuse_protected(&self, name: &str) -> Result<(), ReadError> {
        match protection(name) {
            Some(_) => Err(ReadError::Protected { path: self.asked.to_owned() }),
            None => Ok(()),
        }
    }

    fn outside(&self) -> ReadError {
        ReadError::OutsideRoot { path: self.asked.to_owned() }
    }

    fn not_a_folder(&self, at: &Utf8Path) -> ReadError {
        ReadError::NotAFolder { path: self.asked.to_owned(), at: self.roots.name(at) }
    }

    fn io(&self, source: io::Error) -> ReadError {
        ReadError::Io { path: self.asked.to_owned(), source }
    }
}

/// Returns whether a component is the start of an absolute path.
fn is_start(component: &Utf8Component<'_>) -> bool {
    matches!(component, Utf8Component::RootDir | Utf8Component::Prefix(_))
}
