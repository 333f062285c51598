//! The statements as a black box for other programs: a line `name numbers…` on standard input is answered by the relative margin there
//! (negative: violated) or by `nan`; the line `list` by the name, class and ranges of every statement.

use std::io::{BufRead, Write};
use std::process::ExitCode;

use crate::statement::Twin;
use crate::statements;

pub fn serve(input: &mut dyn BufRead, output: &mut dyn Write) -> ExitCode {
    let statements = statements::all();
    let mut draw = 0;
    let mut answer = |line: &str| -> Result<String, String> {
        let mut words = line.split_whitespace();
        let name = words.next().ok_or("an empty question")?;
        if name == "list" {
            let one = |s: &crate::statement::Statement| {
                let ranges: Vec<String> = s.ranges.iter().map(|(low, high)| format!("{low} {high}")).collect();
                format!("{}\t{}\t{}\n", s.name, s.class.name(), ranges.join(" "))
            };
            return Ok(statements.iter().map(one).collect::<String>());
        }
        let statement = statements.iter().find(|s| s.name == name).ok_or("no such statement")?;
        let numbers: Vec<f64> = words.map(|w| w.parse().map_err(|e| format!("{w}: {e}"))).collect::<Result<_, _>>()?;
        if numbers.len() != statement.ranges.len() {
            return Err(format!("{name} has {} coordinates", statement.ranges.len()));
        }
        draw += 1;
        Ok(match statement.margin(&numbers, Twin::False, draw) {
            Some(margin) => format!("{margin:e}"),
            None => "nan".to_owned(),
        })
    };
    for line in input.lines() {
        let told = line.map_err(|e| e.to_string()).and_then(|line| answer(&line));
        let written = match told {
            Ok(text) => writeln!(output, "{text}").and_then(|()| output.flush()),
            Err(message) => {
                eprintln!("{message}");
                return ExitCode::from(2);
            }
        };
        if written.is_err() {
            break;
        }
    }
    ExitCode::SUCCESS
}
