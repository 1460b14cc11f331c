//! What files with types say of their columns, as it comes to the page through the engine.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::{cell::RefCell, io::Cursor};

use lookalike_engine::session::{Host, Session};
use lookalike_model::{described::Described, info::TableInfo, settings::Role};
use lookalike_wire::{
    opening::{AfterReading, FileColumn, Form, Opening},
    page::{OpenAs, Request, Response},
};
use lookalike_words::Said;

/// Records what is sent.
#[derive(Default)]
struct Page(RefCell<Vec<Response>>);

impl Host for Page {
    fn post(&self, _: u32, response: Response, _: Vec<Vec<u8>>) {
        self.0.borrow_mut().push(response);
    }

    fn now(&self) -> f64 {
        0.0
    }

    fn date(&self) -> String {
        String::new()
    }

    fn entropy(&self) -> Result<u64, Said> {
        Ok(1)
    }
}

/// Hands a file over that is not plain text.
fn handed(session: &mut Session, page: &Page, id: u32, begin: &[u8]) {
    let open = Request::Open { table: OpenAs::Table, how: Opening::default() };
    session.handle(id, open, Some(&mut Cursor::new(begin)), Vec::new(), page);
    assert!(session.wants_import(id));
}

/// A table that was read of a file, which says this of its columns.
fn opened(session: &mut Session, page: &Page, id: u32, described: Vec<Described>) -> TableInfo {
    handed(session, page, id, b"$FL2\0");
    let form = Form { delimiter: ',', named: true, ..Form::default() };
    assert!(!session.read_text(id, &form, &mut &b"age,w\n31,2.5\n42,1.5\n"[..], page));
    session.finish_import(id, AfterReading { described, ..AfterReading::default() }, page);
    match page.0.borrow().last() {
        Some(Response::Opened { info: Ok(table), .. }) => table.clone(),
        other => panic!("not opened: {other:?}"),
    }
}

#[test]
fn before_columns_are_chosen_nothing_is_read_and_the_open_table_stays() {
    let (mut session, page) = (Session::default(), Page::default());
    opened(&mut session, &page, 1, Vec::new());
    handed(&mut session, &page, 2, b"PAR1\0");
    let columns = vec![FileColumn { name: String::from("a"), of: Said::verbatim("text"), unreadable: false }];
    let form = Form { columns, ..Form::default() };
    let told = AfterReading { offered: Some(form.clone()), ..AfterReading::default() };
    session.finish_import(2, told, &page);
    assert!(!session.wants_import(2));
    let sent = page.0.borrow().clone();
    let [.., Response::Found { form: found, .. }, last @ Response::Offered { table: OpenAs::Table }] =
        &sent[..]
    else {
        panic!("{sent:?}")
    };
    assert!(*found == form && last.is_last());
    let values = Request::Values { column: String::from("age"), markers: Vec::new() };
    session.handle(3, values, None, Vec::new(), &page);
    let sent = page.0.borrow().clone();
    assert!(
        matches!(sent.last(), Some(Response::Values { values: Ok(values), .. }) if values == &["31", "42"]),
        "{sent:?}"
    );
}

#[test]
fn the_column_that_a_file_weights_its_rows_by_is_suggested_as_one_to_publish_unchanged() {
    let (mut session, page) = (Session::default(), Page::default());
    let plain = opened(&mut session, &page, 1, Vec::new());
    assert!(plain.columns.iter().all(|column| !column.weight));
    let said = Described { column: String::from("w"), weight: true, ..Described::default() };
    let table = opened(&mut session, &page, 2, vec![said]);
    assert_eq!(table.columns.iter().map(|column| column.weight).collect::<Vec<_>>(), [false, true]);
    let suggestion = table.columns[1].suggestion.clone().unwrap();
    assert_eq!(suggestion.role, Role::Unchanged);
    assert!(suggestion.reason.to_string().contains("weights its rows by it"), "{}", suggestion.reason);
}
