//! The program and its catalogue, as their users meet them: one target, so that the catalogue is linked once and two long tests share two
//! cores.

mod answers;
mod catalogue;
mod certify;
mod command_line;
mod convergence;
mod equivalents;
mod faults;
#[cfg(feature = "figures")]
mod figures;
mod forms;
mod notes;
mod quality;
mod readers;
mod report;
mod restatements;
mod shards;
#[cfg(feature = "site")]
mod site;
mod support;
mod witnesses;
