//! Contrastive tuples drawn from labelled points.

use rand::{Rng, RngExt};

use super::LabelledPoints;

/// Draws the indices of one tuple (x, x⁺, x⁻₁, ..., x⁻_N), N = `negatives`, from the finite model that `data` is.
///
/// The latent class of the pair has the probability of its share of the points, x and x⁺ are independent uniform draws
/// from it, and each negative is an independent draw from the class mixture, that is, a uniform point (Merad et al. 2020,
/// equations (1) and (2)). As in that model x⁺ may be x itself and a negative may share the class of x.
pub fn draw_tuple<R: Rng + ?Sized>(data: &LabelledPoints, negatives: usize, rng: &mut R) -> Vec<usize> {
    let mut tuple = Vec::with_capacity(negatives.saturating_add(2));
    // A uniform point has a class drawn by its share and is uniform in it: both draws of the pair's first half in one.
    let anchor = rng.random_range(0..data.len());
    let peers = data.class_members(data.label(anchor));
    tuple.push(anchor);
    tuple.push(peers[rng.random_range(0..peers.len())]);
    for _ in 0..negatives {
        tuple.push(rng.random_range(0..data.len()));
    }
    tuple
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;

    use super::*;

    #[test]
    fn positives_share_the_class_and_negatives_follow_the_mixture() {
        let data = LabelledPoints::new(vec![0.0; 8], 1, vec![0, 0, 0, 0, 0, 0, 1, 1]).unwrap();
        let mut rng = ChaCha20Rng::seed_from_u64(5);
        let (mut second_class, mut repeated) = (0, 0);
        for _ in 0..4000 {
            let tuple = draw_tuple(&data, 3, &mut rng);
            assert_eq!(tuple.len(), 5);
            assert_eq!(data.label(tuple[0]), data.label(tuple[1]));
            repeated += usize::from(tuple[0] == tuple[1]);
            second_class += tuple[2..].iter().filter(|&&i| data.label(i) == 1).count();
        }
        // Expected 3000 of 12000 (standard deviation 47) and 1000 of 4000 (27); the seed is fixed, so this cannot flake.
        assert!((2800..3200).contains(&second_class), "{second_class}");
        assert!((880..1120).contains(&repeated), "{repeated}");
    }
}
