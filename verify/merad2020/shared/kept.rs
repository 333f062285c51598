//! What takes long and is asked for by several claims: computed once for every key, by whoever asks first.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use enclosures::work::shared;
use evidence::prelude::*;

type Cell<V> = Arc<OnceLock<Result<V, String>>>;

/// Values by their keys. An error is kept as well.
pub struct Kept<K, V>(Mutex<BTreeMap<K, Cell<V>>>);

impl<K: Ord, V: Clone> Kept<K, V> {
    pub const fn new() -> Self {
        Kept(Mutex::new(BTreeMap::new()))
    }

    /// The value of a key. What `compute` does is no work of whoever asks first; it must not use the thread pool, whose threads may be waiting here.
    ///
    /// # Errors
    /// What `compute` returns, in words.
    pub fn get(&self, key: K, compute: impl FnOnce() -> Result<V, MeasureError>) -> Result<V, MeasureError> {
        let cell = self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default().clone();
        Ok(shared(0, || cell.get_or_init(|| compute().map_err(|e| e.to_string()))).clone()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_computed_once_for_every_key_and_so_is_an_error() {
        let kept: Kept<u32, u32> = Kept::new();
        let mut computed = 0;
        for key in [1, 2, 1, 1, 2] {
            let found = kept.get(key, || {
                computed += 1;
                if key == 1 { Ok(10) } else { Err("none".into()) }
            });
            assert_eq!(found.map_err(|e| e.to_string()), if key == 1 { Ok(10) } else { Err("none".into()) });
        }
        assert_eq!(computed, 2);
    }
}
