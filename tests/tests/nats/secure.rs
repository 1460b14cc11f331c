//! Over TLS, and with users that the server knows.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use lookalike_tests::{
    certificate::vouched_for,
    nats::{Hand, Nats},
    program::Folder,
    server::Server,
};
use nkeys::KeyPair;
use serde_json::{Value, json};

use super::{alone, answer, elsewhere, job};

/// A job of some blocks.
fn small() -> Value {
    let mut job = job(600, "decompose", 0.2);
    job["method"] = json!({"name": "decompose", "blocks": 4});
    job
}

#[test]
fn over_tls_with_a_password() {
    let folder = Folder::new();
    let Some((certificate, key, authority)) = vouched_for(&folder) else { return };
    let elsewhere_made = Folder::new();
    let (_, _, other) = vouched_for(&elsewhere_made).unwrap();
    let flags = ["--tls", "--tlscert", &certificate, "--tlskey", &key, "--user", "one", "--pass", "secret@1"];
    let Some(nats) = Nats::with(Folder::new(), &flags) else { return };
    let url = |user: &str| format!("tls://{user}@{}", nats.address());
    for (user, more) in [
        ("one:wrong", &["--nats-ca", &authority][..]),
        ("one:secret%401", &["--nats-ca", &other]),
        ("one:secret%401", &[]),
    ] {
        for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["work"]] {
            let run = folder.run(&[command, &["--nats", &url(user)], more].concat());
            assert_eq!(run.code, Some(4), "{user} {more:?}: {}", run.stderr);
            assert!(!run.stderr.contains("wrong") && !run.stderr.contains("secret"), "{}", run.stderr);
        }
    }
    let good = ["--nats-ca", authority.as_str()];
    let server = Server::start(&[&["--nats", url("one:secret%401").as_str()], &good[..]].concat());
    let _hand = Hand::at(&url("one:secret%401"), &good);
    let path = server.submit(&small());
    assert_eq!(answer(&server, &path), alone(&small()));
    assert_eq!(elsewhere(&server, &path, "done"), 4);
}

/// Claims, signed.
fn token(by: &KeyPair, about: &KeyPair, mut nats: Value) -> String {
    nats["version"] = json!(2);
    let claims = json!({
        "jti": "test", "iat": 1_700_000_000, "name": "test", "iss": by.public_key(), "sub": about.public_key(), "nats": nats,
    });
    let part = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
    let text = format!("{}.{}", part(&json!({"typ": "JWT", "alg": "ed25519-nkey"})), part(&claims));
    format!("{text}.{}", BASE64_URL_SAFE_NO_PAD.encode(by.sign(text.as_bytes()).unwrap()))
}

/// An account, what the server is told of it, and the credentials of a user of it in a file of this name.
fn account(operator: &KeyPair, folder: &Folder, name: &str) -> (KeyPair, String) {
    let (account, user) = (KeyPair::new_account(), KeyPair::new_user());
    let all = |keys: &[&str]| {
        keys.iter().map(|&key| (key.to_owned(), json!(-1))).collect::<serde_json::Map<_, _>>()
    };
    let mut limits = all(&["subs", "data", "payload", "imports", "exports", "conn", "leaf"]);
    limits.extend(all(&["mem_storage", "disk_storage", "streams", "consumer"]));
    limits.insert(String::from("wildcards"), json!(true));
    if name == "system" {
        limits.retain(|key, _| !key.ends_with("storage"));
    }
    let said = token(operator, &account, json!({"type": "account", "limits": limits}));
    let mut claims = Value::Object(all(&["subs", "data", "payload"]));
    claims["type"] = json!("user");
    let (claims, seed) = (token(&account, &user, claims), user.seed().unwrap());
    let file = format!(
        "-----BEGIN NATS USER JWT-----\n{claims}\n------END NATS USER JWT------\n\n\
         -----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
    );
    folder.write(name, file);
    (account, said)
}

#[test]
fn two_accounts_do_not_meet_under_one_name() {
    let (folder, operator) = (Folder::new(), KeyPair::new_operator());
    let accounts = ["system", "ours", "theirs"].map(|name| account(&operator, &folder, name));
    let known: Vec<String> =
        accounts.iter().map(|(key, said)| format!("{}: \"{said}\"", key.public_key())).collect();
    let config = format!(
        "operator: \"{}\"\nsystem_account: {}\nresolver: MEMORY\nresolver_preload: {{\n{}\n}}\n",
        token(&operator, &operator, json!({"type": "operator"})),
        accounts[0].0.public_key(),
        known.join("\n")
    );
    folder.write("config", config);
    let Some(nats) = Nats::with(Folder::new(), &["-c", &folder.file("config")]) else { return };
    let url = nats.url();
    let run = folder.run(&["work", "--nats", &url]);
    assert_eq!(run.code, Some(4), "who is nobody is turned away: {}", run.stderr);

    let (ours, theirs) = (folder.file("ours"), folder.file("theirs"));
    let server = Server::start(&["--nats", &url, "--nats-creds", &ours]);
    let path = server.submit(&small());
    let _theirs = Hand::at(&url, &["--nats-creds", &theirs]);
    // A worker is heard of at once.
    super::wait(&server, &path, "open", 4);
    std::thread::sleep(std::time::Duration::from_secs(1));
    assert_eq!((elsewhere(&server, &path, "done"), elsewhere(&server, &path, "workers")), (0, 0));
    let _ours = Hand::at(&url, &["--nats-creds", &ours]);
    assert_eq!(answer(&server, &path), alone(&small()));
    assert_eq!(elsewhere(&server, &path, "done"), 4);
}
