//! What narrows a position besides the quote: `@@` headers.

pub(crate) mod scope;
