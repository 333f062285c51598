//! `bounds`: what the theory says about a user's own embeddings.

mod chart;
mod html;
mod labelled_page;
mod ledger;
mod page;
mod progress;
mod views_html;
mod views_page;

use clap::{Args, ValueEnum};
use embeddings::formats::{ArraySource, Columns, load_table};
use embeddings::{
    Effort, Embeddings, EmbeddingsError, LabelledReport, Settings, ViewSettings, is_normalized, labelled_report,
    views_report,
};
use serde_json::json;

use self::ledger::Ledger;
use self::progress::Stages;
use super::console::{self, tell};
use super::status::{Status, Trouble};

const EXAMPLES: &str = "\
Examples:
  contrapositive bounds embeddings.npy labels.npy
  contrapositive bounds embeddings.npy labels.npy --temperature 0.1 --normalize
  contrapositive bounds embeddings.npy labels.npy --negatives 15,255 --tasks 2,5
  contrapositive bounds data.npz:embeddings data.npz:labels
  contrapositive bounds data.parquet data.parquet:label --columns 'x*'
  contrapositive bounds images-idx3-ubyte.gz labels-idx1-ubyte.gz --pixels
  contrapositive bounds --views one.npy other.npy --temperature 0.5 --normalize
  contrapositive bounds embeddings.npy labels.npy --format html > bounds.html

The losses are those of the points themselves: an anchor, its positive (of the
same class, perhaps the anchor itself) and the negatives (of any class) are drawn
independently, with replacement.";

/// Show what the bounds say about embeddings of your own.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, allow_negative_numbers = true)]
pub struct Bounds {
    /// The embeddings, one row for each: a NumPy file, an array of an archive (file.npz:name), safetensors
    /// (file.safetensors:name), Parquet (file.parquet:column), CSV, the images of an IDX pair, or "-" for standard input.
    #[arg(required_unless_present = "views")]
    pub embeddings: Option<String>,
    /// Their labels: integers, truth values or words, in any of these formats (file.csv:column).
    #[arg(required_unless_present = "views")]
    pub labels: Option<String>,
    /// Pairs without labels: row i of the two arrays are two views of one input (two augmentations, or an image and its text).
    #[arg(long, num_args = 2, value_names = ["ONE", "OTHER"],
          conflicts_with_all = ["embeddings", "labels", "tasks", "center", "equal_classes", "without_replacement", "exclude_anchor"])]
    pub views: Option<Vec<String>>,
    /// Columns of Parquet or CSV that are coordinates, also for --views; `*` stands for any characters (x*,y). By default all but the labels, an index
    /// and ids; the conclusion names those left out.
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub columns: Vec<String>,
    /// Numbers of negatives: 15, 255 and 4096 by default (without replacement 15 and 255); for views all others of the batch.
    #[arg(long, value_delimiter = ',')]
    pub negatives: Vec<u64>,
    /// Numbers of classes per task, for the bounds on tasks of some of the classes.
    #[arg(long, value_delimiter = ',', value_name = "SIZES")]
    pub tasks: Vec<usize>,
    /// Divide inner products by this number.
    #[arg(long, default_value_t = 1.0)]
    pub temperature: f64,
    /// Divide coordinates by 255; they must be pixels, whole numbers from 0 to 255. Without it they are used as stored.
    #[arg(long)]
    pub pixels: bool,
    /// Divide every embedding by its Euclidean norm, so that inner products are cosines.
    #[arg(long)]
    pub normalize: bool,
    /// Subtract the mean of all embeddings first.
    #[arg(long)]
    pub center: bool,
    /// Take classes as equally likely, whatever their sizes.
    #[arg(long)]
    pub equal_classes: bool,
    /// Also show the loss without replacement: negatives are distinct, and neither the anchor nor its positive.
    #[arg(long)]
    pub without_replacement: bool,
    /// Also show the loss in which the anchor is never its own positive.
    #[arg(long)]
    pub exclude_anchor: bool,
    /// Largest number of multiplications for the exact losses, or for the sampled ones.
    #[arg(long, default_value_t = 3e11)]
    pub work: f64,
    /// Do not sample: fail if exact losses take more than --work.
    #[arg(long)]
    pub exact: bool,
    /// Chance that any sampled interval misses.
    #[arg(long, default_value_t = 1e-6)]
    pub alpha: f64,
    /// Relative half-width at which sampling stops.
    #[arg(long, default_value_t = 1e-3)]
    pub half_width: f64,
    /// Master seed of the sampling.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Format of the answer.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    pub format: Form,
}

/// Forms of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// For people, in lines of 80 columns at most.
    Text,
    /// For programs.
    Json,
    /// One page with pictures.
    Html,
}

/// Numbers of negatives that are looked at unless others are asked for.
const NEGATIVES: [u64; 3] = [15, 255, 4096];

/// The columns that are asked for.
fn columns(options: &Bounds, sources: &[&ArraySource]) -> Result<Columns, Trouble> {
    if options.columns.is_empty() {
        return Ok(Columns::Found);
    }
    if let Some(source) = sources.iter().find(|source| source.array.is_some()) {
        return Err(Trouble::Unusable(format!(
            "{}: a column is named behind the colon, and others by --columns; one of the two will do",
            source.path.display()
        )));
    }
    Ok(Columns::Chosen(options.columns.clone()))
}

/// Prints the conclusion, then what it rests on.
pub fn bounds(options: &Bounds) -> Result<Status, Trouble> {
    match (&options.views, &options.embeddings, &options.labels) {
        (Some(views), _, _) => pairs(options, views),
        (None, Some(points), Some(labels)) => labelled(options, points, labels),
        _ => Err(Trouble::Unusable("embeddings and labels, or --views, are needed".into())),
    }
}

/// What an error about the data says, or about the request; `files` are the points, or both views.
fn trouble(error: EmbeddingsError, files: &[&str]) -> Trouble {
    match error {
        EmbeddingsError::ZeroRow { row, second } => Trouble::Unusable(format!(
            "{}: row {row}, counted from zero, is zero and cannot be normalized; leave out --normalize, or this row",
            files.get(usize::from(second)).copied().unwrap_or_default()
        )),
        EmbeddingsError::NotAPixel { .. } => {
            Trouble::Unusable(format!("{}: {error}; leave out --pixels", files.first().copied().unwrap_or_default()))
        }
        EmbeddingsError::Data(error) => Trouble::Data(error),
        error => Trouble::Unusable(error.to_string()),
    }
}

fn labelled(options: &Bounds, points: &str, labels: &str) -> Result<Status, Trouble> {
    let (points, labels) = (ArraySource::parse(points), ArraySource::parse(labels));
    let embeddings = Embeddings::load(&points, &labels, &columns(options, &[&points])?)?;
    if let Some(name) = embeddings.suspect() {
        tell!(
            "warning: {}: the column {name} is taken as a coordinate; if it holds the labels, name it ({}:{name}), or leave it out (--columns)",
            points.path.display(),
            points.path.display()
        );
    }
    let settings = Settings {
        negatives: if options.negatives.is_empty() {
            let most = if options.without_replacement { 2 } else { NEGATIVES.len() };
            NEGATIVES[..most].to_vec()
        } else {
            options.negatives.clone()
        },
        task_sizes: options.tasks.clone(),
        temperature: options.temperature,
        pixels: options.pixels,
        center: options.center,
        normalize: options.normalize,
        equal_classes: options.equal_classes,
        replacement: !options.without_replacement,
        self_positive: !options.exclude_anchor,
        effort: if options.exact { Effort::Exact } else { Effort::Within },
        work: options.work,
        alpha: options.alpha,
        half_width: options.half_width,
        seed: options.seed,
    };
    let progress = Stages::default();
    let report = labelled_report(&embeddings, &settings, &progress);
    progress.finish();
    let report = report.map_err(|error| trouble(error, &[&points.path.to_string_lossy()]))?;
    let ledger = Ledger::of_catalogue();
    match options.format {
        Form::Text => page::print(|page| labelled_page::write(page, &report, &ledger))?,
        Form::Json => console::print(&format!("{:#}\n", as_json(&report, &ledger)))?,
        Form::Html => console::print(&html::page(&report, &ledger))?,
    }
    Ok(Status::AsExpected)
}

fn pairs(options: &Bounds, views: &[String]) -> Result<Status, Trouble> {
    let sources: Vec<ArraySource> = views.iter().map(|view| ArraySource::parse(view)).collect();
    let [one, other] = sources.as_slice() else {
        return Err(Trouble::Unusable("--views takes two arrays".into()));
    };
    let columns = columns(options, &[one, other])?;
    let ((one, mut reading), (other, more)) = (load_table(one, &columns)?, load_table(other, &columns)?);
    reading.extend(more);
    reading.dedup();
    let settings = ViewSettings {
        temperature: options.temperature,
        pixels: options.pixels,
        normalize: options.normalize,
        negatives: options.negatives.clone(),
        effort: if options.exact { Effort::Exact } else { Effort::Within },
        work: options.work,
        alpha: options.alpha,
        half_width: options.half_width,
        seed: options.seed,
    };
    let progress = Stages::default();
    let report = views_report(&one, &other, &settings, &progress);
    progress.finish();
    let files: Vec<&str> = views.iter().map(String::as_str).collect();
    let mut report = report.map_err(|error| trouble(error, &files))?;
    reading.append(&mut report.reading);
    report.reading = reading;
    let cosines = settings.normalize || is_normalized(&one) && is_normalized(&other);
    match options.format {
        Form::Text => page::print(|page| views_page::write(page, &report, cosines))?,
        Form::Html => console::print(&views_html::page(&report, cosines))?,
        Form::Json => {
            let value = json!({
                "format": "contrapositive views 1",
                "conclusion": report.conclusion(),
                "cosines": cosines,
                "report": report,
            });
            console::print(&format!("{value:#}\n"))?;
        }
    }
    Ok(Status::AsExpected)
}

/// The report with its words and with what the catalogue says of the claims behind it.
fn as_json(report: &LabelledReport, ledger: &Ledger) -> serde_json::Value {
    json!({
        "format": "contrapositive bounds 1",
        "conclusion": report.conclusion(),
        "reality": report.reality(),
        "conventions": report.conventions(),
        "claims": ledger.claims(report.bounds.iter().map(|row| row.claim)),
        "report": report,
    })
}
