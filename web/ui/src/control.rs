//! What the components may ask for. Whatever comes of it arrives as actions.

use std::{
    cell::RefCell,
    rc::{Rc, Weak},
};

use lookalike_wire::{
    opening::Opening,
    page::{Finished, Request, Response},
    settings::Settings,
};
use wasm_bindgen_futures::spawn_local;
use yew::Callback;

use crate::{
    platform::{
        Buffer, dom, downloads,
        engine::{Engine, Message},
        files::FileHandle,
        http,
    },
    state::{Action, Downloads, Place, Source, SurveyQuestion},
    transport::{InUse, Link, Local, Remote, config},
};

/// What the components may ask for.
#[derive(Clone)]
pub struct Control(Rc<Inner>);

struct Inner {
    link: Rc<Link>,
    /// The file that is being opened.
    opening: RefCell<Option<Asked>>,
    /// The file of the open table, for an engine that is started anew.
    open: RefCell<Option<Asked>>,
    /// The file that was opened last, or that could not be opened.
    tried: RefCell<Option<FileHandle>>,
    transport: RefCell<Option<InUse>>,
    downloads: RefCell<Downloads>,
}

/// A file, and how it is to be read.
type Asked = (FileHandle, Opening);

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
            link: Rc::new(Link { engine: RefCell::new(None), dispatch: dispatch.clone() }),
            opening: RefCell::default(),
            open: RefCell::default(),
            tried: RefCell::default(),
            transport: RefCell::default(),
            downloads: RefCell::default(),
        }));
        control.start_engine();
        spawn_local(async move {
            if let Some(worker) = config::worker().await {
                dispatch.emit(Action::WorkerOffered(worker));
            }
        });
        control
    }

    /// Opens a file; its form is found out.
    pub fn open(&self, file: FileHandle) {
        self.open_as(file, Opening::default());
    }

    /// Opens the last file again, in this way.
    pub fn reopen(&self, how: Opening) {
        let file = self.0.tried.borrow().clone();
        if let Some(file) = file {
            self.open_as(file, how);
        }
    }

    fn open_as(&self, file: FileHandle, how: Opening) {
        let (name, bytes) = (file.name.clone(), file.size());
        self.dispatch(Action::Opening(Source { name, bytes, how: how.clone() }));
        self.0.link.post_file(&Request::Open { how: how.clone() }, &file);
        self.0.tried.replace(Some(file.clone()));
        self.0.opening.replace(Some((file, how)));
    }

    /// Opens text that was pasted.
    pub fn open_text(&self, text: &str) {
        match FileHandle::from_text("pasted table", text) {
            Ok(file) => self.open(file),
            Err(message) => self.dispatch(Action::Failed(message)),
        }
    }

    /// Opens a sample of the page's own origin.
    pub fn open_sample(&self, name: &'static str) {
        let control = self.clone();
        spawn_local(async move {
            let opened = async {
                let answer = http::send("GET", &format!("./samples/{name}"), None, None).await?;
                if !answer.is_ok() {
                    return Err(format!("the server answers with status {}", answer.status));
                }
                FileHandle::from_bytes(name, &answer.bytes().await?)
            };
            match opened.await {
                Ok(file) => control.open(file),
                Err(why) => {
                    control.dispatch(Action::Failed(format!("The sample {name} cannot be fetched: {why}.")));
                }
            }
        });
    }

    /// Asks what every m would cost.
    pub fn survey(&self, question: &SurveyQuestion) {
        self.dispatch(Action::Surveying);
        let (sensitive, missing) = (question.sensitive.clone(), question.missing.clone());
        self.0.link.post(&Request::Survey { sensitive, missing }, &[]);
    }

    /// Anonymizes the open table in this page.
    pub fn anonymize(&self, settings: Settings) {
        let local: InUse = Rc::new(Local::new(Rc::clone(&self.0.link)));
        self.run(settings, Place::Here, &local);
    }

    /// Anonymizes the open table with the help of the worker at `origin`.
    pub fn anonymize_on_worker(&self, settings: Settings, origin: String, token: &str) {
        let remote = Remote::new(Rc::clone(&self.0.link), origin, token);
        let remote: InUse = Rc::new(remote);
        self.run(settings, Place::Worker, &remote);
    }

    /// Ends the run.
    pub fn stop(&self) {
        self.dispatch(Action::Stopping);
        let transport = self.0.transport.borrow().clone();
        if let Some(transport) = transport {
            transport.stop();
        }
    }

    /// Ends the engine at once, starts another and lets it read the open table again.
    pub fn restart(&self) {
        self.end_engine();
        self.dispatch(Action::EngineRestarted);
        self.start_engine();
        let file = self.0.opening.borrow().clone().or_else(|| self.0.open.borrow().clone());
        if let Some((file, how)) = file {
            self.open_as(file, how);
        }
    }

    fn dispatch(&self, action: Action) {
        self.0.link.dispatch.emit(action);
    }

    fn run(&self, settings: Settings, place: Place, transport: &InUse) {
        self.0.transport.replace(Some(Rc::clone(transport)));
        self.dispatch(Action::Started(place, Rc::new(settings.clone())));
        transport.start(settings);
    }

    fn start_engine(&self) {
        let inner = Rc::downgrade(&self.0);
        let received = Callback::from(move |message| {
            if let Some(inner) = Weak::upgrade(&inner) {
                Self(inner).received(message);
            }
        });
        match Engine::start(&received) {
            Ok(engine) => drop(self.0.link.engine.replace(Some(engine))),
            Err(why) => self.dispatch(Action::EngineLost(why)),
        }
    }

    fn end_engine(&self) {
        drop(self.0.link.engine.take());
        self.0.transport.replace(None);
    }

    fn received(&self, message: Message) {
        match message {
            Message::Lost(why) => {
                self.0.opening.replace(None);
                self.dispatch(Action::EngineLost(why));
            }
            Message::Response(response, bulk) => self.answered(*response, bulk),
        }
    }

    fn answered(&self, response: Response, bulk: Vec<Buffer>) {
        let action = match response {
            Response::Ready { threads } => Action::EngineUp { threads, isolated: dom::is_isolated() },
            Response::Found { form } => Action::Found(form),
            Response::Opened { table } => {
                self.0.open.replace(self.0.opening.take());
                Action::Opened(table)
            }
            Response::Surveyed { survey } => Action::Surveyed(Box::new(survey)),
            Response::Prepared => {
                let transport = self.0.transport.borrow().clone();
                if let (Some(transport), Some(job)) = (transport, bulk.into_iter().next()) {
                    transport.prepared(job);
                }
                return;
            }
            Response::Progress { progress } => Action::Progress(progress),
            Response::Finished { result } => self.finished(result, &bulk),
            Response::Failed { message } => {
                self.0.opening.replace(None);
                Action::Failed(message)
            }
        };
        self.dispatch(action);
    }

    /// Makes files of the bytes; those of the run before are freed.
    fn finished(&self, result: Box<Finished>, bulk: &[Buffer]) -> Action {
        let old = self.0.downloads.take();
        for url in [old.table, old.classes, old.report, old.private] {
            downloads::revoke(&url);
        }
        let [table, classes, report, private] = bulk else {
            return Action::Failed(String::from("The engine sent no files. Reload the page."));
        };
        let links = || -> Result<Downloads, String> {
            Ok(Downloads {
                table: downloads::link(table, "text/csv")?,
                classes: downloads::link(classes, "text/csv")?,
                report: downloads::link(report, "application/json")?,
                private: downloads::link(private, "application/json")?,
            })
        };
        match links() {
            Ok(links) => {
                self.0.downloads.replace(links.clone());
                Action::Finished(result, links)
            }
            Err(why) => Action::Failed(format!("The browser cannot make the files: {why}.")),
        }
    }
}
