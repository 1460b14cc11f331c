//! Builds the page into `target/web/dist`: its parts once, the search twice, and the static files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::bindgen::{self, Outcome, Target};
use crate::offline;
use crate::probe::{INHERITED, Machine};
use crate::project::{Project, forget_own_package, run, step};
use crate::sizes;
use crate::slim;
use crate::toolchain::{Flavour, Linker, TARGET, Toolchain, choose, find_all};
use crate::wasm_opt;

const UI: &str = "lookalike-ui";
const ENGINE: &str = "lookalike-engine";
const SOLVER: &str = "lookalike-solver";
const DESK: &str = "lookalike-desk";
const SERIES: &str = "lookalike-series";
const IMPORT: &str = "lookalike-import";

/// Small before fast.
const SMALL: &str = "web";
/// Fast where the work is done.
const FAST: &str = "search";

/// What cargo compiles in one go, and by which profile. The import module is alone: the features that it needs of shared
/// crates must not reach the others, which cargo would see to within one go.
const BUILDS: [(Flavour, Panics, &str, &[&str]); 5] = [
    (Flavour::Threads, Panics::Told, FAST, &[SOLVER]),
    (Flavour::Single, Panics::Told, SMALL, &[SERIES]),
    (Flavour::Single, Panics::Silent, SMALL, &[UI, DESK, ENGINE]),
    (Flavour::Single, Panics::Silent, SMALL, &[IMPORT]),
    (Flavour::Single, Panics::Told, FAST, &[SOLVER]),
];

/// What a module says when it breaks down.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Panics {
    /// Where and why: it has a hook that tells the page.
    Told,
    /// Nothing: nobody listens, and a module without such messages is a sixth smaller. Where the compiler cannot leave them
    /// out they stay in.
    Silent,
}

impl Panics {
    /// Whether messages are left out. The strategy came to the compiler with release 1.92.
    fn left_out(self, toolchain: &Toolchain) -> bool {
        self == Self::Silent && toolchain.release >= (1, 92) && toolchain.needs_build_std(Flavour::Single)
    }
}

/// A module of the page.
pub(crate) struct Module {
    flavour: Flavour,
    panics: Panics,
    profile: &'static str,
    package: &'static str,
    /// What its files are called.
    pub(crate) name: &'static str,
    /// Where they lie in the page.
    folder: &'static str,
}

impl Module {
    const fn new(
        (flavour, panics): (Flavour, Panics),
        profile: &'static str,
        package: &'static str,
        name: &'static str,
        folder: &'static str,
    ) -> Self {
        Self { flavour, panics, profile, package, name, folder }
    }

    /// Whether it runs in any page, cross-origin isolated or not.
    pub(crate) fn alone(&self) -> bool {
        self.flavour == Flavour::Single
    }

    /// Where cargo puts it.
    pub(crate) fn file(&self, project: &Project) -> PathBuf {
        let folder = target_folder(project, self.flavour, self.panics).join(TARGET).join(self.profile);
        folder.join(format!("{}.wasm", self.package.replace('-', "_")))
    }
}

/// All modules.
pub(crate) const MODULES: [Module; 7] = [
    Module::new((Flavour::Single, Panics::Silent), SMALL, UI, "ui", "ui"),
    Module::new((Flavour::Single, Panics::Silent), SMALL, ENGINE, "engine", "engine"),
    Module::new((Flavour::Threads, Panics::Told), FAST, SOLVER, "solver", "solver/threads"),
    Module::new((Flavour::Single, Panics::Told), FAST, SOLVER, "solver", "solver/single"),
    Module::new((Flavour::Single, Panics::Silent), SMALL, DESK, "desk", "desk"),
    Module::new((Flavour::Single, Panics::Told), SMALL, SERIES, "series", "series"),
    Module::new((Flavour::Single, Panics::Silent), SMALL, IMPORT, "import", "import"),
];

/// The largest memory of a module, in bytes: shared memory must name one.
const MAX_MEMORY: u32 = 2 << 30;

/// How much work the build puts into small files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// As fast as possible: for everyday work.
    Edit,
    /// `wasm-opt` after wasm-bindgen: for a release.
    Size,
}

/// Builds the page. The tool chains must be there (see `setup`).
pub(crate) fn build(project: &Project, effort: Effort) -> Result<()> {
    let lock = fs::read_to_string(project.root.join("Cargo.lock")).context("cannot read Cargo.lock")?;
    let version = bindgen::locked_version(&lock)?;
    let wasm_opt = match effort {
        Effort::Edit => None,
        Effort::Size => Some(wasm_opt::find(&Machine::new(&project.root), &project.root)?),
    };
    let machine = Machine::new(&project.root);
    let found = find_all(&machine, project.minimum_rust()?);
    let mut commands = Vec::new();
    for (flavour, panics, profile, packages) in BUILDS {
        let toolchain = choose(&found, flavour).with_context(|| {
            format!("no tool chain for the {} module: see `cargo xtask doctor`", flavour.name())
        })?;
        step(&format!(
            "the page's {} build of {} by {}",
            flavour.name(),
            packages.join(" and "),
            toolchain.origin
        ));
        commands.push(compile(project, toolchain, (flavour, panics), profile, packages)?);
    }
    run_together(&mut commands)?;

    let dist = project.dist();
    let stamps = project.target.join("web/stamps");
    fs::create_dir_all(&stamps).with_context(|| format!("cannot create {}", stamps.display()))?;
    let variant = format!("{version} {}", wasm_opt.as_deref().unwrap_or(Path::new("-")).display());
    for module in &MODULES {
        let Module { name, folder, .. } = module;
        let out = dist.join(folder);
        let stamp = stamps.join(folder.replace('/', "-"));
        let finish = |file: &Path| wasm_opt.as_ref().map_or(Ok(()), |tool| wasm_opt::shrink(tool, file));
        let file = module.file(project);
        let made = bindgen::generate(&file, &out, name, Target::Module, &stamp, &variant, finish)?;
        let file = out.join(format!("{name}_bg.wasm"));
        let note = if made == Outcome::Unchanged { " (unchanged)" } else { "" };
        println!("{folder}/{name}_bg.wasm  {}{note}", sizes::of_file(&file)?);
    }
    copy_static(&project.root.join("web/static"), &dist)?;
    slim::folder(&dist)?;
    copy_tree(&project.root.join("samples"), &dist.join("samples"))?;
    copy_texts(project, &dist.join("texts"))?;
    offline::fill(&dist)?;
    println!("{}", dist.display());
    sizes::check(&dist)
}

/// Each kind of build has a target folder of its own: their `std` and flags differ.
fn target_folder(project: &Project, flavour: Flavour, panics: Panics) -> PathBuf {
    let name = if panics == Panics::Silent { "silent" } else { flavour.name() };
    project.target.join("web").join(name)
}

/// The cargo command that compiles these packages in a flavour.
fn compile(
    project: &Project,
    toolchain: &Toolchain,
    (flavour, panics): (Flavour, Panics),
    profile: &str,
    packages: &[&str],
) -> Result<Command> {
    let mut command = Command::new(&toolchain.cargo);
    for name in INHERITED {
        command.env_remove(name);
    }
    forget_own_package(&mut command);
    command.current_dir(&project.root).env("RUSTC", &toolchain.rustc);
    command.args(["build", "--profile", profile, "--lib", "--target", TARGET, "--target-dir"]);
    command.arg(target_folder(project, flavour, panics));
    for package in packages {
        command.args(["--package", package]);
    }
    if flavour == Flavour::Threads {
        command.args(["--features", "threads"]);
    }
    if toolchain.needs_build_std(flavour) {
        // The standard library's sorts and number formats come in a small form too; results are the same.
        let features = "build-std-features=optimize_for_size";
        command.args(["-Z", "build-std=std,panic_abort", "-Z", features]).env("RUSTC_BOOTSTRAP", "1");
    }
    // Not RUSTFLAGS: that would reach the build scripts and procedural macros, which run on this machine.
    let mut flags = [flags(flavour), remapped(toolchain)].concat();
    if panics.left_out(toolchain) {
        flags.extend(["-Zunstable-options", "-Cpanic=immediate-abort"].map(String::from));
    }
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags.join(" "));
    if let Linker::Lld(lld) = &toolchain.linker {
        command.env("PATH", path_with_rust_lld(&project.target.join("web/bin"), lld)?);
    }
    Ok(command)
}

/// Flags that keep the folders of whoever builds out of the modules: panics name a file from its crate on.
fn remapped(toolchain: &Toolchain) -> Vec<String> {
    let registry = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))
        .map(|home| (home.join("registry/src"), "registry"));
    // The compiler stands in `bin` of its toolchain.
    let library =
        toolchain.rustc.ancestors().nth(2).map(|root| (root.join("lib/rustlib/src/rust/library"), "std"));
    let named =
        registry.into_iter().chain(library).filter_map(|(from, to)| Some((from.to_str()?.to_owned(), to)));
    // Flags are separated by white space: a folder with any in its name stays as it is.
    let plain = named.filter(|(from, _)| !from.contains(char::is_whitespace));
    plain.map(|(from, to)| format!("--remap-path-prefix={from}={to}")).collect()
}

/// Compiler flags of a flavour.
fn flags(flavour: Flavour) -> Vec<String> {
    let features = match flavour {
        Flavour::Threads => "-Ctarget-feature=+atomics,+bulk-memory,+mutable-globals,+simd128",
        Flavour::Single => "-Ctarget-feature=+simd128",
    };
    let mut flags = vec![features.to_owned()];
    if flavour == Flavour::Threads {
        let mut link = |arg: &str| flags.push(format!("-Clink-arg={arg}"));
        link("--shared-memory");
        link("--import-memory");
        link(&format!("--max-memory={MAX_MEMORY}"));
        // wasm-bindgen gives each thread its own stack and thread-local data by these.
        for symbol in ["__wasm_init_tls", "__tls_size", "__tls_align", "__tls_base", "__heap_base"] {
            link(&format!("--export={symbol}"));
        }
    }
    flags
}

/// `PATH` with a folder in front that calls `lld` by the name the compiler asks for.
fn path_with_rust_lld(folder: &Path, lld: &Path) -> Result<std::ffi::OsString> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let link = folder.join("rust-lld");
    if fs::read_link(&link).ok().as_deref() != Some(lld) {
        if link.symlink_metadata().is_ok() {
            fs::remove_file(&link).with_context(|| format!("cannot replace {}", link.display()))?;
        }
        symlink(lld, &link).with_context(|| format!("cannot create the link {}", link.display()))?;
    }
    let old = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder.to_owned()).chain(std::env::split_paths(&old));
    std::env::join_paths(folders).context("PATH cannot be extended")
}

#[cfg(unix)]
fn symlink(original: &Path, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(original, link)
}

#[cfg(not(unix))]
fn symlink(original: &Path, link: &Path) -> std::io::Result<()> {
    fs::copy(original, link).map(drop)
}

/// Runs the builds side by side: the last minute of each is one thread's link-time optimisation.
fn run_together(commands: &mut [Command]) -> Result<()> {
    let results: Vec<Result<()>> = std::thread::scope(|scope| {
        let running: Vec<_> = commands.iter_mut().map(|command| scope.spawn(|| run(command))).collect();
        running
            .into_iter()
            .map(|handle| handle.join().unwrap_or_else(|_| bail!("a build thread broke")))
            .collect()
    });
    results.into_iter().collect()
}

/// Makes `dist` hold exactly the static files beside the built modules.
fn copy_static(from: &Path, dist: &Path) -> Result<()> {
    remove_strangers(from, dist)?;
    copy_tree(from, dist)
}

/// Folders of `dist` that the build makes itself.
const BUILT: [&str; 6] = ["ui", "engine", "solver", "desk", "series", "import"];

/// Removes what an earlier build copied and the sources no longer have.
fn remove_strangers(from: &Path, dist: &Path) -> Result<()> {
    for entry in fs::read_dir(dist).with_context(|| format!("cannot read {}", dist.display()))? {
        let path = entry?.path();
        let Some(name) = path.file_name() else { continue };
        if BUILT.iter().any(|built| name == *built) {
            continue;
        }
        if path.is_dir() {
            fs::remove_dir_all(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        } else if !from.join(name).is_file() {
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    Ok(())
}

/// Languages that the page loads when they are wanted; English is compiled in.
pub(crate) const LANGUAGES: [&str; 2] = ["es", "de"];

/// The file of a language's texts.
pub(crate) fn texts(project: &Project, language: &str) -> PathBuf {
    project.root.join(format!("web/ui/texts/{language}.txt"))
}

fn copy_texts(project: &Project, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for language in LANGUAGES {
        let from = texts(project, language);
        fs::copy(&from, folder.join(format!("{language}.txt")))
            .with_context(|| format!("cannot copy {}", from.display()))?;
    }
    Ok(())
}

fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    if !from.is_dir() {
        bail!("{} is missing, and the page needs it", from.display());
    }
    fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let path = entry?.path();
        let Some(name) = path.file_name() else { continue };
        let goal = to.join(name);
        if path.is_dir() {
            copy_tree(&path, &goal)?;
        } else {
            fs::copy(&path, &goal).with_context(|| format!("cannot copy {}", path.display()))?;
        }
    }
    Ok(())
}
