//! What ends a line.

/// The ending of a line of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// Line feed, `"\n"`.
    Lf,
    /// Carriage return and line feed, `"\r\n"`.
    CrLf,
    /// Nothing: the end of the text. Only a document's last line can have this.
    Missing,
}

impl Ending {
    /// Returns the ending as text; empty for [`Ending::Missing`].
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
            Self::Missing => "",
        }
    }

    /// Returns the ending of a line that was not cut off before its ending.
    ///
    /// ```
    /// use apply_patch::text::Ending;
    /// assert_eq!(Ending::of(b"one\r\n"), Ending::CrLf);
    /// assert_eq!(Ending::of(b"one\r"), Ending::Missing); // a lone CR is text
    /// ```
    pub fn of(line: &[u8]) -> Self {
        match line {
            [.., b'\r', b'\n'] => Self::CrLf,
            [.., b'\n'] => Self::Lf,
            _ => Self::Missing,
        }
    }
}
