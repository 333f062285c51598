//! An instance whose type is forgotten. The engine works on these, so that it is compiled once and not for every claim.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use crate::instance::Instance;

/// What the engine asks of an instance of any type.
trait AnyInstance: Send + Sync {
    fn text(&self) -> serde_json::Result<String>;
    fn value(&self) -> serde_json::Result<Value>;
    fn describe(&self) -> String;
    fn validate(&self) -> Result<(), String>;
    fn simpler(&self) -> Vec<Subject>;
    fn as_any(&self) -> &dyn Any;
}

impl<I: Instance> AnyInstance for I {
    fn text(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    fn value(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self)
    }

    fn describe(&self) -> String {
        Instance::describe(self)
    }

    fn validate(&self) -> Result<(), String> {
        Instance::validate(self)
    }

    fn simpler(&self) -> Vec<Subject> {
        Instance::simpler(self).into_iter().map(Subject::of).collect()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// An instance of some type, shared rather than copied.
#[derive(Clone)]
pub(crate) struct Subject(Arc<dyn AnyInstance>);

impl Subject {
    /// Forgets the type.
    pub(crate) fn of<I: Instance>(instance: I) -> Self {
        Subject(Arc::new(instance))
    }

    /// An instance of type `I` from its stored form.
    pub(crate) fn read<I: Instance>(value: &Value) -> serde_json::Result<Self> {
        I::deserialize(value).map(Subject::of)
    }

    /// The instance itself.
    ///
    /// # Panics
    /// If it is of another type, which the setting that made it rules out.
    pub(crate) fn get<I: Instance>(&self) -> &I {
        self.0
            .as_any()
            .downcast_ref()
            .expect("a setting sees its own instances")
    }

    /// Its JSON form as text.
    pub(crate) fn text(&self) -> serde_json::Result<String> {
        self.0.text()
    }

    /// Its JSON form.
    pub(crate) fn value(&self) -> serde_json::Result<Value> {
        self.0.value()
    }

    /// How long it is to write down.
    pub(crate) fn length(&self) -> usize {
        self.text().map_or(usize::MAX, |text| text.len())
    }

    pub(crate) fn describe(&self) -> String {
        self.0.describe()
    }

    pub(crate) fn validate(&self) -> Result<(), String> {
        self.0.validate()
    }

    pub(crate) fn simpler(&self) -> Vec<Subject> {
        self.0.simpler()
    }
}

impl fmt::Debug for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe())
    }
}
