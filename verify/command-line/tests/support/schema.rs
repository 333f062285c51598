//! The schema of JSON reports, as it is committed.

use std::fs;
use std::path::Path;

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;

use super::whole_run::ROOT;

pub struct Schema {
    all: Schemas,
    own: SchemaIndex,
}

impl Schema {
    pub fn of_reports() -> Self {
        const NAME: &str = "schema.json";
        let text = fs::read_to_string(Path::new(ROOT).join("src/evidence/report").join(NAME)).expect("committed");
        let schema = serde_json::from_str(&text).expect("a schema is JSON");
        let (mut all, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource(NAME, schema).expect("a name of its own");
        let own = compiler.compile(NAME, &mut all).expect("it is a schema");
        Self { all, own }
    }

    /// What is wrong with a document, by place.
    pub fn fault(&self, document: &Value) -> Option<String> {
        self.all.validate(document, self.own).err().map(|e| e.to_string())
    }
}
