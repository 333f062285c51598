//! Damaged witnesses: each stops its own claim, by name, and no other.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use evidence::claim::Claim;
use evidence::run::{Context, WitnessStore};

use crate::catalogue::Catalogue;
use crate::terminal::console::tell;

/// Claims that are not judged because a stored witness of theirs is damaged, and damaged files that belong to no claim.
pub struct Stopped {
    by_claim: Mutex<BTreeMap<String, String>>,
    elsewhere: Vec<String>,
}

impl Stopped {
    /// What the damaged files of a store stop among the chosen claims.
    #[must_use]
    pub fn of(chosen: &[&Claim], witnesses: &WitnessStore, catalogue: &Catalogue) -> Self {
        let (mut by_claim, mut elsewhere) = (BTreeMap::new(), Vec::new());
        let known = catalogue.register().ids();
        let mut place = |file: &str, reason: String| {
            // A file is called after its claim and its check, and both may hold dots: the longest id that fits.
            let fits = |id: &str| file.strip_prefix(id).is_some_and(|rest| rest.starts_with('.'));
            let owner = chosen.iter().map(|c| c.id).filter(|id| fits(id)).max_by_key(|id| id.len());
            let other = known.iter().filter(|id| fits(id)).max_by_key(|id| id.len());
            match (owner, other) {
                (Some(mine), other) if other.is_none_or(|o| o.len() <= mine.len()) => {
                    by_claim.entry(mine.to_owned()).or_insert(reason);
                }
                // Of a claim that does not run now.
                (_, Some(_)) => {}
                (_, None) if catalogue.answers_for(file) => elsewhere.push(reason),
                // Of another catalogue.
                (_, None) => {}
            }
        };
        for error in witnesses.damaged() {
            let name = error.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
            place(&name, error.to_string());
        }
        for witness in witnesses.iter().filter(|w| !known.contains(w.claim.as_str())) {
            let name = witness.file_name();
            if chosen.iter().all(|c| c.id != witness.claim) {
                place(&name, format!("witness {name} is one for {:?}, which is not a claim", witness.claim));
            }
        }
        Stopped { by_claim: Mutex::new(by_claim), elsewhere }
    }

    /// Whether a claim may be judged: neither one of its files is damaged, nor holds one of them an instance that cannot be judged.
    #[must_use]
    pub fn lets(&self, claim: &Claim, context: &Context<'_>) -> bool {
        if self.lock().contains_key(claim.id) {
            return false;
        }
        let context = Context { claim: claim.id, ..*context };
        for witness in context.witnesses.iter().filter(|w| w.claim == claim.id) {
            if let Err(reason) = claim.admit(witness, &context) {
                let reason = format!("witness {}: {reason}", witness.file_name());
                self.lock().insert(claim.id.to_owned(), reason);
                return false;
            }
        }
        true
    }

    /// Stops a claim for a reason found elsewhere.
    pub fn stop(&self, claim: &Claim, reason: String) {
        self.lock().insert(claim.id.to_owned(), reason);
    }

    /// Whether every file is what it should be.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty() && self.elsewhere.is_empty()
    }

    /// The claims that are not judged, and why.
    #[must_use]
    pub fn reasons(&self) -> Vec<(String, String)> {
        self.lock().clone().into_iter().collect()
    }

    /// Names every one of them on standard error.
    pub fn tell(&self) {
        for (claim, reason) in self.reasons() {
            tell!("error: {claim} is not judged: {reason}");
        }
        for reason in &self.elsewhere {
            tell!("error: {reason}");
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.by_claim.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
