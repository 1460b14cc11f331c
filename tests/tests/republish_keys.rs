//! Ledgers that are sealed to keys of age: who opens them, and whose are taken.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here is a failed test")]

use std::process::Command;

use lookalike_tests::{
    program::{Folder, Run},
    series::{FIRST, LATER, refused, republish, succeed},
    tables::patients,
};

/// Key pairs that `age-keygen` made for these tests.
const ANN: [&str; 2] = [
    "AGE-SECRET-KEY-10K9RTGC7WMMX2JLDC27TW5ZQKJX4F0X732RDFLQTQE60WG9H4TYQ69MVZ8",
    "age1chzq5pn92gplgs7d4sxeg4253zwdgyxsesk4aq6rllewmz6yg4fsjcc2hn",
];
const BOB: [&str; 2] = [
    "AGE-SECRET-KEY-1CVV85P8AJ74M2TL4PKNUTN3MNUP838GWM8RKKUAAYNKD8VQEK3ZQHTMGNX",
    "age1fx7g4qy4ypn0uhgct9yz9tr405jrs3vn8kddhsprmhgn2vh0m4csffwcap",
];
const EVE: [&str; 2] = [
    "AGE-SECRET-KEY-17GWATAJW272GUR9Z5WAP3QECLWLTXS964C0AUYWWDJLS9RYK6KYQ7SAJYW",
    "age1u8k56r74rkn8crdw86ahq4azmp7x78ejmsq79w5w5v8x3zfkmy4slhs600",
];

/// A folder with two tables and the files of all keys.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("1.csv", patients(60));
    folder.write("2.csv", patients(66));
    for (name, [secret, public]) in [("ann", ANN), ("bob", BOB), ("eve", EVE)] {
        folder.write(name, format!("# created: 2026-05-01T10:00:00Z\n# public key: {public}\n{secret}\n"));
    }
    folder
}

/// Flags of one who holds this key and names these others.
fn of(name: &str, others: &[[&str; 2]]) -> String {
    let named = others.iter().map(|[_, public]| format!(" --seal-to {public}")).collect::<Vec<_>>().concat();
    format!("--identity {name}{named}")
}

fn check(folder: &Folder, more: &str) -> Run {
    let line = format!("check r1.csv r2.csv --model tau-safety --m 3 --ledger ledger.json {more}");
    folder.run(&line.split_whitespace().collect::<Vec<_>>())
}

#[test]
fn two_holders_take_turns_with_a_ledger_that_is_sealed_to_both() {
    let folder = folder();
    let begin = succeed(&folder, "1.csv", "r1.csv", &format!("{FIRST} {}", of("ann", &[BOB])));
    #[cfg(unix)]
    assert!(begin.stderr.contains("ann can be read by other users"), "{}", begin.stderr);
    for file in ["ledger.json", "ledger.json.used"] {
        assert!(folder.read(file).starts_with(b"age-encryption.org/v1\n-> X25519 "), "{file}");
    }
    // The tools of age open it: for Bob, not for Eve.
    for (name, opens) in [("ann", true), ("bob", true), ("eve", false)] {
        match Command::new("age").args(["-d", "-i", &folder.file(name), &folder.file("ledger.json")]).output()
        {
            Ok(age) => {
                assert_eq!(age.status.success(), opens, "{age:?}");
                assert_eq!(age.stdout.starts_with(b"{\"do not publish\":"), opens);
            }
            Err(why) => eprintln!("skipped: no age ({why})"),
        }
    }
    let names = folder.names();
    let next = |flags: &str| republish(&folder, "2.csv", "r2.csv", &format!("{LATER} {flags}"));
    refused(&folder, &next(""), &names, 2, &["is sealed", "--identity"]);
    refused(&folder, &next(&of("eve", &[ANN])), &names, 2, &["is not sealed to your key"]);
    refused(&folder, &next(&of("bob", &[])), &names, 2, &["not by you and not by anyone you named"]);
    refused(
        &folder,
        &next("--passphrase-file ann"),
        &names,
        2,
        &["is sealed to keys, not with a passphrase"],
    );
    refused(&folder, &next("--identity ann --passphrase-file bob"), &names, 2, &["cannot be used with"]);
    refused(&folder, &next(&format!("--seal-to {}", BOB[1])), &names, 2, &["--identity"]);
    let leaked = next(&format!("--identity ann --seal-to {}", BOB[0]));
    refused(&folder, &leaked, &names, 2, &["a secret key was given"]);
    assert!(!leaked.stderr.contains(BOB[0]), "{}", leaked.stderr);
    // Bob goes on, and Ann judges.
    succeed(&folder, "2.csv", "r2.csv", &format!("{LATER} {}", of("bob", &[ANN])));
    let names = folder.names();
    refused(&folder, &check(&folder, ""), &names, 2, &["is sealed", "--identity"]);
    refused(&folder, &check(&folder, "--identity ann"), &names, 2, &["not by you", "--sealed-by"]);
    let judged = check(&folder, &format!("--identity ann --sealed-by {}", BOB[1]));
    assert_eq!(judged.code, Some(0), "{}", judged.stderr);
    folder.write("holders", format!("# both\n{}\n{}\n", ANN[1], BOB[1]));
    let judged = check(&folder, "--identity ann --sealed-by holders");
    assert_eq!(judged.code, Some(0), "{}", judged.stderr);
}

/// Eve knows both public keys and can write in the folder: whatever she seals to them is not taken for theirs.
#[test]
fn what_others_seal_to_a_public_key_is_not_taken() {
    let folder = folder();
    succeed(&folder, "1.csv", "r1.csv", &format!("{FIRST} {}", of("ann", &[BOB])));
    let (ledger, list) = (folder.read("ledger.json"), folder.read("ledger.json.used"));
    // A series of Eve's, with the same people and columns, sealed to Ann and Bob.
    let eves = Folder::new();
    for name in ["1.csv", "eve"] {
        eves.write(name, folder.read(name));
    }
    succeed(
        &eves,
        "1.csv",
        "r1.csv",
        &format!("{} {}", FIRST.replace("--seed 1", "--seed 9"), of("eve", &[ANN, BOB])),
    );
    let next = || republish(&folder, "2.csv", "r2.csv", &format!("{LATER} {}", of("ann", &[BOB])));
    let names = folder.names();
    folder.write("ledger.json", eves.read("ledger.json"));
    refused(&folder, &next(), &names, 2, &["ledger.json is sealed to your key, but not by you"]);
    folder.write("ledger.json", &ledger);
    folder.write("ledger.json.used", eves.read("ledger.json.used"));
    let forged = ["is not the list of used states that was sealed", "--previous"];
    refused(&folder, &next(), &names, 2, &forged);
    // An empty list, sealed by the tools of age to Ann's key.
    folder.write("empty", "series x\n");
    let (list_file, empty) = (folder.file("ledger.json.used"), folder.file("empty"));
    match Command::new("age").args(["-r", ANN[1], "-o", &list_file, &empty]).status() {
        Ok(status) => {
            assert!(status.success());
            refused(&folder, &next(), &folder.names(), 2, &forged);
        }
        Err(why) => eprintln!("skipped: no age ({why})"),
    }
    // One that is held beside the ledger, as after an interruption.
    folder.write("ledger.json.used", &list);
    folder.write("ledger.json.pending", eves.read("ledger.json"));
    let recover = republish(&folder, "2.csv", "r1.csv", &format!("{LATER} --recover {}", of("ann", &[BOB])));
    assert_eq!(recover.code, Some(2), "{}", recover.stderr);
    assert!(
        recover.stderr.contains("ledger.json.pending is sealed to your key, but not by you"),
        "{}",
        recover.stderr
    );
    assert_eq!(folder.read("ledger.json"), ledger);
}

#[test]
fn a_ledger_in_the_open_is_sealed_to_keys_by_seal_now_alone_and_its_manifest_knows_it() {
    let folder = folder();
    succeed(&folder, "1.csv", "r1.csv", FIRST);
    let names = folder.names();
    let next = |more: &str| {
        let flags = format!("{LATER} {} --manifest manifest.json {more}", of("ann", &[]));
        republish(&folder, "2.csv", "r2.csv", &flags)
    };
    refused(&folder, &next(""), &names, 2, &["ledger.json is not sealed", "--seal-now"]);
    let sealed = next("--seal-now");
    assert_eq!(sealed.code, Some(0), "{}", sealed.stderr);
    assert!(folder.read("ledger.json").starts_with(b"age-encryption.org/v1\n"));
    let verify = |more: &[&str]| {
        let run = folder.run(&[&["verify", "manifest.json"], more].concat());
        (run.code, String::from_utf8(run.stdout).unwrap(), run.stderr)
    };
    let (code, said, _) = verify(&[]);
    assert!(code == Some(0) && said.contains("ledger.json, the ledger, is sealed"), "{said}");
    let (code, said, _) = verify(&["--identity", "ann"]);
    assert!(
        code == Some(0) && said.contains("ledger.json is the ledger of this run, byte for byte"),
        "{said}"
    );
    let (code, _, why) = verify(&["--identity", "eve"]);
    assert!(code == Some(2) && why.contains("is not sealed to your key"), "{why}");
}
