//! An instance for the engine's own tests: one number.

use serde::{Deserialize, Serialize};

use crate::instance::Instance;

/// A finite number.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Point {
    pub(crate) x: f64,
}

impl Instance for Point {
    fn describe(&self) -> String {
        format!("x = {}", self.x)
    }

    fn validate(&self) -> Result<(), String> {
        if self.x.is_finite() { Ok(()) } else { Err("x is not finite".into()) }
    }
}
