//! How many threads a command works on, and with how much stack.

use std::thread::available_parallelism;

use crate::outcome::status::Trouble;

/// More threads than this are refused: the largest machines have fewer processors, and every thread needs [`STACK`].
pub const MOST: u16 = 1024;

/// Stack of a worker thread in bytes: what the first thread of a program has on Linux, whatever the environment says. It is address
/// space; only what is used becomes memory.
pub const STACK: usize = 8 << 20;

/// Variables by which rayon is told a number of threads, the stronger one first.
const VARIABLES: [&str; 2] = ["RAYON_NUM_THREADS", "RAYON_RS_NUM_CPUS"];

/// Does the work on so many threads. If no number is given: on as many as the environment says, or else as the machine has.
pub fn on_threads<R: Send>(threads: Option<u16>, work: impl FnOnce() -> R + Send) -> Result<R, Trouble> {
    let threads = match threads {
        Some(threads) => threads,
        None => wished(|name| std::env::var(name).ok())?.unwrap_or_else(of_machine),
    };
    let threads = usize::from(threads);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build();
    Ok(pool.map_err(|source| Trouble::Threads { threads, source })?.install(work))
}

/// Refuses an environment that asks rayon for more threads than are reasonable: what works on no pool of its own obeys it as well.
///
/// # Errors
/// [`Trouble::ThreadsWished`].
pub fn check_environment() -> Result<(), Trouble> {
    wished(|name| std::env::var(name).ok()).map(drop)
}

/// The number of threads that the environment asks for, as rayon reads it: what is no number, and zero, leave the choice open.
fn wished(variable: impl Fn(&str) -> Option<String>) -> Result<Option<u16>, Trouble> {
    for name in VARIABLES {
        // One with more digits than there are numbers is no number to rayon either.
        let Some(number) = variable(name).and_then(|text| text.parse::<usize>().ok()) else {
            continue;
        };
        match u16::try_from(number) {
            Ok(0) => {}
            Ok(threads) if threads <= MOST => return Ok(Some(threads)),
            _ => {
                return Err(Trouble::ThreadsWished { variable: name, number, most: MOST });
            }
        }
    }
    Ok(None)
}

fn of_machine() -> u16 {
    let all = available_parallelism().map_or(1, usize::from);
    u16::try_from(all).unwrap_or(MOST).min(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_is_bounded_as_the_option_is() {
        let of = |first: Option<&str>, second: Option<&str>| {
            wished(|name| if name == VARIABLES[0] { first } else { second }.map(str::to_owned))
        };
        for (first, second, expected) in [
            (None, None, None),
            (Some("7"), Some("3"), Some(7)),
            (Some("0"), Some("3"), Some(3)),
            (Some("many"), None, None),
            (Some("1024"), None, Some(1024)),
            (Some("99999999999999999999999"), None, None),
        ] {
            assert_eq!(of(first, second).unwrap(), expected, "{first:?} {second:?}");
        }
        for (first, second, named) in [
            (Some("1025"), None, "RAYON_NUM_THREADS asks for 1025"),
            (None, Some("100000"), "RAYON_RS_NUM_CPUS asks for 100000"),
        ] {
            let error = of(first, second).unwrap_err();
            assert_eq!(error.status() as u8, 2);
            assert!(error.to_string().contains(named), "{error}");
        }
    }
}
