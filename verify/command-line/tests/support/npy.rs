//! Small NumPy files of a user's own.

/// A NumPy file, format version 1.0: `kind` is the type of its entries (`<f8`), `shape` is written as in Python (`12, 1`).
pub fn npy(kind: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
    while (header.len() + 11) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.as_bytes());
    file.extend(data);
    file
}

/// Twelve points on a line, and their labels: six classes of two.
pub fn six_pairs() -> (Vec<u8>, Vec<u8>) {
    let points: Vec<u8> = (0..12).flat_map(|i| (f64::from(i) / 4.0 - 1.0).to_le_bytes()).collect();
    let labels = npy("|u1", "12,", &[0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
    (npy("<f8", "12, 1", &points), labels)
}
