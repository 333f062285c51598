//! The words in which a claim is declared. A claim's file should read like the paper it checks.

mod any_setting;
mod check;
mod claims;
mod conjunction;
mod contents;
mod expectation;
mod family;
mod fixtures;
mod head;
mod hypothesis;
mod kind;
mod measurement;
mod proof_result;
mod question;
mod reduction;
mod series;
mod setting;
mod subject;
mod theorem;
mod trial;

pub use crate::comparison::{
    Compared, Comparison, Evaluation, RESOLUTION, Relation, at_least, at_most, equal, greater_than, less_than, none_of,
    vacuous,
};
pub use crate::family_kind::FamilyKind;
pub use crate::role::Role;
pub(crate) use any_setting::{AnyHypothesis, AnySetting, Check, Constant};
pub use check::{Assumptions, CheckInfo, Classification};
pub use claims::Claim;
pub(crate) use claims::reading;
pub(crate) use conjunction::JudgedPart;
pub use conjunction::{all_of, ascending, for_each, for_each_index, pairs, pairs_below, strictly_ascending};
pub use contents::{prose, prose_length};
pub use expectation::{Expectation, consistent, fails, holds, inconclusive, undecided, vacuous_expected};
pub(crate) use family::FamilySource;
pub use family::{Family, data, described, edge, edge_over, outside, random};
pub use fixtures::Fixtures;
pub use head::{Head, Source, Symbol};
pub use hypothesis::Hypothesis;
pub use kind::Kind;
pub use proof_result::ProofResult;
pub(crate) use question::Measured;
pub use reduction::ProofInfo;
pub(crate) use reduction::{Place, Reduction};
pub(crate) use series::DeclaredSeries;
pub use series::{Cell, Column, Series, SeriesError};
pub use setting::Setting;
pub(crate) use subject::{Subject, SubjectChart};
pub(crate) use theorem::settle;
pub use theorem::{Cited, Theorem, Theorems};
pub use trial::{MeasureError, Trial};
