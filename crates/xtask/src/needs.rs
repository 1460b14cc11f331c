//! What building and testing needs from the machine, found by looking for files.

use std::path::{Path, PathBuf};

use crate::probe::Probe;
use crate::toolchain::{Flavour, Linker, Toolchain, choose};

/// Which commands need it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// Builds of the worker and the tests.
    Native,
    /// Builds of the page.
    Web,
    /// Tests in a browser.
    Browser,
}

/// One thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Need {
    Cmake,
    Make,
    Cxx,
    Libclang,
    Wasm(Flavour),
    Chromium,
    Chromedriver,
}

impl Need {
    pub(crate) const ALL: [Self; 8] = [
        Self::Cmake,
        Self::Make,
        Self::Cxx,
        Self::Libclang,
        Self::Wasm(Flavour::Single),
        Self::Wasm(Flavour::Threads),
        Self::Chromium,
        Self::Chromedriver,
    ];

    pub(crate) fn part(self) -> Part {
        match self {
            Self::Cmake | Self::Make | Self::Cxx | Self::Libclang => Part::Native,
            Self::Wasm(_) => Part::Web,
            Self::Chromium | Self::Chromedriver => Part::Browser,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Cmake => "cmake",
            Self::Make => "make",
            Self::Cxx => "C++ compiler",
            Self::Libclang => "libclang",
            Self::Wasm(Flavour::Single) => "wasm, single",
            Self::Wasm(Flavour::Threads) => "wasm, threads",
            Self::Chromium => "chromium",
            Self::Chromedriver => "chromedriver",
        }
    }

    pub(crate) fn purpose(self) -> &'static str {
        match self {
            Self::Cmake | Self::Make => "builds HiGHS, the worker's solver",
            Self::Cxx => "compiles HiGHS",
            Self::Libclang => "reads HiGHS's C header",
            Self::Wasm(Flavour::Single) => "builds the page, and its engine for one thread",
            Self::Wasm(Flavour::Threads) => "builds the page's engine for several threads",
            Self::Chromium => "the browser of the tests",
            Self::Chromedriver => "steers the browser of the tests",
        }
    }

    /// How to get it.
    pub(crate) fn advice(self) -> &'static str {
        match self {
            Self::Cmake => "Debian: cmake",
            Self::Make => "Debian: make",
            Self::Cxx => "Debian: g++",
            Self::Libclang => {
                "Debian: libclang1-NN of any version; a folder elsewhere is named by LIBCLANG_PATH"
            }
            Self::Wasm(Flavour::Single) => {
                "rustup target add wasm32-unknown-unknown; or Debian: rustc-web cargo-web rust-web-src lld-NN"
            }
            Self::Wasm(Flavour::Threads) => {
                "rustup component add rust-src; or Debian: rustc-web cargo-web rust-web-src lld-NN"
            }
            Self::Chromium => "Debian: chromium; or Google Chrome",
            Self::Chromedriver => "Debian: chromium-driver; it must fit the browser's version",
        }
    }

    /// Where it is, as text for people; `None` if it is missing.
    pub(crate) fn find(self, probe: &dyn Probe, toolchains: &[Toolchain]) -> Option<String> {
        let path = match self {
            Self::Cmake => first_of(probe, "CMAKE", &["cmake"]),
            Self::Make => first_of(probe, "MAKE", &["make", "gmake"]),
            Self::Cxx => first_of(probe, "CXX", &["c++", "g++", "clang++"]),
            Self::Libclang => libclang(probe),
            Self::Wasm(flavour) => return choose(toolchains, flavour).map(|found| describe(found, flavour)),
            Self::Chromium => {
                const NAMES: [&str; 4] =
                    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
                first_of(probe, "CHROMIUM", &NAMES)
            }
            Self::Chromedriver => first_of(probe, "CHROMEDRIVER", &["chromedriver"]),
        };
        path.map(|path| path.display().to_string())
    }
}

fn describe(toolchain: &Toolchain, flavour: Flavour) -> String {
    let std = if toolchain.needs_build_std(flavour) { "std from source" } else { "std prebuilt" };
    let linker = match &toolchain.linker {
        Linker::Lld(lld) => format!(", linker {}", lld.display()),
        Linker::Own | Linker::Missing => String::new(),
    };
    let (major, minor) = toolchain.release;
    format!("{} ({major}.{minor}, {}), {std}{linker}", toolchain.origin, toolchain.rustc.display())
}

/// The program that a variable names, or the first of these on `PATH`.
pub(crate) fn first_of(probe: &dyn Probe, variable: &str, names: &[&str]) -> Option<PathBuf> {
    let named = probe.env(variable).map(PathBuf::from);
    let named = named
        .and_then(|path| if path.is_absolute() { Some(path) } else { probe.which(&path.to_string_lossy()) });
    named.filter(|path| probe.is_file(path)).or_else(|| names.iter().find_map(|name| probe.which(name)))
}

/// The shared library, looked for where the crate clang-sys looks: `LIBCLANG_PATH`, what `llvm-config` says, the
/// usual folders.
fn libclang(probe: &dyn Probe) -> Option<PathBuf> {
    if let Some(path) = probe.env("LIBCLANG_PATH").map(PathBuf::from) {
        if probe.is_file(&path) {
            return Some(path);
        }
        if let Some(file) = libclang_in(probe, &path) {
            return Some(file);
        }
    }
    let config = probe.env("LLVM_CONFIG_PATH").unwrap_or_else(|| "llvm-config".into());
    let told = probe.run(&config, &["--libdir"]).map(|text| PathBuf::from(text.trim()));
    told.into_iter().chain(library_folders(probe)).find_map(|folder| libclang_in(probe, &folder))
}

/// Folders with shared libraries: the system's, their architecture's, LLVM's own.
fn library_folders(probe: &dyn Probe) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        probe.env("LD_LIBRARY_PATH").iter().flat_map(std::env::split_paths).collect();
    for base in [
        "/usr/local/lib",
        "/usr/lib",
        "/usr/lib64",
        "/usr/local/lib64",
        "/lib",
        "/usr/local/opt",
        "/opt/homebrew/opt",
    ] {
        folders.push(base.into());
        for below in probe.list(Path::new(base)).into_iter().filter(|path| probe.is_dir(path)) {
            let name = below.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.starts_with("llvm") {
                folders.push(below.join("lib"));
                folders.push(below.join("lib64"));
            } else if name.contains("-linux-") {
                folders.push(below);
            }
        }
    }
    folders.push("/Library/Developer/CommandLineTools/usr/lib".into());
    folders.push(
        "/Applications/Xcode.app/Contents/Developer/Toolchains/XcodeDefault.xctoolchain/usr/lib".into(),
    );
    folders
}

fn libclang_in(probe: &dyn Probe, folder: &Path) -> Option<PathBuf> {
    probe.list(folder).into_iter().find(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let rest = name.strip_prefix("libclang");
        // Not `libclang-cpp`, another library. Versions stand before or behind the extension.
        rest.is_some_and(|rest| {
            let versioned = rest.strip_prefix('-').unwrap_or(rest);
            let versioned = versioned.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            rest == ".dylib" || rest.starts_with(".so") || versioned == "so" || versioned.starts_with("so.")
        }) && probe.is_file(file)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::Fake;

    #[test]
    fn an_empty_machine_has_nothing() {
        for need in Need::ALL {
            assert_eq!(need.find(&Fake::default(), &[]), None, "{need:?}");
        }
    }

    #[test]
    fn programs_are_found_on_the_path_or_by_variable() {
        let fake =
            Fake::default().var("PATH", "/bin:/usr/bin").file("/usr/bin/g++").file("/usr/bin/google-chrome");
        assert_eq!(Need::Cxx.find(&fake, &[]).unwrap(), "/usr/bin/g++");
        assert_eq!(Need::Chromium.find(&fake, &[]).unwrap(), "/usr/bin/google-chrome");
        let fake = fake.file("/opt/cc/bin/c++").var("CXX", "/opt/cc/bin/c++");
        assert_eq!(Need::Cxx.find(&fake, &[]).unwrap(), "/opt/cc/bin/c++");
        let fake = fake.var("CXX", "/gone/c++");
        assert_eq!(Need::Cxx.find(&fake, &[]).unwrap(), "/usr/bin/g++");
    }

    #[test]
    fn libclang_is_found_under_its_many_names() {
        for file in [
            "/usr/lib/x86_64-linux-gnu/libclang-14.so.14.0.6",
            "/usr/lib/llvm-14/lib/libclang.so.1",
            "/usr/lib/llvm-14/lib/libclang-14.so.1",
            "/usr/lib64/libclang.so",
            "/usr/lib/libclang.so.19.1",
            "/opt/homebrew/opt/llvm/lib/libclang.dylib",
        ] {
            assert_eq!(Need::Libclang.find(&Fake::default().file(file), &[]).as_deref(), Some(file));
        }
    }

    #[test]
    fn neighbours_of_libclang_are_not_taken_for_it() {
        for file in [
            "/usr/lib/x86_64-linux-gnu/libclang-cpp.so.14",
            "/usr/lib/x86_64-linux-gnu/libclang-cpp14.so",
            "/usr/lib/llvm-14/lib/libclangAST.a",
            "/usr/lib/llvm-14/lib/libclang.a",
        ] {
            assert_eq!(Need::Libclang.find(&Fake::default().file(file), &[]), None, "{file}");
        }
    }

    #[test]
    fn libclang_follows_its_variable_and_llvm_config() {
        let named = Fake::default().file("/x/libclang.so").var("LIBCLANG_PATH", "/x");
        assert_eq!(Need::Libclang.find(&named, &[]).unwrap(), "/x/libclang.so");
        let told = Fake::default().file("/y/lib/libclang.so").answer("llvm-config --libdir", "/y/lib\n");
        assert_eq!(Need::Libclang.find(&told, &[]).unwrap(), "/y/lib/libclang.so");
    }
}
