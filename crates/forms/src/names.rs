//! Names of columns as statistical programs take them.

use std::collections::HashSet;

/// A name that Stata takes: the column's own, if it does. `at` is its place, from 0; `taken` are the names before it.
pub(crate) fn stata(name: &str, at: usize, taken: &mut HashSet<String>) -> String {
    /// Characters of a name.
    const LONGEST: usize = 32;
    /// Words that are no names.
    const RESERVED: [&str; 22] = [
        "_all", "_b", "_coef", "_cons", "_n", "_N", "_pi", "_pred", "_rc", "_skip", "byte", "double",
        "float", "if", "in", "int", "long", "strL", "using", "with", "_se", "_weight",
    ];
    let usable = usable(name, LONGEST);
    let fits = usable == name && begins(name) && !RESERVED.contains(&name) && !name.starts_with("str");
    let own = if fits { usable } else { format!("v{}_{usable}", at + 1).chars().take(LONGEST).collect() };
    distinct(own, at, taken, str::to_owned)
}

/// The same of SPSS, which takes names for the same whatever their case.
pub(crate) fn spss(name: &str, at: usize, taken: &mut HashSet<String>) -> String {
    /// Bytes of a name.
    const LONGEST: usize = 64;
    /// Words that are no names.
    const RESERVED: [&str; 13] =
        ["ALL", "AND", "BY", "EQ", "GE", "GT", "LE", "LT", "NE", "NOT", "OR", "TO", "WITH"];
    let usable = usable(name, LONGEST);
    let reserved = RESERVED.contains(&name.to_ascii_uppercase().as_str());
    // One that ends with a low line may be a program's own.
    let fits = usable == name && begins(name) && !name.starts_with('_') && !name.ends_with('_') && !reserved;
    let own = if fits { usable } else { format!("v{}_{usable}x", at + 1).chars().take(LONGEST).collect() };
    distinct(own, at, taken, str::to_ascii_uppercase)
}

/// Letters, digits and low lines of a name.
fn usable(name: &str, longest: usize) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(longest).collect()
}

fn begins(name: &str) -> bool {
    name.starts_with(|c: char| !c.is_ascii_digit())
}

fn distinct(own: String, at: usize, taken: &mut HashSet<String>, same: impl Fn(&str) -> String) -> String {
    if taken.insert(same(&own)) {
        return own;
    }
    let mut number = at + 1;
    loop {
        let other = format!("v{number}");
        if taken.insert(same(&other)) {
            return other;
        }
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_and_distinct() {
        let names = ["age", "Age", "2x", "city, state", "if", "with", "str5", "_x", "v2", "age"];
        let all = |of: fn(&str, usize, &mut HashSet<String>) -> String| {
            let mut taken = HashSet::new();
            names.iter().enumerate().map(|(at, name)| of(name, at, &mut taken)).collect::<Vec<_>>()
        };
        let stata = all(stata);
        assert_eq!(
            stata,
            ["age", "Age", "v3_2x", "v4_city__state", "v5_if", "v6_with", "v7_str5", "_x", "v2", "v10"]
        );
        let spss = all(spss);
        assert_eq!(
            spss,
            ["age", "v2", "v3_2xx", "v4_city__statex", "if", "v6_withx", "str5", "v8__xx", "v9", "v10"]
        );
    }
}
