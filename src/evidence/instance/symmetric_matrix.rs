//! Symmetric matrices as instances.

use enclosures::linear_algebra::SymmetricMatrix;

use super::Instance;

impl Instance for SymmetricMatrix {
    fn describe(&self) -> String {
        match self {
            SymmetricMatrix::Spectral { spectrum, rotations } if rotations.is_empty() => {
                format!("{}×{0} diagonal matrix {spectrum:?}", spectrum.len())
            }
            SymmetricMatrix::Spectral { spectrum, rotations } => format!(
                "{}×{0} symmetric matrix, spectrum {spectrum:?}, {} plane rotations",
                spectrum.len(),
                rotations.len()
            ),
            SymmetricMatrix::LowerTriangle(rows) => {
                format!("{}×{0} symmetric matrix, lower triangle {rows:?}", rows.len())
            }
        }
    }

    fn validate(&self) -> Result<(), String> {
        self.check().map_err(|error| error.to_string())
    }

    fn simpler(&self) -> Vec<Self> {
        let mut all = Vec::new();
        if let SymmetricMatrix::Spectral { spectrum, rotations } = self {
            let with = |rotations| SymmetricMatrix::Spectral { spectrum: spectrum.clone(), rotations };
            if !rotations.is_empty() {
                all.push(with(Vec::new()));
            }
            if self.size() > 1 {
                all.extend((0..self.size()).map(|k| self.without(k)));
            }
            for k in 0..rotations.len() {
                let mut fewer = rotations.clone();
                fewer.remove(k);
                all.push(with(fewer));
            }
        } else if self.size() > 1 {
            all.extend((0..self.size()).map(|k| self.without(k)));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use enclosures::linear_algebra::PlaneRotation;

    use super::*;

    #[test]
    fn simpler_instances_are_valid_and_end() {
        let mut frontier = vec![
            SymmetricMatrix::Spectral {
                spectrum: vec![25.0, 7.0, 0.0],
                rotations: vec![PlaneRotation { first: 0, second: 2, half_tangent: 0.5 }],
            },
            SymmetricMatrix::LowerTriangle(vec![vec![1.0], vec![2.0, 3.0]]),
        ];
        let mut seen = 0;
        while let Some(next) = frontier.pop() {
            next.validate().unwrap();
            seen += 1;
            frontier.extend(next.simpler());
        }
        assert!(seen < 200, "{seen}");
    }
}
