//! How similar blocks must be.

/// The similarity that a single block between matching anchors must have: zero.
pub const SINGLE_CANDIDATE_SIMILARITY_THRESHOLD: f64 = 0.0;

/// The similarity that the best of several blocks between fitting anchors must have.
pub const MULTIPLE_CANDIDATES_SIMILARITY_THRESHOLD: f64 = 0.3;

/// The share of the non-blank middle lines that must be the same for [`context_aware`](super::context_aware()).
pub const CONTEXT_AWARE_THRESHOLD: f64 = 0.5;
