//! What the components may ask for. Whatever comes of it arrives as actions.

mod answers;
mod holding;
mod keeping;
mod made;
mod series;
pub mod speech;

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::{Rc, Weak},
};

use lookalike_model::{
    comparison::{Likeness, Only, RowOrder},
    sent::Sent,
    settings::Settings,
};
use lookalike_wire::{
    check::{CheckSettings, CheckedTable},
    config::Reading,
    opening::Opening,
    page::{CellsTold, HierarchyOf, OpenAs, Place, Request},
    series::SeriesOptions,
};
use wasm_bindgen_futures::spawn_local;
use yew::Callback;

use crate::{
    platform::{engine::Engine, files::FileHandle, http, storage, tabs::Tabs, timer},
    state::{
        Action, CheckAction, CheckState, EstimateAction, LookAction, Offered, Recent, SeriesAction, Source,
        Stake, SurveyQuestion, WINDOW, put_recent, recent_name, recent_offered,
    },
    texts,
    transport::{Asked, InUse, Link, Local, Remote, config},
};

/// Milliseconds that an engine has to let go of a run that was given up, before another one takes its place.
const PATIENCE: i32 = 900;

/// What the components may ask for.
#[derive(Clone)]
pub struct Control(Rc<Inner>);

struct Inner {
    link: Rc<Link>,
    /// The file that is being opened.
    opening: RefCell<Option<Opened>>,
    /// The file of the open table, for an engine that is started anew.
    open: RefCell<Option<Opened>>,
    /// The files of the tables before and after.
    others: RefCell<holding::Others>,
    /// What opening a table would lose: it waits.
    guarded: Cell<Option<Stake>>,
    /// What waits.
    held: RefCell<Option<holding::Held>>,
    /// The file that was opened last, or that could not be opened.
    tried: RefCell<Option<FileHandle>>,
    transport: RefCell<Option<InUse>>,
    /// The files of the runs on the open table.
    made: RefCell<made::Made>,
    /// The open table is read again, for an engine that was started anew.
    again: Cell<bool>,
    /// URL of the file that was saved last without a link: it must outlive the saving.
    saved: RefCell<String>,
    /// Whether the browser is to remember settings: what was asked for before may arrive after "no".
    remembers: Cell<bool>,
    /// What this window stored last, and the table that it is of.
    kept: RefCell<Option<(u32, String)>>,
    /// The tables of a check.
    parts: RefCell<[Option<FileHandle>; CheckedTable::ALL.len()]>,
    /// Hierarchies of its columns.
    trees: RefCell<BTreeMap<String, FileHandle>>,
    /// What belongs to a series of releases.
    series: RefCell<series::Files>,
    /// Other tabs, which go on from the same ledgers.
    tabs: Tabs,
}

/// A file, and how it is to be read.
type Opened = (FileHandle, Opening);

impl PartialEq for Control {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Control {
    /// Starts the engine, and asks the server for a worker.
    #[must_use]
    pub fn new(dispatch: Callback<Action>) -> Self {
        let control = Self(Rc::new(Inner {
            link: Rc::new(Link::new(dispatch.clone())),
            tabs: Tabs::new({
                let dispatch = dispatch.clone();
                move |spent| dispatch.emit(Action::Series(SeriesAction::Elsewhere(spent)))
            }),
            opening: RefCell::default(),
            open: RefCell::default(),
            others: RefCell::default(),
            guarded: Cell::default(),
            held: RefCell::default(),
            tried: RefCell::default(),
            transport: RefCell::default(),
            made: RefCell::default(),
            again: Cell::default(),
            saved: RefCell::default(),
            remembers: Cell::default(),
            kept: RefCell::default(),
            parts: RefCell::default(),
            trees: RefCell::default(),
            series: RefCell::default(),
        }));
        control.start_engine();
        control.come_back();
        if !storage::read().is_empty() {
            control.0.remembers.set(true);
            control.recall();
        }
        spawn_local(async move {
            if let Some(worker) = config::worker().await {
                dispatch.emit(Action::WorkerOffered(worker));
            }
        });
        control
    }

    /// Opens a file; its form is found out. Where something would be lost, it waits until that is decided.
    pub fn open(&self, file: FileHandle) {
        self.open_or_hold(file, Opening::default());
    }

    /// Opens the last file again, in this way.
    pub fn reopen(&self, how: Opening) {
        let file = self.0.tried.borrow().clone();
        if let Some(file) = file {
            self.open_or_hold(file, how);
        }
    }

    fn open_as(&self, file: FileHandle, how: Opening) {
        let (name, bytes) = (file.name.clone(), file.size());
        self.0.again.set(false);
        self.dispatch(Action::Opening(Source { name, bytes, how: how.clone() }));
        self.0.link.open(&Request::Open { table: OpenAs::Table, how: how.clone() }, &file);
        self.0.tried.replace(Some(file.clone()));
        self.0.opening.replace(Some((file, how)));
    }

    /// Opens a file that was dropped or pasted, as this.
    pub fn take(&self, open_as: OpenAs, file: FileHandle) {
        match open_as {
            OpenAs::Table => self.open(file),
            OpenAs::Check(part) => self.open_part(part, file),
        }
    }

    /// Opens text that was pasted, as this.
    pub fn take_text(&self, open_as: OpenAs, text: &str) {
        match FileHandle::from_text(t!(FAILED_PASTED_TABLE), text) {
            Ok(file) => self.take(open_as, file),
            Err(why) => self.dispatch(Action::Failed(why.into())),
        }
    }

    /// Opens a sample of the page's own origin.
    pub fn open_sample(&self, name: &'static str) {
        let control = self.clone();
        spawn_local(async move {
            let opened = async {
                let answer = http::send("GET", &format!("./samples/{name}"), None, None).await?;
                if !answer.is_ok() {
                    return Err(page!(FAILED_SERVER_ANSWERS_WITH_STATUS, status = answer.status));
                }
                Ok(FileHandle::from_bytes(name, &answer.bytes().await?)?)
            };
            match opened.await {
                Ok(file) => control.open(file),
                Err(why) => {
                    let why = page!(FAILED_SAMPLE_CANNOT_BE_FETCHED, name = name, why = why);
                    control.dispatch(Action::Failed(why));
                }
            }
        });
    }

    /// Asks what every m would cost.
    pub fn survey(&self, question: &SurveyQuestion) {
        self.dispatch(Action::Surveying);
        let SurveyQuestion { sensitive, missing, needed, all, person, .. } = question.clone();
        self.0.link.post(&Request::Survey { sensitive, missing, needed, all, person });
    }

    /// Asks for the known values of a column.
    pub fn values(&self, column: String, markers: Vec<String>) {
        self.0.link.post(&Request::Values { column, markers });
    }

    /// Makes a hierarchy for a column.
    pub fn make_hierarchy(&self, column: HierarchyOf, generator: String) {
        self.0.link.post(&Request::Hierarchy { column, generator: Some(generator) });
    }

    /// Reads a hierarchy for a column.
    pub fn load_hierarchy(&self, column: HierarchyOf, file: &FileHandle) {
        self.0.link.post_file(&Request::Hierarchy { column, generator: None }, file);
    }

    /// Saves a hierarchy as a file.
    pub fn save_hierarchy(&self, rows: Vec<Vec<String>>, file: String) {
        self.0.link.ask(&Request::ExportHierarchy { rows }, None, Asked::Save(file));
    }

    /// Reads a configuration for the open table.
    pub fn load_config(&self, columns: Vec<String>, file: &FileHandle) {
        self.0.link.ask(&Request::LoadConfig { columns }, Some(file), Asked::Configure);
    }

    /// Checks a certificate for the open table, whose columns mean what these settings say.
    pub fn check_certificate(&self, settings: Settings, file: &FileHandle) {
        self.dispatch(Action::Certifying);
        let request = Request::CheckCertificate { settings: Box::new(settings) };
        self.0.link.ask(&request, Some(file), Asked::Certify);
    }

    /// Saves settings as a configuration file.
    pub fn save_config(&self, settings: Settings, identifiers: Vec<String>, file: String) {
        let settings = Box::new(settings);
        let lines = |lines: u32| u16::try_from(lines).ok();
        let reading = (self.0.open.borrow().as_ref()).map_or_else(Reading::default, |(_, how)| Reading {
            skip_rows: lines(how.skip_rows),
            skip_last_rows: lines(how.skip_last_rows),
            names: Some(how.names.clone()).filter(|names| !names.is_empty() && how.header == Some(false)),
        });
        let request = Request::SaveConfig { settings, identifiers, reading };
        self.0.link.ask(&request, None, Asked::Save(file));
    }

    /// Reads the configuration that the browser remembered.
    pub fn load_remembered(&self, columns: Vec<String>, text: &str) {
        match FileHandle::from_text("remembered settings", text) {
            Ok(file) => self.load_config(columns, &file),
            Err(why) => self.dispatch(Action::Configured(Err(why.into()))),
        }
    }

    /// Lets the browser remember settings from now on, or forget them.
    pub fn remember(&self, on: bool) {
        self.0.remembers.set(on);
        if on {
            storage::write_language(texts::language().code());
        } else {
            storage::forget();
        }
        self.dispatch(Action::Remember(on));
    }

    /// Lets the browser remember these settings of a table, which has a number while the page is open.
    pub fn memorise(&self, settings: Settings, identifiers: Vec<String>, table: u32) {
        let asked = Asked::Remember(recent_name(&settings), table);
        let settings = Box::new(settings);
        self.0.link.ask(
            &Request::SaveConfig { settings, identifiers, reading: Reading::default() },
            None,
            asked,
        );
    }

    /// Has the browser keep the configuration that it was asked for.
    fn keep(&self, name: String, table: u32, text: String) {
        if !self.0.remembers.get() {
            return;
        }
        let before = self.0.kept.replace(Some((table, text.clone())));
        let previous = before.filter(|(of, _)| *of == table).map(|(_, text)| text);
        if !storage::write(&put_recent(storage::read(), Recent { name, text }, previous.as_deref())) {
            self.remember(false);
        }
    }

    /// Offers what the browser remembers by now, if it is to remember anything.
    fn recall(&self) {
        if self.0.remembers.get() {
            self.dispatch(Action::Remembered(recent_offered(storage::read()).into()));
        }
    }

    /// Asks what the columns are if this is said of their cells.
    pub fn describe(&self, cells: CellsTold) {
        self.dispatch(Action::Describing);
        self.0.link.post(&Request::Describe { cells });
    }

    /// Asks for rows of a table as it is, alike by this: those that `only` chooses, from this one on, and so many.
    pub fn table_window(&self, table: OpenAs, (from, count): (usize, usize), by: Likeness, only: Only) {
        self.0.link.post(&Request::Table { table, from, count, by, only });
    }

    /// Asks for rows of the open table beside what became of them, in this order from this place on.
    pub fn rows(&self, from: usize, order: RowOrder) {
        self.0.link.post(&Request::Rows { from, count: WINDOW, order });
    }

    /// Asks for the rows of a class of the last run.
    pub fn class(&self, class: String) {
        self.0.link.post(&Request::Class { class });
    }

    /// Asks about what each of these numbers costs, in place of what was asked for before. Only while nothing runs: during a run
    /// there is no answer.
    pub fn estimate(&self, settings: Settings, numbers: Vec<u32>) {
        self.dispatch(Action::Estimate(EstimateAction::Asked(numbers.clone())));
        self.0.link.estimate(&Request::Estimate { settings: Box::new(settings), numbers });
    }

    /// Asks what a way out of a number that is not possible costs. Only while nothing else is asked about numbers.
    pub fn try_offer(&self, offered: Offered, settings: Settings) {
        let Ok(number) = u32::try_from(offered.0) else { return };
        self.dispatch(Action::Estimate(EstimateAction::Trying(offered)));
        self.0.link.estimate(&Request::Estimate { settings: Box::new(settings), numbers: vec![number] });
    }

    /// What was tried was ended by something else.
    pub fn give_up_offer(&self) {
        self.dispatch(Action::Estimate(EstimateAction::GivenUp));
    }

    /// Asks how often the values of a column occur.
    pub fn spread(&self, column: String) {
        self.0.link.post(&Request::Spread { column });
    }

    /// Asks how exposed the open table is if somebody knows these columns, and above this probability somebody is at risk.
    pub fn risk(&self, by: Likeness, threshold: f64) {
        self.0.link.post(&Request::Risk { by, threshold });
    }

    /// Opens a table of a check; its form is found out.
    pub fn open_part(&self, part: CheckedTable, file: FileHandle) {
        self.open_part_as(part, file, Opening::default());
    }

    /// Opens the last file of a check's table again, in this way.
    pub fn reopen_part(&self, part: CheckedTable, how: Opening) {
        let file = self.0.parts.borrow()[part as usize].clone();
        if let Some(file) = file {
            self.open_part_as(part, file, how);
        }
    }

    fn open_part_as(&self, part: CheckedTable, file: FileHandle, how: Opening) {
        let source = Source { name: file.name.clone(), bytes: file.size(), how: how.clone() };
        self.dispatch(Action::Check(CheckAction::Opening(part, source)));
        self.0.link.ask(&Request::Open { table: OpenAs::Check(part), how }, Some(&file), Asked::Check);
        self.0.parts.borrow_mut()[part as usize] = Some(file);
    }

    /// Reads the hierarchy of a column of the published table, or forgets it.
    pub fn name_tree(&self, column: String, file: Option<&FileHandle>) {
        let name = file.map(|file| file.name.clone());
        if let Some(file) = file {
            self.0.trees.borrow_mut().insert(column.clone(), file.clone());
        }
        self.dispatch(Action::Check(CheckAction::Naming(column.clone(), name)));
        self.0.link.ask(&Request::CheckHierarchy { column }, file, Asked::Check);
    }

    /// Checks the published table.
    pub fn check(&self, asked: CheckSettings) {
        self.dispatch(Action::Check(CheckAction::Started));
        self.0.link.ask(&Request::Check { asked: Box::new(asked) }, None, Asked::Check);
    }

    /// Gives a check up: while it works, the engine hears nothing, so another takes its place and reads again what was read. The fields
    /// stay.
    pub fn stop_check(&self, check: &CheckState) {
        let read = |part: &CheckedTable| check.part(*part).read().is_some();
        let parts = CheckedTable::ALL.into_iter().filter(read).filter_map(|part| {
            let attempt = check.part(part).attempt.as_ref()?;
            Some((part, attempt.source.how.clone()))
        });
        let trees = check.trees.iter().filter(|tree| matches!(tree.values, Some(Ok(_))));
        self.restart();
        for (part, how) in parts {
            self.reopen_part(part, how);
        }
        for tree in trees {
            let file = self.0.trees.borrow().get(&tree.column).cloned();
            if file.is_some() {
                self.name_tree(tree.column.clone(), file.as_ref());
            }
        }
        self.dispatch(Action::Check(CheckAction::Stopped(Box::new(check.form.clone()))));
    }

    /// Anonymizes the open table in this page; `sent` is what the session has sent elsewhere before.
    pub fn anonymize(&self, settings: Settings, series: Option<SeriesOptions>, sent: Vec<Sent>) {
        let local: InUse = Rc::new(Local::new(Rc::clone(&self.0.link)));
        self.run(settings, (series, sent), (Place::Here, local));
    }

    /// Anonymizes the open table with the help of the worker at `origin`.
    pub fn anonymize_on_worker(
        &self,
        settings: Settings,
        (series, sent): (Option<SeriesOptions>, Vec<Sent>),
        (origin, token): (String, &str),
    ) {
        let remote = Remote::new(Rc::clone(&self.0.link), origin, token);
        let remote: InUse = Rc::new(remote);
        self.run(settings, (series, sent), (Place::Worker, remote));
    }

    /// Ends the run.
    pub fn stop(&self) {
        self.dispatch(Action::Stopping);
        let transport = self.0.transport.borrow().clone();
        if let Some(transport) = transport {
            transport.stop();
        }
    }

    /// Gives the run up. In a long step, such as an encoding or a check, the engine hears nothing: then another takes its
    /// place.
    pub fn cancel(&self) {
        let transport = self.0.transport.borrow().clone();
        let Some(run) = transport.and_then(|transport| transport.cancel()) else { return };
        self.dispatch(Action::Cancelling);
        let control = self.clone();
        spawn_local(async move {
            timer::sleep(PATIENCE).await;
            if control.0.link.holds(run) {
                control.restart();
            }
        });
    }

    /// Goes back to a run, by the URL of its table. What is being written of another result comes too late.
    pub fn back(&self, run: u32, table: &str) {
        if self.0.made.borrow_mut().show(table) {
            self.0.link.end_run();
            self.dispatch(Action::Look(LookAction::Back(run)));
            self.restate();
        }
    }

    /// Ends the engine at once, starts another and lets it read the open table again.
    pub fn restart(&self) {
        self.end_engine();
        self.dispatch(Action::EngineRestarted);
        self.start_engine();
        let opening = self.0.opening.borrow().clone();
        let again = opening.is_none();
        if let Some((file, how)) = opening.or_else(|| self.0.open.borrow().clone()) {
            self.open_as(file, how);
            self.0.again.set(again);
        }
    }

    fn dispatch(&self, action: Action) {
        self.0.link.dispatch.emit(action);
    }

    fn run(
        &self,
        settings: Settings,
        (series, sent): (Option<SeriesOptions>, Vec<Sent>),
        (place, transport): (Place, InUse),
    ) {
        self.run_or_hold(Box::new(move |control| {
            control.0.transport.replace(Some(Rc::clone(&transport)));
            control.0.made.borrow_mut().begin();
            control.dispatch(Action::Started(place, Rc::new(settings.clone())));
            transport.start(settings, series, sent);
        }));
    }

    fn start_engine(&self) {
        let inner = Rc::downgrade(&self.0);
        let received = Callback::from(move |message| {
            if let Some(inner) = Weak::upgrade(&inner) {
                Self(inner).received(message);
            }
        });
        match Engine::start(received) {
            Ok(engine) => drop(self.0.link.engine.replace(Some(engine))),
            Err(why) => self.dispatch(Action::EngineLost(why)),
        }
    }

    fn end_engine(&self) {
        drop(self.0.link.engine.take());
        self.0.link.engine_gone();
        self.0.transport.replace(None);
    }
}
