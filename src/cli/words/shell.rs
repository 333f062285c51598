//! What shells and readers of manuals ask of the program: completions and a page.

use std::io::Write;

pub use clap_complete::Shell;

use clap::Arg;
use clap::builder::PossibleValuesParser;
use evidence::claim::{Claim, Kind};

use super::headlines::VERDICTS;
use crate::outcome::status::{Status, Trouble};
use crate::terminal::console;

/// Prints what a shell needs to complete this program's words, the ids of the claims among them.
pub fn completions(shell: Shell, words: clap::Command, name: &str, claims: &[Claim]) -> Result<Status, Trouble> {
    let mut words = with_values(words, claims);
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut words, name, &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    if shell == Shell::Fish {
        script += &claims_in_fish(&words, name, claims);
    }
    console::print(&script)?;
    Ok(Status::AsExpected)
}

/// The ids for fish, which is told the values of options alone.
fn claims_in_fish(words: &clap::Command, name: &str, claims: &[Claim]) -> String {
    let takes_claims = |command: &&clap::Command| {
        command.get_positionals().any(|place| ["ids", "id", "witness"].iter().any(|name| place.get_id() == name))
    };
    let commands: Vec<&str> = words.get_subcommands().filter(takes_claims).map(clap::Command::get_name).collect();
    let ids: Vec<&str> = claims.iter().map(|c| c.id).collect();
    let (commands, ids) = (commands.join(" "), ids.join(" "));
    format!("complete -c {name} -n \"__fish_seen_subcommand_from {commands}\" -a \"{ids}\"\n")
}

/// The words with the values that options and places for claims take: the program itself reads them with more to say of those that are none.
fn with_values(words: clap::Command, claims: &[Claim]) -> clap::Command {
    let ids: Vec<String> = claims.iter().map(|claim| claim.id.to_owned()).collect();
    let mut papers: Vec<String> = claims.iter().map(|claim| claim.paper.to_owned()).collect();
    papers.dedup();
    let kinds = Kind::all().map(|kind| kind.to_string()).collect();
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let known: [(&str, Vec<String>); 7] = [
        ("budget", owned(&["quick", "standard", "deep"])),
        ("kind", kinds),
        ("verdict", owned(&VERDICTS)),
        ("paper", papers),
        ("ids", ids.clone()),
        ("id", ids.clone()),
        ("witness", ids),
    ];
    let values = |argument: Arg| match known.iter().find(|(name, _)| argument.get_id() == name) {
        Some((_, values)) => {
            argument.value_parser(PossibleValuesParser::new(values.iter().map(|value| &*value.clone().leak())))
        }
        None => argument,
    };
    words.mut_subcommands(|command| command.mut_args(values))
}

/// Prints the manual in the language of `man`: one page, with a part for each command.
pub fn manual(mut words: clap::Command) -> Result<Status, Trouble> {
    words.build();
    let mut page = Vec::new();
    let written = clap_mangen::Man::new(words.clone()).render(&mut page);
    written.map_err(Trouble::output)?;
    for command in words.get_subcommands().filter(|c| !c.is_hide_set()) {
        let man = clap_mangen::Man::new(command.clone());
        let written = writeln!(page, ".SH \"{}\"", command.get_name().to_uppercase())
            .and_then(|()| man.render_description_section(&mut page))
            .and_then(|()| man.render_options_section(&mut page));
        written.map_err(Trouble::output)?;
    }
    console::print(&String::from_utf8_lossy(&page))?;
    Ok(Status::AsExpected)
}
