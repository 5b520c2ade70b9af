//! The file system of the machine.

use super::Fs;

/// Returns the file system of the machine.
pub(crate) fn system() -> Box<dyn Fs> {
    #[cfg(unix)]
    return Box::new(super::real::Real::default());
    #[cfg(not(unix))]
    return Box::new(super::portable::Portable::default());
}
