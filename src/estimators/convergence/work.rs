//! Work, counted and not timed: the same on every machine.

use std::ops::Add;

use serde::{Deserialize, Serialize};

/// What an estimate costs: counts of the three operations that take nearly all of its time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// Inner products of two embeddings.
    pub products: u64,
    /// Random draws of an atom or an embedding.
    pub draws: u64,
    /// Exponentials and logarithms.
    pub functions: u64,
}

impl Work {
    /// The three counts added up: the measure of the horizontal axis.
    #[must_use]
    pub fn total(self) -> u64 {
        self.products.saturating_add(self.draws).saturating_add(self.functions)
    }

    /// So many times this work.
    #[must_use]
    pub fn times(self, count: u64) -> Work {
        Work {
            products: self.products.saturating_mul(count),
            draws: self.draws.saturating_mul(count),
            functions: self.functions.saturating_mul(count),
        }
    }
}

impl Add for Work {
    type Output = Work;

    fn add(self, other: Work) -> Work {
        Work {
            products: self.products.saturating_add(other.products),
            draws: self.draws.saturating_add(other.draws),
            functions: self.functions.saturating_add(other.functions),
        }
    }
}
