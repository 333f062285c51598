//! The unit of information in which a loss is stated.

use serde::{Deserialize, Serialize};

use enclosures::enclosure::Enclosure;

/// The base of "log" where a statement leaves it open. Losses are computed in nats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogarithmBase {
    /// Natural logarithm.
    Nats,
    /// Logarithm to base two.
    Bits,
}

impl LogarithmBase {
    /// A quantity computed in nats, in this unit: unchanged, or divided by `ln 2`.
    #[must_use]
    pub fn from_nats(self, nats: Enclosure) -> Enclosure {
        match self {
            LogarithmBase::Nats => nats,
            LogarithmBase::Bits => nats / Enclosure::ln_2(),
        }
    }

    /// The logarithm of a number, in this unit; powers of two have exact logarithms in bits.
    #[must_use]
    pub fn log(self, x: impl Into<Enclosure>) -> Enclosure {
        match self {
            LogarithmBase::Nats => x.into().ln(),
            LogarithmBase::Bits => x.into().log2(),
        }
    }

    /// The name of the unit.
    #[must_use]
    pub fn unit(self) -> &'static str {
        match self {
            LogarithmBase::Nats => "nats",
            LogarithmBase::Bits => "bits",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_are_exact_in_bits() {
        assert_eq!(LogarithmBase::Bits.log(4), Enclosure::from(2));
        assert_eq!(LogarithmBase::Bits.log(2usize), Enclosure::ONE);
        let one = LogarithmBase::Bits.from_nats(LogarithmBase::Nats.log(2));
        assert!(one.lo() <= 1.0 && one.hi() >= 1.0 && one.width() < 1e-15);
        assert_eq!(LogarithmBase::Nats.from_nats(one), one);
    }
}
