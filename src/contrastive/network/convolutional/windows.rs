//! The square windows that a convolution looks at, as rows of a matrix.

/// Where the windows of a convolution lie in an image, and where their entries lie in a window.
///
/// Entries of a window are ordered by row, column and channel, windows by row and column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Windows {
    /// Numbers of an image.
    image: usize,
    /// Where each window begins.
    corners: Vec<usize>,
    /// Where its entries lie from there.
    offsets: Vec<usize>,
    /// The same as stretches of entries that lie side by side: where each begins, and its length.
    stretches: Vec<(usize, usize)>,
}

/// How the numbers of an image lie in memory.
#[derive(Clone, Copy)]
pub(super) enum Layout {
    /// One channel after the other, each row by row.
    ChannelsFirst,
    /// Pixel by pixel, all channels of each.
    ChannelsLast,
}

impl Windows {
    /// The windows of images of `side` times `side` pixels with so many channels: `kernel` pixels wide and high, `stride` pixels
    /// apart, all of them inside the image. The kernel must not be larger than the image.
    pub(super) fn new(side: usize, channels: usize, layout: Layout, kernel: usize, stride: usize) -> Self {
        let at = |row: usize, column: usize, channel: usize| match layout {
            Layout::ChannelsFirst => (channel * side + row) * side + column,
            Layout::ChannelsLast => (row * side + column) * channels + channel,
        };
        let starts = || (0..=side - kernel).step_by(stride);
        let corners = starts().flat_map(|row| starts().map(move |column| at(row, column, 0)));
        let offsets = (0..kernel).flat_map(|row| {
            let entries = move |column| (0..channels).map(move |channel| at(row, column, channel));
            (0..kernel).flat_map(entries)
        });
        let offsets: Vec<usize> = offsets.collect();
        let alike = offsets.chunk_by(|before, after| before + 1 == *after);
        Windows {
            image: side * side * channels,
            corners: corners.collect(),
            stretches: alike.map(|stretch| (stretch[0], stretch.len())).collect(),
            offsets,
        }
    }

    /// Entries of a window.
    pub(super) fn entries(&self) -> usize {
        self.offsets.len()
    }

    /// Windows of an image.
    pub(super) fn count(&self) -> usize {
        self.corners.len()
    }

    /// All windows of all images, one row each.
    pub(super) fn cut(&self, images: &[f64]) -> Vec<f64> {
        let mut rows = Vec::with_capacity(images.len() / self.image * self.count() * self.entries());
        for image in images.chunks_exact(self.image) {
            for &corner in &self.corners {
                let window = &image[corner..];
                for &(start, length) in &self.stretches {
                    rows.extend_from_slice(&window[start..start + length]);
                }
            }
        }
        rows
    }

    /// The adjoint of [`Windows::cut`]: every entry of every window is added to the number of the image that it was cut from,
    /// windows and entries in their order.
    pub(super) fn add_up(&self, rows: &[f64]) -> Vec<f64> {
        let of_image = self.count() * self.entries();
        let mut images = vec![0.0; rows.len() / of_image * self.image];
        for (image, rows) in images.chunks_exact_mut(self.image).zip(rows.chunks_exact(of_image)) {
            for (&corner, row) in self.corners.iter().zip(rows.chunks_exact(self.entries())) {
                let (window, mut row) = (&mut image[corner..], row);
                for &(start, length) in &self.stretches {
                    let (entries, rest) = row.split_at(length);
                    let sums = &mut window[start..start + length];
                    sums.iter_mut().zip(entries).for_each(|(sum, entry)| *sum += entry);
                    row = rest;
                }
            }
        }
        images
    }

    /// The matrix with so many rows that makes the maps of an image from the image and, in the last column, the number one. A map's row repeats
    /// for every window; the rows beyond are −1 whatever the image, and the last one is one.
    pub(super) fn as_matrix(&self, kernels: &[f64], bias: &[f64], rows: usize, columns: usize) -> Vec<f64> {
        let mut matrix = vec![0.0; rows * columns];
        let mut unit = matrix.chunks_exact_mut(columns);
        for &corner in &self.corners {
            for (kernel, &bias) in kernels.chunks_exact(self.entries()).zip(bias) {
                let Some(row) = unit.next() else { return matrix };
                for (&offset, &weight) in self.offsets.iter().zip(kernel) {
                    row[corner + offset] = weight;
                }
                row[columns - 1] = bias;
            }
        }
        unit.for_each(|row| row[columns - 1] = -1.0);
        if let Some(last) = matrix.last_mut() {
            *last = 1.0;
        }
        matrix
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn windows_of_a_small_image() {
        let image: Vec<f64> = (0..16).map(f64::from).collect();
        let windows = Windows::new(4, 1, Layout::ChannelsFirst, 2, 2);
        let rows = windows.cut(&image);
        assert_eq!(rows, [0., 1., 4., 5., 2., 3., 6., 7., 8., 9., 12., 13., 10., 11., 14., 15.]);
        // Windows that overlap count what they share.
        let overlapping = Windows::new(3, 1, Layout::ChannelsLast, 2, 1);
        assert_eq!(overlapping.add_up(&[1.0; 16]), [1., 2., 1., 2., 4., 2., 1., 2., 1.]);
        // The last column and row are left out where the stride does not reach them.
        assert_eq!(Windows::new(4, 1, Layout::ChannelsLast, 3, 2).count(), 1);
    }

    proptest! {
        #[test]
        fn both_layouts_cut_the_same_windows(side in 2usize..6, channels in 1usize..4, kernel in 1usize..3, stride in 1usize..3) {
            let value = |row: usize, column: usize, channel: usize| (100 * row + 10 * column + channel) as f64;
            let mut first = Vec::new();
            let mut last = Vec::new();
            for a in 0..channels {
                for row in 0..side {
                    first.extend((0..side).map(|column| value(row, column, a)));
                }
            }
            for row in 0..side {
                for column in 0..side {
                    last.extend((0..channels).map(|channel| value(row, column, channel)));
                }
            }
            let rows = Windows::new(side, channels, Layout::ChannelsFirst, kernel, stride).cut(&first);
            prop_assert_eq!(&rows, &Windows::new(side, channels, Layout::ChannelsLast, kernel, stride).cut(&last));
            let mut expected = Vec::new();
            for top in (0..=side - kernel).step_by(stride) {
                for left in (0..=side - kernel).step_by(stride) {
                    for row in top..top + kernel {
                        for column in left..left + kernel {
                            expected.extend((0..channels).map(|channel| value(row, column, channel)));
                        }
                    }
                }
            }
            prop_assert_eq!(rows, expected);
        }
    }
}
