//! Where this program keeps what it keeps for its user.

use std::path::PathBuf;

use etcetera::BaseStrategy;

/// The folder for this program's state, below the user's own.
#[must_use]
pub fn state() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    let state = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
    Some(state.join("contrapositive"))
}

/// The folder for what can be made again.
#[must_use]
pub fn cache() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.cache_dir().join("contrapositive"))
}
