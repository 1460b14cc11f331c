//! What a search cannot do, and what reads a job: it takes its input and writes its output, and has no use for files, for the
//! network or for other programs. Whoever got hold of it by a job that is made for that would find them closed.
//!
//! On Linux by Landlock (files, the network, signals to others) and seccomp (calls that no search makes), as far as the kernel has
//! them; elsewhere not at all, which the worker says when it starts.

/// How far a search is contained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Contained {
    /// It can open no file but what the system tells of itself.
    pub(crate) files: bool,
    /// It can open no connection and begin no program.
    pub(crate) calls: bool,
}

impl Contained {
    /// Whether nothing is left open that could be closed.
    pub(crate) fn is_whole(self) -> bool {
        self.files && self.calls
    }
}

/// What a search would be here, found out by a thread that ends with it.
pub(crate) fn probe() -> Contained {
    let none = Contained { files: false, calls: false };
    std::thread::spawn(contain).join().unwrap_or(none)
}

/// Contains this thread, and those that it begins from now on.
#[cfg(target_os = "linux")]
pub(crate) fn contain() -> Contained {
    Contained { files: linux::files().unwrap_or(false), calls: linux::calls().is_some() }
}

/// Nothing is known here that would.
#[cfg(not(target_os = "linux"))]
pub(crate) fn contain() -> Contained {
    Contained { files: false, calls: false }
}

/// Where memory runs out the system is to end this process, not its worker. Where it cannot be asked it decides.
pub(crate) fn expendable() {
    #[cfg(target_os = "linux")]
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
}

/// Limits this process: it leaves no image of its memory, and holds few files open.
pub(crate) fn limit() {
    #[cfg(target_os = "linux")]
    linux::limit();
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeMap;

    use landlock::{
        ABI, Access as _, AccessFs, AccessNet, CompatLevel, Compatible as _, PathBeneath, PathFd, Ruleset,
        RulesetAttr as _, RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope,
    };
    use rustix::process::{Resource, Rlimit, setrlimit};
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};

    /// The newest kernel's interface that is known here; an older one is asked for what it has.
    const NEWEST: ABI = ABI::V6;

    /// Files that a search may hold open: its pipes, and what it reads of itself.
    const FILES: u64 = 64;

    /// No search makes these calls: the network, other programs and their memory, the system's own affairs, and ways around
    /// Landlock. A pair of sockets that only it has (`socketpair`) leads nowhere, and whoever hears signals uses one.
    const CALLS: [libc::c_long; 32] = [
        libc::SYS_socket,
        libc::SYS_connect,
        libc::SYS_bind,
        libc::SYS_listen,
        libc::SYS_accept4,
        libc::SYS_execve,
        libc::SYS_execveat,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_pidfd_getfd,
        libc::SYS_mount,
        libc::SYS_umount2,
        libc::SYS_pivot_root,
        libc::SYS_chroot,
        libc::SYS_setns,
        libc::SYS_unshare,
        libc::SYS_keyctl,
        libc::SYS_add_key,
        libc::SYS_request_key,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_userfaultfd,
        libc::SYS_io_uring_setup,
        libc::SYS_io_uring_enter,
        libc::SYS_io_uring_register,
        libc::SYS_open_by_handle_at,
        libc::SYS_kexec_load,
        libc::SYS_init_module,
        libc::SYS_finit_module,
        libc::SYS_reboot,
        libc::SYS_swapon,
    ];

    /// Closes files and the network by Landlock; whether files are closed.
    pub(super) fn files() -> Result<bool, RulesetError> {
        let ruleset = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(NEWEST))?
            .handle_access(AccessNet::from_all(NEWEST))?
            .scope(Scope::from_all(NEWEST))?
            .create()?;
        // How much memory it has had is for its worker to know.
        let ruleset = match PathFd::new("/proc/self") {
            Ok(own) => ruleset.add_rule(PathBeneath::new(own, AccessFs::ReadFile))?,
            Err(_) => ruleset,
        };
        Ok(ruleset.restrict_self()?.ruleset != RulesetStatus::NotEnforced)
    }

    /// Refuses the calls, as if they were not permitted.
    pub(super) fn calls() -> Option<()> {
        let architecture = std::env::consts::ARCH.try_into().ok()?;
        let rules: BTreeMap<_, _> = CALLS.into_iter().map(|call| (call, Vec::new())).collect();
        let refused = SeccompAction::Errno(libc::EPERM.cast_unsigned());
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, architecture).ok()?;
        apply_filter(&BpfProgram::try_from(filter).ok()?).ok()
    }

    /// Limits that can only be lowered are lowered; one that cannot is no reason not to search.
    pub(crate) fn limit() {
        let at_most = |most| Rlimit { current: Some(most), maximum: Some(most) };
        let _ = setrlimit(Resource::Core, at_most(0));
        let _ = setrlimit(Resource::Nofile, at_most(FILES));
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::{
        fs,
        io::ErrorKind,
        net::{TcpListener, TcpStream},
        process::Command,
        thread,
    };

    use super::*;

    /// What a contained thread finds: each attempt, and how it was refused.
    fn attempts() -> Option<Vec<(&'static str, Option<ErrorKind>)>> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "secret").unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let contained = thread::spawn(move || {
            if !contain().is_whole() {
                return None;
            }
            // Threads that it begins are contained, too.
            let within = thread::spawn(move || {
                vec![
                    ("read", fs::read(&file).err().map(|e| e.kind())),
                    ("write", fs::write(file.with_extension("new"), "x").err().map(|e| e.kind())),
                    ("list", fs::read_dir("/").err().map(|e| e.kind())),
                    ("connect", TcpStream::connect(address).err().map(|e| e.kind())),
                    ("run", Command::new("/bin/true").status().err().map(|e| e.kind())),
                    ("itself", fs::read_to_string("/proc/self/status").err().map(|e| e.kind())),
                ]
            });
            within.join().ok()
        });
        contained.join().unwrap()
    }

    #[test]
    fn a_search_has_no_files_no_network_and_no_programs() {
        let Some(attempts) = attempts() else {
            eprintln!("skipped: this kernel contains nothing ({:?})", probe());
            return;
        };
        for (what, refused) in attempts {
            let expected = (what != "itself").then_some(ErrorKind::PermissionDenied);
            assert_eq!(refused, expected, "{what}");
        }
        // The thread that was not contained can.
        assert!(fs::read_dir("/").is_ok());
    }
}
