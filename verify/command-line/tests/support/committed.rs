//! Committed pages against what the program writes now.

/// Fails at the first line that differs, and names the command that renews the page.
pub fn assert_is_current(name: &str, committed: &str, fresh: &str, command: &str) {
    let first = committed.lines().zip(fresh.lines()).enumerate().find(|(_, (a, b))| a != b);
    if let Some((line, (old, new))) = first {
        panic!(
            "{name} is stale from line {}: renew it with `{command}`\n  committed: {old}\n  now:       {new}",
            line + 1
        );
    }
    assert!(committed == fresh, "{name} is stale: renew it with `{command}`");
}
