//! Builds the page into `target/web/dist`: its modules, the static files, and a packed file beside each.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::bindgen::{self, Target};
use crate::project::{Project, both, forget_own_toolchain, run, step};
use crate::toolchain::{self, Flavour, TARGET, Toolchain};
use crate::{offline, pack};

/// The profile of all modules.
const PROFILE: &str = "web";

/// What cargo compiles in one go. Features of shared crates that only one module needs, such as forms of files, reach the
/// others: what these do not call is left out when they are linked.
const BUILDS: [(Flavour, &[&str]); 2] = [
    (Flavour::Threads, &["lookalike-optimize-web"]),
    (Flavour::Single, &["lookalike-ui", "lookalike-engine", "lookalike-optimize-web", "lookalike-import"]),
];

/// A module of the page.
pub(crate) struct Module {
    pub(crate) flavour: Flavour,
    /// What its package is called, after `lookalike-`.
    package: &'static str,
    /// What its files in the page are called.
    pub(crate) name: &'static str,
    /// Where they lie in the page.
    pub(crate) folder: &'static str,
}

impl Module {
    const fn new(flavour: Flavour, name: &'static str, folder: &'static str) -> Self {
        Self { flavour, package: name, name, folder }
    }

    /// The search: in the page it is called as the crate that does the work.
    const fn search(flavour: Flavour, folder: &'static str) -> Self {
        Self { flavour, package: "optimize-web", name: "optimize", folder }
    }

    /// Where cargo puts it.
    pub(crate) fn file(&self, project: &Project) -> PathBuf {
        let folder = target_folder(project, self.flavour).join(TARGET).join(PROFILE);
        folder.join(format!("lookalike_{}.wasm", self.package.replace('-', "_")))
    }
}

/// All modules.
pub(crate) const MODULES: [Module; 5] = [
    Module::new(Flavour::Single, "ui", "ui"),
    Module::new(Flavour::Single, "engine", "engine"),
    Module::search(Flavour::Threads, "optimize/threads"),
    Module::search(Flavour::Single, "optimize/single"),
    Module::new(Flavour::Single, "import", "import"),
];

/// Languages that the page loads when they are wanted; English is compiled in.
pub(crate) const LANGUAGES: [&str; 2] = ["es", "de"];

/// The largest memory of a module, in bytes: shared memory must name one.
const MAX_MEMORY: u32 = 2 << 30;

/// A content security policy does not reliably stop peer connections, so the page must hold no way to open one.
const PEER: &str = "RTCPeerConnection";

/// Builds the page. The tool chains must be there (see `setup`).
pub(crate) fn build(project: &Project) -> Result<()> {
    both(|| compile(project, Flavour::Threads), || compile(project, Flavour::Single))?;
    let modules = project.target.join("web/modules");
    let dist = project.dist();
    if dist.exists() {
        fs::remove_dir_all(&dist).with_context(|| format!("cannot empty {}", dist.display()))?;
    }
    for module in &MODULES {
        let out = modules.join(module.folder);
        bindgen::generate(&module.file(project), &out, module.name, Target::Module)?;
        copy_tree(&out, &dist.join(module.folder))?;
    }
    copy_tree(&project.root.join("web/static"), &dist)?;
    copy_tree(&project.root.join("samples"), &dist.join("samples"))?;
    for language in LANGUAGES {
        let file = dist.join(format!("texts/{language}.txt"));
        fs::create_dir_all(dist.join("texts"))?;
        fs::write(&file, texts(project, language)?)
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    offline::fill(&dist)?;
    let sizes = pack::all(&dist)?;
    println!("{}", dist.display());
    pack::check(&sizes)
}

/// The texts of a language: what the page says, and behind it what the crates say.
pub(crate) fn texts(project: &Project, language: &str) -> Result<String> {
    let mut texts = String::new();
    for folder in ["web/ui/texts", "crates/words/texts"] {
        let file = project.root.join(folder).join(format!("{language}.txt"));
        texts += &fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    }
    Ok(texts)
}

/// Compiles all modules of a flavour.
fn compile(project: &Project, flavour: Flavour) -> Result<()> {
    let name = flavour.name();
    let toolchain = toolchain::find(project, flavour)
        .with_context(|| format!("no tool chain for the page's {name} builds: see `cargo xtask doctor`"))?;
    for (_, packages) in BUILDS.iter().filter(|(of, _)| *of == flavour) {
        step(&format!("the page's {name} build of {} by {toolchain}", packages.join(", ")));
        run(&mut command(project, &toolchain, flavour, packages))?;
    }
    Ok(())
}

/// Each flavour has a target folder of its own: their standard libraries and flags differ.
fn target_folder(project: &Project, flavour: Flavour) -> PathBuf {
    project.target.join("web").join(flavour.name())
}

/// The cargo command that compiles these packages in a flavour.
fn command(project: &Project, toolchain: &Toolchain, flavour: Flavour, packages: &[&str]) -> Command {
    let mut command = Command::new(toolchain.program("cargo"));
    forget_own_toolchain(&mut command);
    command.current_dir(&project.root).env("RUSTC", toolchain.program("rustc"));
    command.args(["build", "--profile", PROFILE, "--lib", "--target", TARGET, "--target-dir"]);
    command.arg(target_folder(project, flavour));
    for package in packages {
        command.args(["--package", package]);
    }
    if flavour == Flavour::Threads {
        command.args(["--features", "threads"]);
    }
    if toolchain.needs_build_std(flavour) {
        // Features are named so that the default one, symbols for backtraces, is not built.
        command.args(["-Z", "build-std=std,panic_abort", "-Z", "build-std-features=optimize_for_size"]);
        command.env("RUSTC_BOOTSTRAP", "1");
    }
    // Not RUSTFLAGS: that would reach the build scripts and procedural macros, which run on this machine.
    let flags = [flags(flavour), remapped(toolchain)].concat();
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags.join(" "));
    // Keys of hash tables that a crate draws while it is compiled, which would be other ones in every build.
    command.env("CONST_RANDOM_SEED", "lookalike");
    command
}

/// Flags that keep the folders of whoever builds out of the modules: panics name a file from its crate on.
fn remapped(toolchain: &Toolchain) -> Vec<String> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let registry = home.map(|home| (home.join("registry/src"), "registry"));
    let named = registry.into_iter().chain([(toolchain.source(), "std")]);
    // Flags are separated by white space: a folder with any in its name stays as it is.
    let plain = named.filter_map(|(from, to)| Some((from.to_str()?.to_owned(), to)));
    let plain = plain.filter(|(from, _)| !from.contains(char::is_whitespace));
    plain.map(|(from, to)| format!("--remap-path-prefix={from}={to}")).collect()
}

/// Compiler flags of a flavour.
fn flags(flavour: Flavour) -> Vec<String> {
    if flavour == Flavour::Single {
        return vec![String::from("-Ctarget-feature=+simd128")];
    }
    let mut flags = vec![String::from("-Ctarget-feature=+atomics,+bulk-memory,+mutable-globals,+simd128")];
    let mut link = |arg: &str| flags.push(format!("-Clink-arg={arg}"));
    link("--shared-memory");
    link("--import-memory");
    link(&format!("--max-memory={MAX_MEMORY}"));
    // wasm-bindgen gives each thread its own stack and thread-local data by these.
    for symbol in ["__wasm_init_tls", "__tls_size", "__tls_align", "__tls_base", "__heap_base"] {
        link(&format!("--export={symbol}"));
    }
    flags
}

fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let path = entry?.path();
        let Some(name) = path.file_name() else { continue };
        if path.is_dir() {
            copy_tree(&path, &to.join(name))?;
        } else {
            copy(&path, &to.join(name))?;
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    if from.extension().is_some_and(|extension| extension == "js")
        && fs::read_to_string(from).is_ok_and(|text| text.contains(PEER))
    {
        bail!("{} names {PEER}: the page must not be able to send data past its policy", from.display());
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
    Ok(())
}
