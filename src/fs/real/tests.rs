//! Tests of the file system of the machine.

use std::io::{BufWriter, IoSlice, Write};
use std::os::unix::fs::MetadataExt;

use super::*;

#[test]
fn a_new_file_is_never_more_open_than_it_is_to_everybody_in_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut fs = Real::default();
    let root = fs.open_root(folder.path().try_into().unwrap()).unwrap();
    for (mode, before) in [(0o600, 0o600), (0o644, 0o644), (0o640, 0o600), (0o604, 0o600), (0o754, 0o744)] {
        let path = root.join(format!("{mode:o}"));
        let bits = || path.metadata().unwrap().mode() & 0o777;
        let like = Attributes { mode, ..Attributes::default() };
        let file = fs.create(&path, NewMode::Like(like), None).unwrap();
        assert_eq!(bits(), before & !umask(), "{mode:o}");
        file.finish(false).unwrap();
        assert_eq!(bits(), mode);
    }
}

#[test]
fn side_files_of_several_directories_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let mut fs = Real::default();
    let root = fs.open_root(folder.path().try_into().unwrap()).unwrap();
    fs.create_folder(&root.join("in")).unwrap();
    let paths = ["a", "in/a", "in/b", "in/missing", "gone/a", "z"].map(|path| root.join(path));
    let is_missing = |path: &Utf8Path| path.ends_with("missing") || path.ends_with("gone/a");
    paths.iter().filter(|path| !is_missing(path)).for_each(|path| std::fs::write(path, "").unwrap());
    let failed = fs.remove_side_files(&paths.each_ref().map(|path| &**path));
    assert_eq!(failed.iter().map(|(path, _)| *path).collect::<Vec<_>>(), [&paths[3], &paths[4]]);
    assert!(failed.iter().all(|(_, error)| error.kind() == io::ErrorKind::NotFound));
    assert_eq!(fs.names(&root).unwrap(), ["in"]);
    assert!(fs.names(&root.join("in")).unwrap().is_empty());
}

#[test]
fn many_pieces_are_written_in_one_call() {
    let folder = tempfile::tempdir().unwrap();
    let mut fs = Real::default();
    let root = fs.open_root(folder.path().try_into().unwrap()).unwrap();
    let mut file = fs.create(&root.join("a"), NewMode::Usual, None).unwrap();
    // Pieces longer than the buffer are passed on: all of them, or the first one only.
    let mut out = BufWriter::with_capacity(1, file.writer());
    let pieces = [IoSlice::new(b"one "), IoSlice::new(b"two "), IoSlice::new(b"three")];
    assert_eq!(out.write_vectored(&pieces).unwrap(), 13);
}

#[cfg(target_os = "linux")]
#[test]
fn a_new_file_is_of_its_owner_alone_until_it_has_the_access_list() {
    const LIST: &str = "system.posix_acl_access";
    let folder = tempfile::tempdir().unwrap();
    let mut fs = Real::default();
    let root = fs.open_root(folder.path().try_into().unwrap()).unwrap();
    let (old, new) = (root.join("old"), root.join("new"));
    std::fs::write(&old, "").unwrap();
    // The owner: read and write; the user 1 and the mask: the same; the group: nothing; everybody: read.
    let entries: [[u8; 8]; 5] =
        [(0x01, 6, 0xff), (0x02, 6, 0), (0x04, 0, 0xff), (0x10, 6, 0xff), (0x20, 4, 0xff)]
            .map(|(tag, rights, of)| [tag, 0, rights, 0, if of == 0 { 1 } else { of }, of, of, of]);
    let list = [&[2, 0, 0, 0], entries.as_flattened()].concat();
    if system::setxattr(old.as_std_path(), LIST, &list, system::XattrFlags::empty()).is_err() {
        return; // There are no access lists here.
    }
    let mode = |path: &Utf8Path| path.metadata().unwrap().mode() & 0o777;
    assert_eq!(mode(&old), 0o664);
    let like = fs.look(&old).unwrap().unwrap().attributes;
    let file = fs.create(&new, NewMode::Like(like), Some(&old)).unwrap();
    assert_eq!(mode(&new), 0o600, "members of the group may not read it, although everybody else may");
    file.finish(false).unwrap();
    let mut found = vec![0; list.len() + 1];
    let length = system::getxattr(new.as_std_path(), LIST, found.as_mut_slice()).unwrap();
    assert_eq!((&found[..length], mode(&new)), (&list[..], 0o664));
}
