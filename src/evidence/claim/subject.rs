//! An instance whose type is forgotten. The engine works on these, so that it is compiled once and not for every claim.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use serde::de::Error as _;
use serde_json::{Error, Value};

use crate::instance::form::{Form, FormError};
use crate::instance::layout::Layout;
use crate::instance::{Chart, Instance};

/// What the engine asks of an instance of any type.
trait AnyInstance: Send + Sync {
    fn form(&self) -> Result<Form, FormError>;
    fn describe(&self) -> String;
    fn validate(&self) -> Result<(), String>;
    fn simpler(&self) -> Vec<Subject>;
    fn equivalents(&self) -> Vec<(&'static str, Subject)>;
    fn chart(&self) -> Box<dyn AnyChart>;
    fn with_size(&self, size: usize, value: u64) -> Option<Subject>;
    fn without_item(&self, size: usize, item: usize) -> Option<Subject>;
    fn copied(&self) -> Subject;
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

// Compiled for every type of instances, so plain: a chain of adapters takes ten times the code of a loop.
impl<I: Instance> AnyInstance for I {
    fn form(&self) -> Result<Form, FormError> {
        Form::of(self)
    }

    fn describe(&self) -> String {
        Instance::describe(self)
    }

    fn validate(&self) -> Result<(), String> {
        Instance::validate(self)
    }

    fn simpler(&self) -> Vec<Subject> {
        let mut all = Vec::new();
        for instance in Instance::simpler(self) {
            all.push(Subject::of(instance));
        }
        all
    }

    fn equivalents(&self) -> Vec<(&'static str, Subject)> {
        let mut all = Vec::new();
        for (change, instance) in Instance::equivalents(self) {
            all.push((change, Subject::of(instance)));
        }
        all
    }

    fn chart(&self) -> Box<dyn AnyChart> {
        Box::new(Instance::chart(self))
    }

    fn with_size(&self, size: usize, value: u64) -> Option<Subject> {
        Instance::with_size(self, size, value).map(Subject::of)
    }

    fn without_item(&self, size: usize, item: usize) -> Option<Subject> {
        Instance::without_item(self, size, item).map(Subject::of)
    }

    fn copied(&self) -> Subject {
        Subject::of(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// What the engine asks of the chart of an instance of any type.
trait AnyChart: Send + Sync {
    fn layout(&self) -> &Layout;
    fn start(&self) -> &[f64];
    fn place(&self, instance: &mut dyn Any, at: &[f64]) -> bool;
}

impl<I: Instance> AnyChart for Chart<I> {
    fn layout(&self) -> &Layout {
        Chart::layout(self)
    }

    fn start(&self) -> &[f64] {
        Chart::start(self)
    }

    fn place(&self, instance: &mut dyn Any, at: &[f64]) -> bool {
        instance.downcast_mut().is_some_and(|instance| Chart::place(self, instance, at))
    }
}

/// What [`Subject::read`] does for every type alike.
fn stored(value: &Value) -> serde_json::Result<(Form, Vec<f64>)> {
    let form = Form::of(value).map_err(refused)?;
    let start = form.start();
    Ok((form, start))
}

#[cold]
fn refused(error: FormError) -> Error {
    Error::custom(error)
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
        let (form, start) = stored(value)?;
        match form.read::<I>(&start) {
            Ok(instance) => Ok(Subject::of(instance)),
            Err(error) => Err(refused(error)),
        }
    }

    /// The instance itself.
    ///
    /// # Panics
    /// If it is of another type, which the setting that made it rules out.
    pub(crate) fn get<I: Instance>(&self) -> &I {
        self.0.as_any().downcast_ref().expect("a setting sees its own instances")
    }

    /// Its JSON form as text.
    pub(crate) fn text(&self) -> serde_json::Result<String> {
        serde_json::to_string(&self.0.form().map_err(serde::ser::Error::custom)?)
    }

    /// Its JSON form.
    pub(crate) fn value(&self) -> serde_json::Result<Value> {
        serde_json::to_value(&self.0.form().map_err(serde::ser::Error::custom)?)
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

    /// Instances of which every statement says the same; see [`Instance::equivalents`].
    pub(crate) fn equivalents(&self) -> Vec<(&'static str, Subject)> {
        self.0.equivalents()
    }

    /// The instance with another value of one of its sizes; see [`Instance::with_size`].
    pub(crate) fn with_size(&self, size: usize, value: u64) -> Option<Subject> {
        self.0.with_size(size, value)
    }

    /// The instance without one item; see [`Instance::without_item`].
    pub(crate) fn without_item(&self, size: usize, item: usize) -> Option<Subject> {
        self.0.without_item(size, item)
    }

    /// The instances of its shape, by their coordinates.
    pub(crate) fn chart(&self) -> SubjectChart {
        SubjectChart { chart: self.0.chart(), moved: self.clone() }
    }
}

/// The instances of one shape by their coordinates, and one of them that is moved from point to point.
pub(crate) struct SubjectChart {
    chart: Box<dyn AnyChart>,
    moved: Subject,
}

impl SubjectChart {
    /// What the coordinates mean.
    pub(crate) fn layout(&self) -> &Layout {
        self.chart.layout()
    }

    /// The coordinates of the instance of which the chart was made.
    pub(crate) fn start(&self) -> &[f64] {
        self.chart.start()
    }

    /// The instance at a point, moved there in place; none where there is none (see [`Chart::place`]). A clone of it is kept as
    /// it is: the next move then starts from a copy.
    pub(crate) fn at(&mut self, numbers: &[f64]) -> Option<&Subject> {
        if Arc::get_mut(&mut self.moved.0).is_none() {
            self.moved = self.moved.0.copied();
        }
        let instance = Arc::get_mut(&mut self.moved.0)?;
        self.chart.place(instance.as_any_mut(), numbers).then_some(&self.moved)
    }
}

impl fmt::Debug for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::{Deserialize, Serialize};

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Point {
        at: Vec<f64>,
        size: u8,
    }

    impl Instance for Point {
        fn describe(&self) -> String {
            format!("{:?} of {}", self.at, self.size)
        }
    }

    #[test]
    fn a_chart_moves_its_own_instance_and_leaves_kept_ones_alone() {
        let subject = Subject::of(Point { at: vec![1.0, 2.0], size: 3 });
        let mut chart = subject.chart();
        assert_eq!(chart.start(), [1.0, 2.0, 3.0]);
        let kept = chart.at(&[5.0, 6.0, 7.0]).expect("a point of the chart").clone();
        assert_eq!(chart.at(&[0.0, 0.5, 9.2]).map(Subject::describe), Some("[0.0, 0.5] of 9".to_owned()));
        assert_eq!(kept.describe(), "[5.0, 6.0] of 7");
        assert_eq!(subject.describe(), "[1.0, 2.0] of 3");
        assert!(chart.at(&[0.0, 0.5, 256.0]).is_none(), "no byte");
    }
}
