//! The images that encoders are trained on.

use std::path::{Path, PathBuf};
use std::slice;

use contrastive::data::idx::BRIGHTEST;
use contrastive::data::{LabelledPoints, NumberTable, cifar, mnist};
use contrastive::network::ConvolutionalShape;

use super::super::foreign::tame;
use super::super::select::fixtures;
use super::super::status::Trouble;
use super::arguments::Figures;
use super::training::{KERNEL, MAPS, OUTPUT, STRIDE};

/// The first images of every class, and what to call them.
pub struct Images {
    pub points: LabelledPoints,
    pub name: String,
    pub shape: ConvolutionalShape,
}

impl Images {
    /// Those that the arguments ask for.
    ///
    /// # Errors
    /// Files that cannot be used, and images that are not square or too small for the encoder.
    pub fn of(options: &Figures) -> Result<Self, Trouble> {
        let called = |file: &Path| tame(&file.file_name().unwrap_or_default().to_string_lossy()).into_owned();
        let holds_both = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "bin");
        let (all, name) = match options.data.as_deref() {
            Some([first, more @ ..]) if options.data.iter().flatten().all(holds_both) => {
                let name = match more.len() {
                    0 => called(first),
                    more => format!("{} and {more} more", called(first)),
                };
                (cifar::load(&[slice::from_ref(first), more].concat(), options.per_class as usize)?, name)
            }
            Some([images, labels]) => (scaled(LabelledPoints::load(images, labels)?)?, called(images)),
            Some(files) => {
                return Err(Trouble::Unusable(format!(
                    "--data takes a file of images and one of labels, or files of CIFAR that end in .bin, not {} files",
                    files.len()
                )));
            }
            None => {
                let fixtures = fixtures(options.fixtures.as_ref())?;
                (mnist::load(fixtures.root())?, "MNIST".to_owned())
            }
        };
        let (side, channels) = square(all.dimension())
            .ok_or_else(|| Trouble::Unusable(format!("{} numbers make no square image", all.dimension())))?;
        let shape = ConvolutionalShape { side, channels, maps: MAPS, kernel: KERNEL, stride: STRIDE, output: OUTPUT };
        shape.validate().map_err(|e| Trouble::Unusable(format!("images of {side} times {side} pixels: {e}")))?;
        if all.classes() < 2 {
            return Err(Trouble::Unusable("one class only: nothing can be contrasted".into()));
        }
        let smallest = (0..all.classes()).map(|class| all.class_members(class).len()).min();
        let each = smallest.unwrap_or(0).min(options.per_class as usize);
        Ok(Images { points: all.subset_per_class(each)?, name, shape })
    }
}

/// Height and channels of a square image of so many numbers: one channel, or three.
fn square(numbers: usize) -> Option<(usize, usize)> {
    [1, 3].into_iter().find_map(|channels| {
        let side = (numbers / channels).isqrt();
        (side * side * channels == numbers && side > 0).then_some((side, channels))
    })
}

/// Pixels from 0 to 255 divided by 255, whatever file they are from; others divided by the largest, unless all lie in [-1, 1] already.
fn scaled(images: LabelledPoints) -> Result<LabelledPoints, Trouble> {
    let is_byte = |x: &f64| (0.0..=BRIGHTEST).contains(x) && x.fract() == 0.0;
    let mut largest = images.points().iter().fold(1.0, |most: f64, x| most.max(x.abs()));
    if largest == 1.0 {
        return Ok(images);
    }
    if images.points().iter().all(is_byte) {
        largest = BRIGHTEST;
    }
    let values = images.points().iter().map(|x| x / largest).collect();
    let table = NumberTable::new("images", values, images.len(), images.dimension())?;
    Ok(images.with_points(table)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_square_and_grey_or_coloured() {
        assert_eq!(square(784), Some((28, 1)));
        assert_eq!(square(3072), Some((32, 3)));
        assert_eq!((square(0), square(783), square(6)), (None, None, None));
    }

    #[test]
    fn bytes_become_shares_and_shares_stay() {
        let of = |values: Vec<f64>| scaled(LabelledPoints::new(values, 2, vec![0, 1]).unwrap()).unwrap();
        assert_eq!(of(vec![0.0, 51.0, 255.0, 102.0]).points(), [0.0, 0.2, 1.0, 0.4]);
        assert_eq!(of(vec![0.0, 51.0, 204.0, 102.0]).points(), [0.0, 0.2, 0.8, 0.4]);
        assert_eq!(of(vec![0.0, -4.0, 2.0, 1.0]).points(), [0.0, -1.0, 0.5, 0.25]);
        assert_eq!(of(vec![0.0, 0.5, -1.0, 0.25]).points(), [0.0, 0.5, -1.0, 0.25]);
    }
}
