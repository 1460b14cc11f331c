#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use std::fs;

use super::*;

#[cfg(unix)]
#[test]
fn what_is_weak_about_a_passphrase_is_said() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    let secret = dir.path().join("secret");
    let weak = |text: &str, mode: u32| {
        fs::write(&secret, text).unwrap();
        fs::set_permissions(&secret, fs::Permissions::from_mode(mode)).unwrap();
        Seal::of(Some(&secret), Unsealed::Refused).unwrap().weak(Some(&secret))
    };
    let path = secret.display().to_string();
    assert_eq!(weak("a long passphrase\n", 0o600), []);
    assert_eq!(weak("a long passphrase\n", 0o640), [SealTold::OpenPassphrase { path }]);
    assert_eq!(weak("x\n", 0o400), [SealTold::ShortPassphrase { characters: 1 }]);
}

#[test]
fn a_passphrase_is_for_a_sealed_ledger() {
    let dir = tempfile::tempdir().unwrap();
    let secret = dir.path().join("secret");
    fs::write(&secret, "a passphrase\n").unwrap();
    let path = Path::new("l.json");
    let open = |file: Option<&Path>, unsealed: Unsealed, bytes: &[u8]| {
        let seal = Seal::of(file, unsealed).unwrap();
        seal.open(path, bytes).map_err(|why| (why.code(), why.to_string()))
    };
    let all = [Unsealed::Refused, Unsealed::NotYet, Unsealed::SealNow];
    for unsealed in all {
        assert_eq!(open(None, unsealed, b"plain").unwrap(), b"plain");
        assert!(open(None, unsealed, MARK).unwrap_err().1.contains("--passphrase-file"));
        for file in [None, Some(secret.as_path())] {
            let (code, why) = open(file, unsealed, ARMOUR).unwrap_err();
            assert!(code == 2 && why.contains("is sealed, in the text form"), "{why}");
        }
    }
    let with = |unsealed| open(Some(&secret), unsealed, b"plain");
    assert_eq!(with(Unsealed::SealNow).unwrap(), b"plain");
    let (code, why) = with(Unsealed::NotYet).unwrap_err();
    assert!(code == 2 && why.contains("is not sealed") && why.contains("--seal-now"), "{why}");
    let (code, why) = with(Unsealed::Refused).unwrap_err();
    assert!(code == 2 && why.contains("leave out --passphrase-file"), "{why}");
    let first = |unsealed, bytes| Seal::of(Some(&secret), unsealed).unwrap().first_time(path, bytes);
    assert!(first(Unsealed::SealNow, MARK).unwrap_err().to_string().contains("sealed already"));
    assert!(first(Unsealed::NotYet, MARK).is_ok() && first(Unsealed::SealNow, b"plain").is_ok());
}

/// A key pair in a file, as `age-keygen` writes it: the file and the public key.
fn keygen(dir: &Path, name: &str) -> (std::path::PathBuf, String) {
    use age::secrecy::ExposeSecret as _;
    let identity = age::x25519::Identity::generate();
    let (path, public) = (dir.join(name), identity.to_public().to_string());
    let secret = identity.to_string();
    let text =
        format!("# created: 2026-05-01T10:00:00Z\n# public key: {public}\n{}\n", secret.expose_secret());
    fs::write(&path, text).unwrap();
    (path, public)
}

/// The seal of who has this identity and knows these others.
fn seal(identity: &Path, others: &[&String]) -> Seal {
    let others: Vec<String> = others.iter().map(ToString::to_string).collect();
    let named = Named { identity: Some(identity), others: &others, ..Named::default() };
    Seal::named(named, Unsealed::NotYet).unwrap()
}

fn why(opened: Result<Vec<u8>, Failure>) -> String {
    let why = opened.unwrap_err();
    assert_eq!(why.code(), 2);
    why.to_string()
}

const TEXT: &[u8] = b"{\"ledger\": 1}";

#[test]
fn what_is_sealed_to_keys_is_opened_by_each_and_by_the_api_of_age() {
    let dir = tempfile::tempdir().unwrap();
    let (ann, ann_public) = keygen(dir.path(), "ann");
    let (bob, bob_public) = keygen(dir.path(), "bob");
    let (eve, _) = keygen(dir.path(), "eve");
    let path = Path::new("l.json");
    let sealed = seal(&ann, &[&bob_public]).close(TEXT.to_vec()).unwrap();
    assert!(is_sealed(&sealed));
    assert_eq!(seal(&ann, &[]).open(path, &sealed).unwrap(), TEXT);
    assert_eq!(seal(&bob, &[&ann_public]).open(path, &sealed).unwrap(), TEXT);
    assert!(why(seal(&eve, &[&ann_public]).open(path, &sealed)).contains("is not sealed to your key"));
    // By age alone, which knows nothing of who sealed.
    let text = fs::read_to_string(&bob).unwrap();
    let identity: age::x25519::Identity = text.lines().last().unwrap().parse().unwrap();
    assert_eq!(age::decrypt(&identity, &sealed).unwrap(), TEXT);
}

/// A public key lets anyone seal to it: that does not make a ledger of it.
#[test]
fn a_ledger_that_nobody_known_has_sealed_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let (ann, ann_public) = keygen(dir.path(), "ann");
    let (bob, bob_public) = keygen(dir.path(), "bob");
    let (eve, _) = keygen(dir.path(), "eve");
    let path = Path::new("l.json");
    // By age itself, to Ann's key, and by Eve with our program to Ann and Bob.
    let recipient: age::x25519::Recipient = ann_public.parse().unwrap();
    let plain = age::encrypt(&recipient, TEXT).unwrap();
    let forged = seal(&eve, &[&ann_public, &bob_public]).close(TEXT.to_vec()).unwrap();
    for bytes in [&plain, &forged] {
        for known in [seal(&ann, &[]), seal(&ann, &[&bob_public])] {
            assert!(why(known.open(path, bytes)).contains("not by you and not by anyone you named"));
            assert_eq!(known.open_of_anyone(path, bytes).unwrap(), TEXT, "its bytes are compared");
        }
    }
    // What Bob has sealed is Ann's to take where she names Bob, and only there.
    let bobs = seal(&bob, &[&ann_public]).close(TEXT.to_vec()).unwrap();
    assert_eq!(seal(&ann, &[&bob_public]).open(path, &bobs).unwrap(), TEXT);
    assert!(why(seal(&ann, &[]).open(path, &bobs)).contains("not by you"));
    // The part of the header that says who sealed, put into a file of Eve's, and any changed byte.
    let (head, forger) = (|bytes: &[u8]| bytes.windows(3).position(|at| at == b"---").unwrap(), &forged);
    let by = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(&bytes[..head(bytes)]).into_owned();
        let at = text.find("-> lookalike-sealed-by").unwrap();
        let end = text[at + 3..].find("-> ").map_or(text.len(), |end| at + 3 + end);
        text[at..end].to_owned()
    };
    let mixed = String::from_utf8_lossy(&forger[..head(forger)]).replace(&by(forger), &by(&bobs));
    let mixed = [mixed.as_bytes(), &forger[head(forger)..]].concat();
    assert_ne!(&mixed, forger);
    assert!(seal(&ann, &[&bob_public]).open(path, &mixed).is_err());
    for at in (0..bobs.len()).step_by(7) {
        let mut changed = bobs.clone();
        changed[at] ^= 1;
        let opened = seal(&ann, &[&bob_public]).open(path, &changed);
        assert!(opened.is_err() || opened.is_ok_and(|text| text == changed), "byte {at}");
    }
}

#[test]
fn passphrases_and_keys_are_told_from_each_other() {
    let dir = tempfile::tempdir().unwrap();
    let (ann, public) = keygen(dir.path(), "ann");
    let secret = dir.path().join("secret");
    fs::write(&secret, "a long passphrase\n").unwrap();
    let path = Path::new("l.json");
    let words = Seal::of(Some(&secret), Unsealed::NotYet).unwrap();
    let by_words = words.close(TEXT.to_vec()).unwrap();
    let by_keys = seal(&ann, &[]).close(TEXT.to_vec()).unwrap();
    assert!(why(seal(&ann, &[]).open(path, &by_words)).contains("is sealed with a passphrase, not to keys"));
    assert!(why(words.open(path, &by_keys)).contains("is sealed to keys, not with a passphrase"));
    assert!(why(seal(&ann, &[]).open(path, TEXT)).contains("is not sealed, though"));
    // More work than any of ours is not begun: the answer is there at once, whatever the passphrase.
    let text = String::from_utf8_lossy(&by_words).into_owned();
    let first = text.lines().nth(1).unwrap();
    let more = first.strip_suffix(" 18").unwrap().to_owned() + " 30";
    let at = by_words.windows(first.len()).position(|there| there == first.as_bytes()).unwrap();
    let hard = [&by_words[..at], more.as_bytes(), &by_words[at + first.len()..]].concat();
    assert!(why(words.open(path, &hard)).contains("2 to the power of 30; at most 20"));
    // What is not a key is named by its line, and a secret one is not repeated.
    let named = |identity: &Path, others: &[String]| {
        let named = Named { identity: Some(identity), others, ..Named::default() };
        Seal::named(named, Unsealed::NotYet).err().map(|why| why.to_string()).unwrap()
    };
    let file = dir.path().join("file");
    fs::write(&file, format!("# mine\n{public}\n")).unwrap();
    assert!(named(&file, &[]).contains("line 2 is not a secret key"));
    fs::write(&file, "# nothing\n").unwrap();
    assert!(named(&file, &[]).contains("holds no secret key"));
    assert!(named(&ann, &[String::from("age1short")]).contains("age1short is not a public key"));
    fs::write(&file, format!("{public}\nssh-ed25519 AAAA\n")).unwrap();
    assert!(named(&ann, &[file.display().to_string()]).contains("line 2 is not a public key"));
    let key = fs::read_to_string(&ann).unwrap().lines().last().unwrap().to_owned();
    let told = named(&ann, std::slice::from_ref(&key));
    assert!(told.contains("a secret key was given") && !told.contains(&key), "{told}");
    // A file of public keys is as good as the keys.
    fs::write(&file, format!("# Ann\n{public}\n")).unwrap();
    let (bob, _) = keygen(dir.path(), "bob");
    let bobs = seal(&bob, &[&file.display().to_string()]).close(TEXT.to_vec()).unwrap();
    assert_eq!(seal(&ann, &[]).open_of_anyone(path, &bobs).unwrap(), TEXT);
}
