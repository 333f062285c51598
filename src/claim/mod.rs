//! The words in which a claim is declared. A claim's file should read like the paper it checks.

mod any_setting;
mod claims;
mod evaluation;
mod expectation;
mod family;
mod kind;
mod reduction;
mod series;
mod setting;
mod subject;
mod trial;

pub(crate) use any_setting::{AnySetting, Check, Constant, Hypothesis, Measured};
pub(crate) use claims::reading;
pub use claims::{Claim, Source, Symbol};
pub use evaluation::{
    Comparison, Evaluation, RESOLUTION, Relation, all_of, at_least, at_most, equal, greater_than, less_than, none_of,
    vacuous,
};
pub use expectation::{Expectation, consistent, fails, holds, inconclusive, undecided, vacuous_expected};
pub(crate) use family::FamilySource;
pub use family::{Family, FamilyKind, Fixtures, data, edge, random};
pub use kind::Kind;
pub use reduction::ProofInfo;
pub(crate) use reduction::{Place, Reduction};
pub(crate) use series::Declared;
pub use series::{Column, Entry, Series, SeriesError};
pub use setting::{Assumptions, CheckInfo, Classification, Role, Setting};
pub(crate) use subject::Subject;
pub use trial::{MeasureError, Trial};
