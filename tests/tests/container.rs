//! The container: its last stage laid out in a clean folder, as its file says, and started from there. An image is built only where
//! somebody has a container engine; what stands in it and how it runs is the same.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]
#![cfg(target_os = "linux")]

use std::{
    fs,
    net::TcpListener,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use lookalike_tests::{
    certificate::self_signed,
    program::{Folder, PATIENCE, binary, workspace},
};

/// The instructions of the last stage, continuation lines put together.
fn last_stage() -> Vec<(String, String)> {
    let text = fs::read_to_string(workspace().join("packaging/Dockerfile")).unwrap();
    let text = text.replace("\\\n", " ");
    let (_, last) = text.rsplit_once("\nFROM ").unwrap();
    let lines = last.lines().skip(1).filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| line.split_once(' ').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap()).collect()
}

/// The words of an instruction in JSON's form.
fn words(stage: &[(String, String)], name: &str) -> Vec<String> {
    let (_, value) = stage.iter().find(|(instruction, _)| instruction == name).unwrap();
    serde_json::from_str(&value[value.find('[').unwrap()..]).unwrap()
}

/// Runs the build stage's script with what was built already in the place of `cargo`, which only says what it was asked.
fn built(folder: &Folder) -> Option<PathBuf> {
    let target = binary().parent()?.parent()?.to_path_buf();
    if !target.join("web/dist/index.html").is_file() {
        eprintln!("skipped: the page is not built");
        return None;
    }
    folder.write("bin/cargo", "#!/bin/sh\necho \"$@\" >> \"$ASKED\"\n");
    fs::set_permissions(folder.file("bin/cargo"), fs::Permissions::from_mode(0o755)).unwrap();
    let out = folder.path().join("out");
    let path = format!("{}:{}", folder.file("bin"), std::env::var("PATH").unwrap());
    let status = Command::new("sh")
        .arg("packaging/container/build.sh")
        .arg(&out)
        .current_dir(workspace())
        .envs([("PATH", path), ("ASKED", folder.file("asked"))])
        .env("CARGO_TARGET_DIR", &target)
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(folder.text("asked"), "xtask setup\nxtask web\nbuild --release --locked\n");
    Some(out)
}

/// Copies what the last stage copies into a folder that stands for the root.
fn root(folder: &Folder, stage: &[(String, String)]) -> Option<PathBuf> {
    let out = built(folder)?;
    let root = folder.path().join("root");
    for (_, what) in stage.iter().filter(|(instruction, _)| instruction == "COPY") {
        let (from, to) = match what.strip_prefix("--from=build ") {
            Some(what) => (out.clone(), what.split_once(' ').unwrap().1),
            None => what.split_once(' ').map(|(from, to)| (workspace().join(from), to)).unwrap(),
        };
        let to = root.join(to.trim_start_matches('/'));
        fs::create_dir_all(if from.is_dir() { &to } else { to.parent().unwrap() }).unwrap();
        let from = if from.is_dir() { from.join(".") } else { from };
        assert!(Command::new("cp").args(["-R", "-p"]).args([from, to]).status().unwrap().success());
    }
    Some(root)
}

/// A process of the test, ended with it.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Whether the health check is content with this process.
fn is_well(root: &Path, stage: &[(String, String)], process: u32, url: &str) -> bool {
    let check = words(stage, "HEALTHCHECK");
    let path = format!("{}:{}", root.join("usr/local/bin").display(), std::env::var("PATH").unwrap());
    let mut check = Command::new(root.join(check[0].trim_start_matches('/')));
    check.args([&process.to_string(), url]).env("PATH", path).stderr(Stdio::null());
    check.status().unwrap().success()
}

#[test]
fn the_image_serves_page_and_worker_and_is_watched() {
    let folder = Folder::new();
    let stage = last_stage();
    let Some((certificate, key)) = self_signed(&folder) else { return };
    let Some(root) = root(&folder, &stage) else { return };
    let settings = root.join("etc/lookalike");
    fs::create_dir_all(&settings).unwrap();
    fs::copy(certificate, settings.join("certificate.pem")).unwrap();
    fs::copy(key, settings.join("key.pem")).unwrap();
    fs::write(settings.join("tokens"), "ward:0123456789abcdef0123456789abcdef\n").unwrap();
    for name in ["tokens", "key.pem"] {
        fs::set_permissions(settings.join(name), fs::Permissions::from_mode(0o600)).unwrap();
    }
    fs::create_dir_all(root.join("var/lib/lookalike")).unwrap();
    fs::set_permissions(root.join("var/lib/lookalike"), fs::Permissions::from_mode(0o700)).unwrap();

    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let within = |word: &String| match word.strip_prefix('/') {
        Some(path) => root.join(path).display().to_string(),
        None => word.replace("0.0.0.0:8443", &format!("127.0.0.1:{port}")),
    };
    let program = words(&stage, "ENTRYPOINT").iter().map(within).collect::<Vec<_>>();
    let args = words(&stage, "CMD").iter().map(within).collect::<Vec<_>>();
    let log = fs::File::create(folder.file("log")).unwrap();
    let run = Command::new(&program[0]).args(args).current_dir("/").stderr(log).stdout(Stdio::null()).spawn();
    let mut run = Ended(run.unwrap());

    let url = format!("https://127.0.0.1:{port}");
    let begun = Instant::now();
    while !is_well(&root, &stage, run.0.id(), &url) {
        assert!(run.0.try_wait().unwrap().is_none() && begun.elapsed() < PATIENCE, "{}", folder.text("log"));
        thread::sleep(Duration::from_millis(100));
    }
    // The page is there, beside the program.
    let page = Command::new("openssl")
        .args(["s_client", "-connect", &format!("127.0.0.1:{port}"), "-quiet", "-ign_eof"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .and_then(|mut child| {
            use std::io::Write as _;
            let mut input = child.stdin.take().unwrap();
            input.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
            drop(input);
            child.wait_with_output()
        });
    let page = String::from_utf8_lossy(&page.unwrap().stdout).into_owned();
    assert!(page.contains(" 200 OK") && page.to_lowercase().contains("<!doctype html"), "{page}");

    assert!(Command::new("kill").args(["-TERM", &run.0.id().to_string()]).status().unwrap().success());
    let code = run.0.wait().unwrap().code();
    assert_eq!(code, Some(0), "{}", folder.text("log"));
    assert!(!is_well(&root, &stage, std::process::id(), &url), "nobody answers");
}

/// `work` opens no port: it is well while it runs.
#[test]
fn a_container_that_works_for_others_is_well_while_it_runs() {
    let folder = Folder::new();
    // It waits for a line that never comes, without a process of its own.
    folder.write("work", "read line\n");
    let child =
        Command::new("sh").arg("work").current_dir(folder.path()).stdin(Stdio::piped()).spawn().unwrap();
    let child = Ended(child);
    let check = workspace().join("packaging/container/health.sh");
    let is_well = |process: u32| {
        let nobody = "https://127.0.0.1:9";
        Command::new(&check)
            .args([&process.to_string(), nobody])
            .stderr(Stdio::null())
            .status()
            .unwrap()
            .success()
    };
    assert!(is_well(child.0.id()));
    assert!(!is_well(std::process::id()), "a process that does not work for others is asked");
}

#[test]
fn only_a_worker_on_this_machine_is_asked() {
    let folder = Folder::new();
    for url in ["https://example.org", "http://10.0.0.1:8080", "nonsense"] {
        let run = folder.run(&["health", url]);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains("is not on this machine"), "{}", run.stderr);
    }
    let run = folder.run(&["health", "http://127.0.0.1:9"]);
    assert_eq!(run.code, Some(4), "{}", run.stderr);
    assert!(run.stderr.contains("does not answer"), "{}", run.stderr);
}

/// Nothing runs as root, and the image says how it is watched.
#[test]
fn the_image_is_an_ordinary_user_and_has_a_health_check() {
    let stage = last_stage();
    let of = |name: &str| {
        stage.iter().filter(|(is, _)| is == name).map(|(_, value)| value.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(of("USER"), ["lookalike"]);
    let order: Vec<&str> = stage.iter().map(|(name, _)| name.as_str()).collect();
    let user = order.iter().position(|name| *name == "USER").unwrap();
    assert!(order[user..].iter().all(|name| *name != "RUN" && *name != "COPY"), "{order:?}");
    assert_eq!(of("HEALTHCHECK").len(), 1);
    let ignored = fs::read_to_string(workspace().join(".dockerignore")).unwrap();
    assert!(ignored.lines().any(|line| line == "target"), "what was built elsewhere does not get in");
}
