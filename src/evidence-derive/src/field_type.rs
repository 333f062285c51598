//! What the source says of the type of a field.

use syn::Type as RustType;

/// The name of a number type, or `bool`.
pub fn primitive(ty: &RustType) -> Option<String> {
    let RustType::Path(path) = ty else {
        return None;
    };
    let name = path.path.get_ident()?.to_string();
    let numbers = ["f64", "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize", "bool"];
    numbers.contains(&name.as_str()).then_some(name)
}

/// Whether a type is a list, an array or an option as it stands in the source.
pub fn is_collection(ty: &RustType) -> bool {
    match ty {
        RustType::Array(_) => true,
        RustType::Path(path) => {
            path.path.segments.last().is_some_and(|last| last.ident == "Vec" || last.ident == "Option")
        }
        _ => false,
    }
}
