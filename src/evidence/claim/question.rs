//! Questions to an instance: written by a claim for its own types, asked by the engine of a [`Subject`].
//!
//! Traits with one method each, and not `Fn`: behind a `dyn Fn` stand three functions for every closure, one for each way to call it, and a
//! catalogue has thousands of closures.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::Arc;

use super::subject::Subject;
use crate::instance::Instance;

/// The quantities of one instance.
pub(crate) type Measured = Arc<dyn Any + Send + Sync>;

/// A question that the instance alone answers.
pub(crate) trait Question<A>: Send + Sync {
    fn ask(&self, instance: &Subject) -> A;
}

/// A question that takes what was measured on the instance, too.
pub(crate) trait MeasuredQuestion<A>: Send + Sync {
    fn ask(&self, instance: &Subject, measured: &Measured) -> A;
}

/// A question in the types for which it was written.
pub(super) struct Typed<F, T>(pub(super) F, pub(super) PhantomData<T>);

impl<I, A, F> Question<A> for Typed<F, fn(&I)>
where
    I: Instance,
    F: Fn(&I) -> A + Send + Sync,
{
    fn ask(&self, instance: &Subject) -> A {
        (self.0)(instance.get())
    }
}

impl<I, Q, A, F> MeasuredQuestion<A> for Typed<F, fn(&I, &Q)>
where
    I: Instance,
    Q: 'static,
    F: Fn(&I, &Q) -> A + Send + Sync,
{
    fn ask(&self, instance: &Subject, measured: &Measured) -> A {
        (self.0)(instance.get(), quantities(measured))
    }
}

fn quantities<Q: 'static>(measured: &Measured) -> &Q {
    measured.downcast_ref().expect("a setting sees its own quantities")
}
