//! Finished trainings, kept until all are done, so that the same command goes on where it was stopped.
//!
//! A folder for each plan, below the folder of the results, holds one file for each finished training. Its name is a digest of
//! everything that a training depends on: the program, the plan and the images. Every file carries its checksum; one that does
//! not agree with it is set aside, and the training is done again.

use std::fs;
use std::path::{Path, PathBuf};

use contrastive::data::LabelledPoints;
use enclosures::stream;
use evidence::writing;

use super::super::console::tell;
use super::super::status::Trouble;
use super::training::{Look, Plan, Task};

/// Where finished trainings of one plan are kept.
pub struct Kept {
    folder: PathBuf,
}

impl Kept {
    /// The place for a plan on some images, below the folder of the results.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn below(results: &Path, plan: &Plan, images: &LabelledPoints) -> Result<Self, Trouble> {
        let folder = results.join(format!(".unfinished-{}", &digest(plan, images)[..16]));
        match fs::create_dir_all(&folder) {
            Ok(()) => Ok(Kept { folder }),
            Err(source) => Err(Trouble::Io {
                action: "cannot make",
                path: folder,
                source,
            }),
        }
    }

    /// What an earlier call has seen in a training.
    pub fn recall(&self, task: Task) -> Option<Vec<Look>> {
        let path = self.place(task);
        let text = fs::read_to_string(&path).ok()?;
        let whole = text
            .split_once('\n')
            .filter(|(sum, rest)| stream::hash(rest.as_bytes()) == *sum);
        let looks = whole.and_then(|(_, rest)| serde_json::from_str(rest).ok());
        if looks.is_none() {
            tell!("note: {} is damaged and set aside", path.display());
        }
        looks
    }

    /// Keeps what was seen in a training.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn keep(&self, task: Task, looks: &[Look]) -> Result<(), Trouble> {
        let text = serde_json::to_string(looks).map_err(|e| Trouble::Unusable(e.to_string()))?;
        let sum = stream::hash(text.as_bytes());
        Ok(writing::write(&self.place(task), format!("{sum}\n{text}").as_bytes())?)
    }

    /// Forgets all trainings of the plan: its files and, if nothing else is in it, its folder.
    pub fn forget(&self, plan: &Plan) {
        for task in plan.tasks() {
            let _ = fs::remove_file(self.place(task));
        }
        let _ = fs::remove_dir(&self.folder);
    }

    fn place(&self, task: Task) -> PathBuf {
        self.folder.join(format!("{}-{}.json", task.negatives, task.run))
    }
}

/// A digest of everything that a training depends on, and of nothing else: which other trainings there are does not matter.
fn digest(plan: &Plan, images: &LabelledPoints) -> String {
    let program = std::env::current_exe().and_then(|path| stream::file_hash(&path));
    let numbers = images.points().iter().flat_map(|x| x.to_le_bytes());
    let labels = images.labels().iter().flat_map(|&label| (label as u64).to_le_bytes());
    let data: Vec<u8> = numbers.chain(labels).collect();
    let parts = format!(
        "{} {:?} {} {} {} {}",
        program.unwrap_or_default(),
        plan.shape,
        plan.steps,
        plan.batch,
        plan.seed,
        stream::hash(&data)
    );
    stream::hash(parts.as_bytes())
}

#[cfg(test)]
mod tests {
    use contrastive::network::ConvolutionalShape;

    use super::*;

    #[test]
    fn what_is_kept_comes_back_unless_it_is_damaged() {
        let shape = ConvolutionalShape {
            side: 13,
            channels: 1,
            maps: [1, 1],
            kernel: 5,
            stride: 2,
            output: 2,
        };
        let plan = Plan {
            shape,
            negatives: vec![3],
            runs: 2,
            steps: 1,
            batch: 1,
            seed: 0,
        };
        let images = LabelledPoints::new(vec![0.5; 338], 169, vec![0, 1]).unwrap();
        let results = tempfile::tempdir().unwrap();
        let kept = Kept::below(results.path(), &plan, &images).unwrap();
        let (first, second) = (plan.tasks()[0], plan.tasks()[1]);
        let looks = plan.train(first, &images, &|_| ()).unwrap();
        kept.keep(first, &looks).unwrap();
        assert_eq!(kept.recall(first), Some(looks.clone()));
        assert_eq!(kept.recall(second), None);

        // Another plan, another place.
        let other = Plan {
            steps: 2,
            ..plan.clone()
        };
        assert_eq!(
            Kept::below(results.path(), &other, &images).unwrap().recall(first),
            None
        );

        let text = fs::read_to_string(kept.place(first)).unwrap();
        fs::write(kept.place(first), text.replacen("\"step\":1", "\"step\":2", 1)).unwrap();
        assert_eq!(kept.recall(first), None);
        kept.forget(&plan);
        assert!(!kept.folder.exists());
    }
}
