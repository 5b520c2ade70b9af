//! How deep a line is.

/// The columns from one tab stop to the next. In files that mix tabs and spaces, a tab is as wide as eight spaces.
const TAB_STOP: usize = 8;

/// Returns the column at which the text of a line begins, 0-based.
pub(crate) fn depth_of_line(line: &[u8]) -> usize {
    let indent = &line[..line.len() - line.trim_ascii_start().len()];
    indent.iter().fold(0, |column, sign| match sign {
        b'\t' => column - column % TAB_STOP + TAB_STOP,
        _ => column + 1,
    })
}

/// Returns the length of an indentation in bytes. In columns, a single line with four spaces for a tab would end the block around.
pub(crate) fn indentation_width(line: &[u8]) -> usize {
    line.len() - line.trim_ascii_start().len()
}

#[cfg(test)]
mod tests {
    use super::depth_of_line;

    #[test]
    fn a_tab_reaches_to_the_next_stop() {
        let lines: [&[u8]; 6] = [b"a", b"    a", b"\ta", b"    \ta", b"\t  a", b"        \ta\t"];
        assert_eq!(lines.map(depth_of_line), [0, 4, 8, 8, 10, 16]);
    }
}
