//! The attributes that a new file copies from the file that it replaces.
//!
//! The new file never grants more rights than the old file. If an attribute cannot be kept, its rights are dropped: an
//! access list that cannot be set leaves the file to its owner, and a group that cannot be kept leaves the group with
//! the rights of everybody.

use std::fs::{File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

use super::Attributes;

/// The attributes to take on.
#[derive(Debug)]
pub(super) struct Model {
    attributes: Attributes,
    extended: extended::Extended,
}

impl Model {
    /// Returns the model of a file with these attributes, and with the extended attributes of an open file.
    ///
    /// # Errors
    /// The extended attributes of `like` cannot be read.
    pub(super) fn new(attributes: Attributes, like: Option<&File>) -> io::Result<Self> {
        let extended = like.map(extended::Extended::of).transpose()?.unwrap_or_default();
        Ok(Model { attributes, extended })
    }

    /// Returns the permission bits for creating the new file: a user who opens the empty file may continue reading
    /// after the rights are narrowed.
    pub(super) fn first_mode(&self) -> u32 {
        let mode = self.attributes.mode;
        if self.extended.has_list() { mode & 0o700 } else { mode & (0o700 | common(mode)) }
    }

    /// Sets the attributes of a file. Sets the owner first, because a change of owner may drop bits of the mode.
    pub(super) fn take_on(self, file: &File) -> io::Result<()> {
        let mut now = file.metadata()?;
        let mut mode = self.attributes.mode;
        let mut keeps_group = true;
        if let Some((user, group)) = self.attributes.owner
            && (user, group) != (now.uid(), now.gid())
        {
            keep_owner(file, user, group);
            now = file.metadata()?;
            keeps_group = now.gid() == group;
        }
        if !keeps_group {
            mode &= !0o070 | common(mode);
        }
        let list = self.extended.take_on(file, keeps_group)?;
        if list == List::Refused {
            mode &= 0o700;
        }
        if list != List::None {
            now = file.metadata()?;
        }
        if now.mode() & 0o7777 == mode {
            return Ok(());
        }
        file.set_permissions(Permissions::from_mode(mode))
    }
}

/// Returns whether a file has, or may have, an access list or attributes that a user has set.
pub(super) fn has_extended(file: &File) -> bool {
    !extended::Extended::of(file).is_ok_and(|extended| extended.is_empty())
}

/// What became of the access list of a new file. A list that is set or removed changes the permission bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "the lists of other systems are not copied"))]
enum List {
    /// Neither the old file nor the new file had one.
    None,
    /// The list was set, or the list that the new file had from its folder was removed.
    Changed,
    /// The list could not be set.
    Refused,
}

/// Returns the bits that both the group and everybody else have, which are valid for any group of the file.
fn common(mode: u32) -> u32 {
    let both = (mode >> 3) & mode & 0o007;
    both << 3 | both
}

/// Only root may change the owner, and users may only choose among their groups. A refusal is ignored, because an edit
/// by a user who may write the directory should not fail.
fn keep_owner(file: &File, user: u32, group: u32) {
    if fchown(file, Some(user), Some(group)).is_err() {
        let _ = fchown(file, None, Some(group));
    }
}

/// Returns the bits that new files of this process do not get. Asking the system changes the bits for all threads. So
/// the bits are read where the system shows them, and are the usual ones elsewhere.
pub(super) fn umask() -> u32 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let bits = status.lines().find_map(|line| line.strip_prefix("Umask:"));
    bits.and_then(|bits| u32::from_str_radix(bits.trim(), 8).ok()).unwrap_or(0o022)
}

#[cfg(target_os = "linux")]
mod extended {
    use std::fs::File;
    use std::io;

    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fremovexattr, fsetxattr};
    use rustix::io::Errno;

    use super::List;

    /// The name of the access list.
    const LIST: &str = "system.posix_acl_access";

    /// The attributes that a user sets, such as the origin of a file.
    const OF_USER: &str = "user.";

    /// The longest list of names, and the longest value, in bytes.
    const LONGEST: usize = 1 << 16;

    /// The access list and the attributes that a user has set.
    #[derive(Debug, Default)]
    pub(super) struct Extended {
        list: Option<Vec<u8>>,
        of_user: Vec<(String, Vec<u8>)>,
    }

    impl Extended {
        pub(super) fn of(file: &File) -> io::Result<Self> {
            let mut extended = Extended::default();
            for name in names(file)? {
                if name == LIST {
                    extended.list = Some(value(file, &name)?);
                } else if name.starts_with(OF_USER)
                    && let Ok(value) = value(file, &name)
                {
                    extended.of_user.push((name, value));
                }
            }
            Ok(extended)
        }

        pub(super) fn is_empty(&self) -> bool {
            self.list.is_none() && self.of_user.is_empty()
        }

        pub(super) fn has_list(&self) -> bool {
            self.list.is_some()
        }

        /// Sets the access list, or removes the list that the file got from its folder.
        pub(super) fn take_on(self, file: &File, keeps_group: bool) -> io::Result<List> {
            for (name, value) in &self.of_user {
                // The file system may have no space, or no such attributes. No right depends on this.
                let _ = fsetxattr(file, name.as_str(), value, XattrFlags::empty());
            }
            let Some(mut list) = self.list else {
                // Removing locks the file, and writes to the journal of the file system, even if there is no list.
                return match fgetxattr(file, LIST, &mut [0_u8; 0][..]) {
                    Ok(_) => Ok(fremovexattr(file, LIST).map(|()| List::Changed)?),
                    Err(error) if is_without(error) => Ok(List::None),
                    Err(error) => Err(error.into()),
                };
            };
            if !keeps_group {
                limit_group(&mut list);
            }
            if fsetxattr(file, LIST, &list, XattrFlags::empty()).is_ok() {
                return Ok(List::Changed);
            }
            let _ = fremovexattr(file, LIST);
            Ok(List::Refused)
        }
    }

    /// Returns whether the file, or the file system, has no attribute of this name.
    fn is_without(error: Errno) -> bool {
        matches!(error, Errno::NODATA | Errno::NOTSUP | Errno::NOSYS)
    }

    fn names(file: &File) -> io::Result<Vec<String>> {
        let mut bytes = [0; 256];
        let bytes = match flistxattr(file, &mut bytes[..]) {
            Ok(length) => bytes[..length].to_vec(),
            Err(error) if is_without(error) => return Ok(Vec::new()),
            Err(Errno::RANGE) => {
                let mut bytes = vec![0; LONGEST];
                let length = flistxattr(file, bytes.as_mut_slice())?;
                bytes.truncate(length);
                bytes
            }
            Err(error) => return Err(error.into()),
        };
        // A name that is not UTF-8 is not copied.
        let names = bytes.split(|byte| *byte == 0).filter_map(|name| str::from_utf8(name).ok());
        Ok(names.filter(|name| !name.is_empty()).map(str::to_owned).collect())
    }

    fn value(file: &File, name: &str) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; LONGEST];
        let length = fgetxattr(file, name, bytes.as_mut_slice())?;
        bytes.truncate(length);
        Ok(bytes)
    }

    /// The length of the version number that an access list begins with, and of each entry: a tag, rights, a number.
    const VERSION: usize = 4;
    const ENTRY: usize = 8;
    const GROUP: u16 = 0x04;
    const OTHERS: u16 = 0x20;

    /// Limits the owning group to the rights of everybody, because the list was made for a different group.
    pub(super) fn limit_group(list: &mut [u8]) {
        let tag = |entry: &[u8]| u16::from_le_bytes([entry[0], entry[1]]);
        let entries = list.get(VERSION..).unwrap_or_default().chunks_exact(ENTRY);
        let others = entries.filter(|entry| tag(entry) == OTHERS).map(|entry| entry[2]).next().unwrap_or(0);
        for entry in list.get_mut(VERSION..).unwrap_or_default().chunks_exact_mut(ENTRY) {
            if tag(entry) == GROUP {
                entry[2] &= others;
            }
        }
    }
}

/// Other systems have different access lists. A new file gets the default list of its directory.
#[cfg(not(target_os = "linux"))]
mod extended {
    use std::fs::File;
    use std::io;

    #[derive(Debug, Default)]
    pub(super) struct Extended;

    #[allow(clippy::unnecessary_wraps, clippy::unused_self, reason = "as on Linux")]
    impl Extended {
        pub(super) fn of(_: &File) -> io::Result<Self> {
            Ok(Extended)
        }

        pub(super) fn is_empty(&self) -> bool {
            true
        }

        pub(super) fn has_list(&self) -> bool {
            false
        }

        pub(super) fn take_on(self, _: &File, _: bool) -> io::Result<super::List> {
            Ok(super::List::None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_that_is_not_kept_has_the_rights_of_everybody_at_the_most() {
        for (mode, limited) in
            [(0o664, 0o644), (0o640, 0o600), (0o604, 0o604), (0o775, 0o755), (0o666, 0o666)]
        {
            assert_eq!(mode & (!0o070 | common(mode)), limited, "{mode:o}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_list_is_limited_to_what_everybody_may() {
        let entry = |tag: u8, rights: u8| [tag, 0, rights, 0, 0xff, 0xff, 0xff, 0xff];
        let list = |group: u8| {
            let entries =
                [entry(0x01, 6), entry(0x02, 7), entry(0x04, group), entry(0x10, 7), entry(0x20, 4)];
            [&[2, 0, 0, 0][..], entries.concat().as_slice()].concat()
        };
        let mut limited = list(6);
        extended::limit_group(&mut limited);
        assert_eq!(limited, list(4));
        // A truncated list is unchanged, without a panic.
        for length in 0..limited.len() {
            extended::limit_group(&mut list(6)[..length]);
        }
    }
}
