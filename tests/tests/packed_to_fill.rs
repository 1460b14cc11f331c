//! Files that are packed to fill the memory: small as they come, and large as they are unpacked.
#![cfg(test)]
#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use std::io::{Cursor, Write as _};

use lookalike_tests::program::Folder;

/// Rows of a table that are all alike: 3 MB of them.
fn rows() -> Vec<u8> {
    let mut text = b"age,sex\n".to_vec();
    while text.len() < 3 << 20 {
        text.extend_from_slice(b"20,F\n21,M\n");
    }
    text
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// The sizes in an archive's directory and before its member, made to say that there are 100 bytes.
fn lying(mut archive: Vec<u8>) -> Vec<u8> {
    let (local, directory) = (&b"PK\x03\x04"[..], &b"PK\x01\x02"[..]);
    for (mark, at) in [(local, 22), (directory, 24)] {
        let place = archive.windows(4).rposition(|four| four == mark).unwrap() + at;
        archive[place..place + 4].copy_from_slice(&100_u32.to_le_bytes());
    }
    archive
}

#[test]
fn what_is_packed_to_fill_the_memory_is_refused_with_what_to_do() {
    let text = rows();
    let mut typed = b"PAR1".to_vec();
    typed.resize(3 << 20, 0);
    let bombs = [
        ("gz", gzip(&text)),
        ("zip", zip(&[("a.csv", &text)])),
        ("lying.zip", lying(zip(&[("a.csv", &text)]))),
        ("xlsx", zip(&[("xl/workbook.xml", b"<workbook/>"), ("xl/worksheets/sheet1.xml", &text)])),
        ("parquet.gz", gzip(&typed)),
    ];
    let folder = Folder::new();
    for (ending, bytes) in &bombs {
        assert!(bytes.len() < 20_000, "{ending}: {}", bytes.len());
        let name = format!("in.{ending}");
        folder.write(&name, bytes);
        let flags = "--quasi age,sex --model k-anonymity --k 2 --effort 0 --max-unpacked-mb 1 -o out.csv";
        let mut args = vec!["anonymize", &name];
        args.extend(flags.split_whitespace());
        let run = folder.run(&args);
        assert_eq!(run.code, Some(2), "{ending}: {}", run.stderr);
        if *ending == "lying.zip" {
            // Whichever is noticed first: the lie, or what is unpacked.
            assert!(run.stderr.contains(&name) || run.stderr.contains("ZIP"), "{}", run.stderr);
            continue;
        }
        for said in [&*name, "unpacks to more than 1,048,576 bytes", "--max-unpacked-mb 2"] {
            assert!(run.stderr.contains(said), "{ending}: {said} is not in {}", run.stderr);
        }
        assert!(!folder.names().contains(&String::from("out.csv")), "{ending}");
    }
    // A person who knows the file allows it: it holds a table.
    let check = |most| {
        folder.run(
            &format!("check in.gz --quasi age,sex --model k-anonymity --k 2 --max-unpacked-mb {most}")
                .split(' ')
                .collect::<Vec<_>>(),
        )
    };
    let run = check(4);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let run = check(1);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
}
