//! The nodes of a file system in memory.

use std::collections::BTreeMap;
use std::io;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use unicode_normalization::UnicodeNormalization;

/// The number of a node; the first node is the top of the tree.
pub(super) type Number = usize;

/// Which names are equal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Naming {
    /// Byte-equal names, as on Linux.
    #[default]
    Exact,
    /// Also names that differ by case, as on Windows.
    AnyCase,
    /// Also names that differ by case or by Unicode form, as on macOS.
    AnyCaseAndForm,
}

impl Naming {
    fn key(self, name: &str) -> String {
        match self {
            Naming::Exact => name.to_owned(),
            Naming::AnyCase => name.to_uppercase().to_lowercase(),
            Naming::AnyCaseAndForm => name.nfd().collect::<String>().to_uppercase().to_lowercase(),
        }
    }
}

/// All nodes, and the log of operations.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) naming: Naming,
    /// The operations in order, while recording.
    pub(super) log: Option<Vec<Deed>>,
}

/// What has a number.
#[cfg_attr(not(test), allow(dead_code, reason = "only tests make links"))]
#[derive(Debug, Clone)]
pub(super) enum Node {
    /// By the key of the name: the name as created, and the number.
    Folder(BTreeMap<String, (String, Number)>),
    File {
        bytes: Vec<u8>,
        mode: u32,
    },
    Link(Utf8PathBuf),
}

/// Something that was done to the tree.
#[cfg_attr(not(test), allow(dead_code, reason = "only tests read the log"))]
#[derive(Debug, Clone)]
pub(super) enum Deed {
    /// Names of directories now refer to other nodes, or to no node: an atomic change of all names.
    Names(Vec<(Number, String, Option<Number>)>),
    /// A file holds these bytes.
    Bytes(Number, Vec<u8>),
    SyncedFile(Number),
    SyncedFolder(Number),
}

impl Default for Tree {
    fn default() -> Self {
        Tree { nodes: vec![Node::Folder(BTreeMap::new())], naming: Naming::default(), log: None }
    }
}

impl Tree {
    pub(super) fn folder(&self, number: Number) -> io::Result<&BTreeMap<String, (String, Number)>> {
        match &self.nodes[number] {
            Node::Folder(entries) => Ok(entries),
            Node::File { .. } | Node::Link(_) => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    /// Returns the number of the node at a path; `None` if there is no node. A link is not followed.
    pub(super) fn find(&self, path: &Utf8Path) -> io::Result<Option<Number>> {
        let mut at = 0;
        let names = path.components().filter_map(|component| match component {
            Utf8Component::Normal(name) => Some(name),
            _ => None,
        });
        let mut names = names.peekable();
        while let Some(name) = names.next() {
            match self.folder(at)?.get(&self.naming.key(name)) {
                Some((_, number)) => at = *number,
                None if names.peek().is_none() => return Ok(None),
                None => return Err(io::ErrorKind::NotFound.into()),
            }
        }
        Ok(Some(at))
    }

    pub(super) fn existing(&self, path: &Utf8Path) -> io::Result<Number> {
        self.find(path)?.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Returns the directory of a path, and the name in the directory.
    pub(super) fn parent(&self, path: &Utf8Path) -> io::Result<(Number, String)> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let number = self.existing(parent)?;
        self.folder(number)?;
        if name.len() > 255 {
            return Err(io::ErrorKind::InvalidFilename.into());
        }
        Ok((number, name.to_owned()))
    }

    pub(super) fn add(&mut self, path: &Utf8Path, node: Node) -> io::Result<Number> {
        let (folder, name) = self.vacant(path)?;
        self.nodes.push(node);
        let number = self.nodes.len() - 1;
        self.name(vec![(folder, name, Some(number))]);
        Ok(number)
    }

    /// Returns the directory of a free path, and the name in the directory.
    pub(super) fn vacant(&self, path: &Utf8Path) -> io::Result<(Number, String)> {
        let place = self.parent(path)?;
        match self.find(path)? {
            Some(_) => Err(io::ErrorKind::AlreadyExists.into()),
            None => Ok(place),
        }
    }

    pub(super) fn name(&mut self, names: Vec<(Number, String, Option<Number>)>) {
        for (folder, name, number) in &names {
            self.set_name(*folder, name, *number);
        }
        if let Some(log) = &mut self.log {
            log.push(Deed::Names(names));
        }
    }

    pub(super) fn set_name(&mut self, folder: Number, name: &str, number: Option<Number>) {
        let key = self.naming.key(name);
        if let Node::Folder(entries) = &mut self.nodes[folder] {
            match number {
                Some(number) => entries.insert(key, (name.to_owned(), number)),
                None => entries.remove(&key),
            };
        }
    }

    pub(super) fn record(&mut self, deed: Deed) {
        if let Some(log) = &mut self.log {
            log.push(deed);
        }
    }

    pub(super) fn remove(&mut self, path: &Utf8Path, is_folder: bool) -> io::Result<()> {
        let number = self.existing(path)?;
        match (&self.nodes[number], is_folder) {
            (Node::Folder(_), false) => return Err(io::ErrorKind::IsADirectory.into()),
            (Node::File { .. } | Node::Link(_), true) => return Err(io::ErrorKind::NotADirectory.into()),
            (Node::Folder(entries), true) if !entries.is_empty() => {
                return Err(io::ErrorKind::DirectoryNotEmpty.into());
            }
            _ => {}
        }
        let (folder, name) = self.parent(path)?;
        self.name(vec![(folder, name, None)]);
        Ok(())
    }

    pub(super) fn rename(&mut self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
        let number = self.existing(from)?;
        let (old, new) = (self.parent(from)?, self.parent(to)?);
        match self.find(to)? {
            // Both are names of the same file: the system does nothing.
            Some(there) if there == number => return Ok(()),
            Some(there) if matches!(self.nodes[there], Node::Folder(_)) => {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            _ => {}
        }
        self.name(vec![(old.0, old.1, None), (new.0, new.1, Some(number))]);
        Ok(())
    }
}

impl Tree {
    pub(super) fn bytes(&self, number: Number) -> Vec<u8> {
        match &self.nodes[number] {
            Node::File { bytes, .. } => bytes.clone(),
            Node::Folder(_) | Node::Link(_) => Vec::new(),
        }
    }
}
