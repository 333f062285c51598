//! What the theory says about a user's embeddings: losses, bounds and a conclusion, from labelled points or from pairs of views.
//!
//! ```
//! use contrapositive_embeddings::{Embeddings, Settings, Unwatched, labelled_report};
//! // Three classes on the unit circle, four points each.
//! let angle = |i: usize| (i % 3) as f64 * 2.1 + (i / 3) as f64 * 0.05;
//! let points = (0..12).flat_map(|i| [3.0 * core_math::cos(angle(i)), 3.0 * core_math::sin(angle(i))]).collect();
//! let labels: Vec<u32> = (0..12).map(|i| i % 3).collect();
//! let embeddings = Embeddings::new(points, 2, &labels).unwrap();
//! let settings = Settings { negatives: vec![1, 15], ..Settings::default() };
//! let report = labelled_report(&embeddings, &settings, &Unwatched).unwrap();
//! assert!(report.mean_classifier.loss.hi() < report.chance.lo());
//! assert!(report.conclusion().starts_with("Informative"));
//! ```

mod anchors;
mod certain_digits;
mod class_table;
mod conclusion;
mod embedded;
mod error;
mod fitted_head;
pub mod formats;
mod geometry;
mod linear_head;
mod losses;
mod mean_head;
mod pairs;
mod pixels;
mod report;
mod settings;
mod spectrum;
mod trained;
mod unsupervised;
mod views;
mod watcher;

pub use certain_digits::{certain, certain_interval, certain_percent, upper_end};
pub use class_table::ClassRow;
pub use embedded::Embeddings;
pub use error::EmbeddingsError;
pub use geometry::{Geometry, Spread};
pub use linear_head::{ClassScore, HeadScore, LinearHead};
pub use losses::{unsupervised_gradients, unsupervised_losses};
pub use pairs::Distances;
pub use report::{BoundRow, LabelledReport, LossRow, TaskRow, TrainedRow, Worth, labelled_report};
pub use settings::{Effort, Settings};
pub use views::{DrawnLoss, PairScore, ViewSettings, ViewsReport, is_normalized, views_report};
pub use watcher::{Unwatched, Watcher};
