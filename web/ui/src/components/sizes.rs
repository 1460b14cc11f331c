//! How large the classes are: a table that is a chart.

use lookalike_model::report::Classes;
use yew::{Html, html};

use crate::format::{count, number};

/// Lines that are shown; larger sizes share the last.
const LINES: usize = 10;

/// How large the classes are: pairs of size and number of classes, ascending, and their summary.
pub(super) fn sizes(sizes: &[(usize, usize)], classes: &Classes) -> Html {
    let lines = lines(sizes);
    let most = lines.iter().map(|line| line.1).max().unwrap_or(1).max(1);
    html! {
        <>
            <p id="classes" data-count={classes.count.to_string()}>
                { summary(classes) }
            </p>
            <table class="sizes">
                <caption class="unseen">{ t!(SIZE_CLASSES_BY_SIZE) }</caption>
                <thead>
                    <tr>
                        <th scope="col" class="number">{ t!(SIZE_RECORDS) }</th>
                        <th scope="col" class="number">{ t!(SIZE_CLASSES) }</th>
                        <th scope="col"><span class="unseen">{ t!(SIZE_SHARE) }</span></th>
                    </tr>
                </thead>
                <tbody>
                    { for lines.into_iter().map(|(label, classes)| html! {
                        <tr>
                            <th scope="row" class="number">{ label }</th>
                            <td class="number">{ count(classes) }</td>
                            <td class="bar">
                                <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                                    <rect class="after" width={(100.0 * classes as f64 / most as f64).to_string()} height="10" />
                                </svg>
                            </td>
                        </tr>
                    }) }
                </tbody>
            </table>
        </>
    }
}

fn summary(classes: &Classes) -> String {
    let number_of = n!(N_CLASS, classes.count);
    let (least, most) = (count(classes.min_size), count(classes.max_size));
    if least == most {
        return t!(SIZE_RECORDS_EACH, classes = number_of, size = least);
    }
    t!(
        SIZE_RECORDS_HALF_THEM_AT,
        classes = number_of,
        least = least,
        most = most,
        median = number(classes.median_size)
    )
}

fn lines(sizes: &[(usize, usize)]) -> Vec<(String, usize)> {
    let line = |&(size, classes): &(usize, usize)| (count(size), classes);
    if sizes.len() <= LINES {
        return sizes.iter().map(line).collect();
    }
    let (head, tail) = sizes.split_at(LINES - 1);
    let (least, rest) = (tail[0].0, tail.iter().map(|(_, classes)| classes).sum());
    head.iter().map(line).chain([(t!(SIZE_OR_MORE, least = count(least)), rest)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_size_is_said_once() {
        let mut classes = Classes {
            count: 1200,
            min_size: 3,
            max_size: 5,
            median_size: 3.5,
            min_real: Some(3),
            single_real: Some(0),
        };
        assert_eq!(summary(&classes), "1,200 groups of 3 to 5 records, half of them of at most 3.5.");
        (classes.count, classes.max_size) = (1, 3);
        assert_eq!(summary(&classes), "1 group of 3 records each.");
    }

    #[test]
    fn many_sizes_share_the_last_line() {
        let sizes: Vec<_> = (3..=14).map(|size| (size, 2)).collect();
        let lines = lines(&sizes);
        assert_eq!(lines.len(), LINES);
        assert_eq!(lines[0], (String::from("3"), 2));
        assert_eq!(lines[LINES - 1], (String::from("12 or more"), 6));
        assert_eq!(lines.iter().map(|l| l.1).sum::<usize>(), 24);
        assert_eq!(super::lines(&sizes[..10]).len(), 10);
    }
}
