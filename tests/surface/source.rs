//! The modules of a package, read from its files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, Item, ItemMod};

/// A path of modules below the root.
pub type Place = Vec<String>;

/// The items of every module of a package but its tests.
pub struct Source {
    /// Items by module.
    pub modules: BTreeMap<Place, Vec<Item>>,
}

impl Source {
    /// Reads a package from its root file.
    pub fn read(root: &Path) -> Result<Self, String> {
        let mut source = Source { modules: BTreeMap::new() };
        let folder = root.parent().unwrap_or(Path::new("."));
        source.file(root, folder, Vec::new())?;
        Ok(source)
    }

    fn file(&mut self, path: &Path, below: &Path, place: Place) -> Result<(), String> {
        let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let file = syn::parse_file(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        self.module(file.items, below, place)
    }

    /// Takes the items of a module whose own modules have their files in a folder.
    fn module(&mut self, items: Vec<Item>, below: &Path, place: Place) -> Result<(), String> {
        for item in &items {
            let Item::Mod(module) = item else { continue };
            if is_left_out(&module.attrs) {
                continue;
            }
            let name = name(module);
            let mut inside = place.clone();
            inside.push(name.clone());
            let folder = below.join(&name);
            match &module.content {
                Some((_, items)) => self.module(items.clone(), &folder, inside)?,
                None => self.file(&file_of(below, &name)?, &folder, inside)?,
            }
        }
        self.modules.insert(place, items);
        Ok(())
    }
}

/// The name of a module without the mark of a word that is also a keyword.
pub fn name(module: &ItemMod) -> String {
    module.ident.to_string().trim_start_matches("r#").to_owned()
}

fn file_of(below: &Path, name: &str) -> Result<PathBuf, String> {
    let places = [below.join(format!("{name}.rs")), below.join(name).join("mod.rs")];
    let found = places.iter().find(|path| path.is_file()).cloned();
    found.ok_or_else(|| format!("no file for module {name} below {}", below.display()))
}

/// Whether an item is there for tests only, or hidden from readers of the documentation.
pub fn is_left_out(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let word = |word: &str| attribute.parse_args::<syn::Ident>().is_ok_and(|ident| ident == word);
        (attribute.path().is_ident("cfg") && word("test")) || (attribute.path().is_ident("doc") && word("hidden"))
    })
}
