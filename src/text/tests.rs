//! What the module promises, rule by rule, and then for whatever bytes come.

use std::borrow::Cow;

use proptest::prelude::*;

use super::Bytes;
use super::*;

fn lines(document: &Document) -> Vec<&[u8]> {
    document.lines().collect()
}

fn utf16(encoding: Encoding, units: &[u16]) -> Vec<u8> {
    let mark = std::iter::once(&0xFEFF);
    let bytes =
        |unit: &u16| if encoding == Encoding::Utf16Be { unit.to_be_bytes() } else { unit.to_le_bytes() };
    mark.chain(units).flat_map(bytes).collect()
}

fn utf16_text(encoding: Encoding, text: &str) -> Vec<u8> {
    utf16(encoding, &text.encode_utf16().collect::<Vec<_>>())
}

#[test]
fn lines_are_counted_by_their_ends() {
    for (text, count) in
        [("", 0), ("a", 1), ("a\n", 1), ("a\n\n", 2), ("a\nb", 2), ("\n", 1), ("\r", 1), ("\u{feff}", 0)]
    {
        assert_eq!(Document::from(text).len(), count, "{text:?}");
        assert_eq!(Document::from(text).is_empty(), count == 0, "{text:?}");
        for encoding in [Encoding::Utf16Le, Encoding::Utf16Be] {
            let text = text.trim_start_matches('\u{feff}');
            assert_eq!(Document::from(utf16_text(encoding, text)).len(), count, "{encoding} {text:?}");
        }
    }
}

#[test]
fn each_line_keeps_its_own_ending_and_a_lone_cr_is_text() {
    let document = Document::from("a\nb\r\nc\rd\r\r\n\r");
    assert_eq!(lines(&document), [&b"a"[..], b"b", b"c\rd\r", b"\r"]);
    let endings: Vec<_> = (0..document.len()).map(|index| document.ending(index)).collect();
    assert_eq!(endings, [Ending::Lf, Ending::CrLf, Ending::CrLf, Ending::Missing]);
}

#[test]
fn the_bytes_are_shared_and_utf_8_is_read_in_place() {
    let bytes = Bytes::from_static(b"\xef\xbb\xbfone\ntwo");
    let document = Document::new(bytes.clone());
    assert_eq!(bytes.as_ptr(), document.bytes().as_ptr());
    assert_eq!(document.content().as_ptr(), bytes[3..].as_ptr());
}

#[test]
fn a_mark_belongs_to_the_file_and_not_to_the_first_line() {
    let document = Document::from("\u{feff}one\n");
    assert_eq!(document.mark(), b"\xef\xbb\xbf");
    assert_eq!(document.line(0), b"one");
    assert_eq!(document.source(0..1), b"one\n");
    assert_eq!(document.content(), b"one\n");
}

#[test]
fn a_second_mark_is_text() {
    let document = Document::from("\u{feff}\u{feff}one");
    assert_eq!(document.text(0), Some("\u{feff}one"));
}

#[test]
fn half_a_mark_is_not_a_mark() {
    for bytes in [&b"\xef\xbb"[..], b"\xff", b"\xfe"] {
        let document = Document::from(bytes.to_vec());
        assert_eq!(
            (document.encoding(), document.mark(), document.text(0)),
            (Encoding::Utf8, &b""[..], None)
        );
    }
}

#[test]
fn bytes_that_are_not_text_cost_only_their_own_line_its_text() {
    let document = Document::from(b"one\ncaf\xe9\r\nthree\0\n".to_vec());
    assert_eq!(document.text(0), Some("one"));
    assert_eq!(document.text(1), None);
    assert_eq!(document.line(1), b"caf\xe9");
    assert_eq!(document.source(1..2), b"caf\xe9\r\n");
    assert_eq!(document.text(2), Some("three\0"));
}

#[test]
fn utf_16_is_told_by_its_mark_and_given_back() {
    for encoding in [Encoding::Utf16Le, Encoding::Utf16Be] {
        let document = Document::from(utf16_text(encoding, "é\r\n😀b\n"));
        assert_eq!(document.encoding(), encoding);
        assert_eq!(document.mark().len(), 2);
        assert_eq!((document.text(0), document.text(1)), (Some("é"), Some("😀b")));
        assert_eq!(document.content(), "é\r\n😀b\n".as_bytes());
        let mut written = Vec::new();
        document.encode("😀b\n", &mut written);
        assert_eq!(written, document.source(1..2));
    }
}

#[test]
fn an_unpaired_surrogate_costs_only_its_own_line_its_text() {
    let units = [0xD83D, 0x0A, 0x61, 0xDE00, 0x62, 0x0A, 0xD83D, 0xDE00, 0x0A];
    for encoding in [Encoding::Utf16Le, Encoding::Utf16Be] {
        let bytes = utf16(encoding, &units);
        let document = Document::from(bytes.clone());
        assert_eq!([0, 1, 2].map(|index| document.text(index)), [None, None, Some("😀")]);
        assert_eq!(document.source(0..1), &bytes[2..6]);
        assert_eq!(document.source(1..2), &bytes[6..14]);
        assert_eq!(document.source(2..3), &bytes[14..]);
    }
}

#[test]
fn an_odd_last_byte_is_no_text_and_is_given_back() {
    let mut bytes = utf16_text(Encoding::Utf16Le, "a\nb");
    bytes.push(b'\n');
    let document = Document::from(bytes.clone());
    assert_eq!([0, 1].map(|index| document.text(index)), [Some("a"), None]);
    assert_eq!(document.source(1..2), b"b\0\n");
    assert_eq!(document.ending(1), Ending::Missing);
}

#[test]
fn the_usual_ending_is_the_most_frequent() {
    for (text, usual) in [
        ("", Ending::Lf),
        ("a", Ending::Lf),
        ("a\r\nb", Ending::CrLf),
        ("a\r\nb\n", Ending::Lf),
        ("a\r\nb\nc\r\n", Ending::CrLf),
        ("a\r\nb\nc\n", Ending::Lf),
    ] {
        assert_eq!(Document::from(text).usual_ending(), usual, "{text:?}");
        assert_eq!(Document::from(utf16_text(Encoding::Utf16Be, text)).usual_ending(), usual, "{text:?}");
    }
}

#[test]
fn an_inserted_line_takes_the_ending_of_its_neighbour() {
    let beside = |text: &str, index| Document::from(text).ending_beside(index);
    assert_eq!(beside("a\r\nb\nc", 0), Ending::CrLf); // at the top: the line after
    assert_eq!(beside("a\r\nb\nc", 1), Ending::CrLf);
    assert_eq!(beside("a\r\nb\nc", 2), Ending::Lf);
    assert_eq!(beside("a\nb\r\nc", 3), Ending::CrLf); // behind a line without one: the one before that
    assert_eq!(beside("a", 0), Ending::Lf);
    assert_eq!(beside("a", 1), Ending::Lf);
    assert_eq!(beside("", 0), Ending::Lf);
}

#[test]
fn nothing_panics_out_of_range() {
    for document in [Document::from("a\nb"), Document::from(utf16_text(Encoding::Utf16Le, "a\nb"))] {
        assert_eq!((document.line(2), document.text(2)), (&b""[..], None));
        assert_eq!(document.line(usize::MAX), b"");
        assert_eq!(document.ending(2), Ending::Missing);
        assert_eq!(document.ending_beside(usize::MAX), Ending::Lf);
        assert_eq!(document.line_start(9), 3);
        assert_eq!(document.line_at(9), 2);
        assert_eq!(document.source(1..9).len(), document.source(1..2).len());
        assert_eq!(document.source(7..9), b"");
        #[expect(clippy::reversed_empty_ranges, reason = "that is what is tested")]
        let reversed = document.source(2..0);
        assert_eq!(reversed, b"");
    }
}

#[test]
fn line_at_counts_the_ending_to_its_line() {
    let document = Document::from("ab\r\n\nc");
    assert_eq!((0..8).map(|offset| document.line_at(offset)).collect::<Vec<_>>(), [0, 0, 0, 0, 1, 2, 3, 3]);
    assert_eq!(Document::from("").line_at(0), 0);
}

#[test]
fn decode_reads_utf_8_and_marked_utf_16() {
    assert!(matches!(decode(b"plain"), Ok(Cow::Borrowed("plain"))));
    assert_eq!(decode("\u{feff}é".as_bytes()).as_deref(), Ok("é"));
    assert_eq!(decode(&utf16_text(Encoding::Utf16Be, "é😀\n")).as_deref(), Ok("é😀\n"));
    assert_eq!(decode(b"").as_deref(), Ok(""));
}

#[test]
fn decode_names_the_first_bad_byte() {
    let at = |bytes: &[u8]| {
        decode(bytes).map(|_| ()).map_err(|error| (error.encoding(), error.line(), error.offset()))
    };
    assert_eq!(at(b"a\nb\xe9"), Err((Encoding::Utf8, 2, 3)));
    assert_eq!(at(b"\xef\xbb\xbfa\xc3"), Err((Encoding::Utf8, 1, 4)));
    let units = [0x61, 0x0A, 0xD83D, 0xDE00, 0xD800, 0x62];
    assert_eq!(at(&utf16(Encoding::Utf16Le, &units)), Err((Encoding::Utf16Le, 2, 10)));
    assert_eq!(at(b"\xfe\xff\0a\0"), Err((Encoding::Utf16Be, 1, 4)));
    let error = decode(b"a\nb\xe9").expect_err("not UTF-8");
    assert_eq!(error.to_string(), "line 2 is not valid UTF-8: the first bad byte is at offset 3");
}

#[test]
fn each_fold_ignores_what_it_says() {
    let folded = |line: &str| Fold::ALL.map(|fold| fold.apply(line).into_owned());
    assert_eq!(folded(" a\t "), [" a\t ", " a", "a", "a"]);
    assert_eq!(
        folded("\u{3000}a\u{2014}b\r"),
        ["\u{3000}a\u{2014}b\r", "\u{3000}a\u{2014}b", "a\u{2014}b", "a-b"]
    );
    assert_eq!(folded("a  b\tc"), ["a  b\tc"; 4]);
}

#[test]
fn look_alikes_become_ascii() {
    let same = |line: &str, ascii: &str| assert_eq!(Fold::LookAlikes.apply(line), ascii, "{line:?}");
    same("\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}\u{fe58}\u{fe63}\u{ff0d}", "----------");
    same("\u{2018}\u{2019}\u{201a}\u{201b}\u{2032}\u{ff07}\u{2bc}", "'''''''");
    same("\u{201c}\u{201d}\u{201e}\u{201f}\u{2033}\u{ff02}", "\"\"\"\"\"\"");
    same("a\u{a0}\u{1680}\u{2000}\u{200a}\u{202f}\u{205f}\u{3000}b", "a       b");
    same("wait\u{2026}", "wait...");
    same("a\u{200b}\u{2060}\u{feff}b \u{26a0}\u{fe0f}", "ab \u{26a0}");
    same("cafe\u{301} cafe\u{200b}\u{301}", "caf\u{e9} caf\u{e9}");
}

#[test]
fn what_carries_meaning_is_no_look_alike() {
    for line in ["«a»", "`a´", "می\u{200c}خواهم", "👨\u{200d}👩", "ａ", "ﬁ", "²", "а", "a\u{ad}b", "×"]
    {
        assert!(matches!(Fold::LookAlikes.apply(line), Cow::Borrowed(same) if same == line), "{line:?}");
    }
}

#[test]
fn space_behind_a_dropped_character_is_dropped_too() {
    assert_eq!(Fold::LookAlikes.apply(" \u{feff} a \u{200b}\u{a0}\u{200b}"), "a");
}

#[test]
fn a_line_that_is_not_utf_8_is_only_trimmed() {
    let line = b"\t\x93caf\xe9\x94 \r";
    let folded = Fold::ALL.map(|fold| fold.apply_bytes(line).into_owned());
    assert_eq!(folded, [&line[..], b"\t\x93caf\xe9\x94", b"\x93caf\xe9\x94", b"\x93caf\xe9\x94"]);
}

#[test]
fn indentation_is_spaces_and_tabs_only() {
    assert_eq!(indentation("  \t x"), "  \t ");
    assert_eq!(indentation("   "), "   ");
    assert_eq!(indentation("\u{a0} x"), "");
    assert_eq!(indentation(""), "");
}

#[test]
fn a_blank_line_is_all_white_space() {
    for blank in [&b""[..], b" \t\r", b"\x0b\x0c", "\u{a0}\u{3000} ".as_bytes()] {
        assert!(is_blank(blank), "{blank:?}");
    }
    for line in [&b"x"[..], b" \0", b" \xa0", "\u{a0}x".as_bytes(), "\u{200b}".as_bytes(), b"\x0b."] {
        assert!(!is_blank(line), "{line:?}");
    }
}

/// Bytes in which ends of lines, marks and broken characters are frequent.
fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        3 => proptest::sample::select(vec![&b"\n"[..], b"\r\n", b"\r", b"a", b"\xc3\xa9", b"\xe9", b"\0", b"\xef\xbb\xbf"])
            .prop_map(<[u8]>::to_vec),
        1 => proptest::collection::vec(any::<u8>(), 0..4),
    ];
    let mark = proptest::sample::select(vec![&b""[..], b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"]);
    (mark, proptest::collection::vec(piece, 0..24))
        .prop_map(|(mark, pieces)| [mark, &pieces.concat()].concat())
}

/// Generates UTF-16 of either byte order with many line ends and surrogates, sometimes with an odd last byte.
fn any_utf16() -> impl Strategy<Value = Vec<u8>> {
    let frequent = vec![0x0A, 0x0D, 0x61, 0xE9, 0x0A0A, 0x0D0A, 0xD83D, 0xDE00, 0xDFFF, 0xFEFF];
    let unit = prop_oneof![4 => proptest::sample::select(frequent), 1 => any::<u16>()];
    let encoding = proptest::sample::select(vec![Encoding::Utf16Le, Encoding::Utf16Be]);
    let odd = proptest::option::of(any::<u8>());
    (encoding, proptest::collection::vec(unit, 0..24), odd).prop_map(|(encoding, units, odd)| {
        let mut bytes = utf16(encoding, &units);
        bytes.extend(odd);
        bytes
    })
}

/// Generates lines with many foldable and combining characters.
fn any_line() -> impl Strategy<Value = String> {
    let frequent: Vec<char> =
        " \t\u{b}aeE=<-'\".\r\u{a0}\u{85}\u{2000}\u{2009}\u{2028}\u{3000}\u{2014}\u{2019}\u{201c}\
        \u{2026}\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}\u{fe0f}\u{301}\u{323}\u{338}\u{e9}\u{212b}\
        \u{1fef}\u{374}\u{1100}\u{1161}\u{11a8}\u{ac00}"
            .chars()
            .collect();
    let c = prop_oneof![4 => proptest::sample::select(frequent), 1 => any::<char>()];
    proptest::collection::vec(c, 0..10).prop_map(String::from_iter)
}

fn check_document(bytes: &[u8]) -> Result<(), TestCaseError> {
    let document = Document::from(bytes.to_vec());
    let all = 0..document.len();
    prop_assert_eq!([document.mark(), document.source(all.clone())].concat(), bytes);

    let sources: Vec<_> = all.clone().map(|index| document.source(index..index + 1)).collect();
    prop_assert_eq!(sources.concat(), document.source(all.clone()));
    prop_assert!(sources.iter().all(|source| !source.is_empty()));

    let with_endings = |index| [document.line(index), document.ending(index).as_str().as_bytes()].concat();
    prop_assert_eq!(all.clone().flat_map(with_endings).collect::<Vec<_>>(), document.content());
    for index in 0..=document.len() {
        prop_assert_eq!(document.line_at(document.line_start(index)), index);
        prop_assert_ne!(document.ending_beside(index), Ending::Missing);
    }
    for index in all {
        prop_assert_eq!(
            document.ending(index) == Ending::Missing,
            !document.content().ends_with(b"\n") && index + 1 == document.len()
        );
        check_line_is_written_back(&document, index)?;
    }
    Ok(())
}

fn check_line_is_written_back(document: &Document, index: usize) -> Result<(), TestCaseError> {
    if let Some(text) = document.text(index) {
        let mut written = Vec::new();
        document.encode(text, &mut written);
        document.encode(document.ending(index).as_str(), &mut written);
        prop_assert_eq!(written, document.source(index..index + 1));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_document_gives_back_any_bytes(bytes in any_bytes()) {
        check_document(&bytes)?;
    }

    #[test]
    fn a_document_gives_back_any_utf_16(bytes in any_utf16()) {
        check_document(&bytes)?;
    }

    #[test]
    fn decode_and_document_agree_on_what_is_text(bytes in prop_oneof![any_bytes(), any_utf16()]) {
        let document = Document::from(bytes.clone());
        let bad = (0..document.len()).find(|index| document.text(*index).is_none());
        match decode(&bytes) {
            Ok(text) => prop_assert_eq!((text.as_bytes(), None), (document.content(), bad)),
            Err(error) => {
                let line = bad.map(|index| index + 1);
                prop_assert_eq!(Some(error.line()), line);
                prop_assert!(error.offset() < bytes.len());
            }
        }
    }

    #[test]
    fn folding_twice_changes_nothing(line in any_line()) {
        for fold in Fold::ALL {
            let once = fold.apply(&line);
            prop_assert_eq!(fold.apply(&once), once.as_ref());
        }
    }

    /// If a loose fold maps a line and the result of a tighter fold to the same text, the loose fold equates everything
    /// that the tighter fold equates.
    #[test]
    fn a_looser_fold_equates_what_a_tighter_one_does(line in any_line()) {
        for (at, loose) in Fold::ALL.into_iter().enumerate() {
            for tight in &Fold::ALL[..at] {
                let tightened = tight.apply(&line);
                prop_assert_eq!(loose.apply(&tightened), loose.apply(&line));
            }
        }
    }

    #[test]
    fn folded_bytes_keep_both_rules(line in any_bytes()) {
        for (at, loose) in Fold::ALL.into_iter().enumerate() {
            for tight in &Fold::ALL[..=at] {
                let tightened = tight.apply_bytes(&line);
                prop_assert_eq!(loose.apply_bytes(&tightened), loose.apply_bytes(&line));
            }
        }
    }

    #[test]
    fn blank_is_what_indentation_makes_empty(line in prop_oneof![any_bytes(), any_line().prop_map(String::into_bytes)]) {
        prop_assert_eq!(is_blank(&line), Fold::Trim.apply_bytes(&line).is_empty());
    }

    #[test]
    fn an_ascii_line_is_never_copied(line in "[ -~\t]{0,20}") {
        for fold in Fold::ALL {
            prop_assert!(matches!(fold.apply(&line), Cow::Borrowed(_)));
            prop_assert!(matches!(fold.apply_bytes(line.as_bytes()), Cow::Borrowed(_)));
        }
    }
}
