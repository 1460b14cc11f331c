//! Certificates for localhost, by OpenSSL's program.

use std::process::Command;

use crate::program::Folder;

/// A self-signed certificate and its key; `None`, visibly, without OpenSSL's program.
pub fn self_signed(folder: &Folder) -> Option<(String, String)> {
    let names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
    make(folder, "self", &names)
}

/// A certificate and its key, and the certificate of the authority that vouches for it; `None`, visibly, without OpenSSL's
/// program.
pub fn vouched_for(folder: &Folder) -> Option<(String, String, String)> {
    let (authority, its_key) = make(folder, "authority", &["-subj", "/CN=authority"])?;
    let names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
    let signed = ["-addext", "basicConstraints=CA:FALSE", "-CA", &authority, "-CAkey", &its_key];
    let (certificate, key) = make(folder, "server", &[&names[..], &signed].concat())?;
    Some((certificate, key, authority))
}

fn make(folder: &Folder, name: &str, flags: &[&str]) -> Option<(String, String)> {
    let (certificate, key) =
        (folder.file(&format!("{name}-certificate.pem")), folder.file(&format!("{name}-key.pem")));
    let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
    let made = Command::new("openssl")
        .args(["req", "-x509", "-nodes", "-days", "2"])
        .args(curve)
        .args(flags)
        .args(["-keyout", &key, "-out", &certificate])
        .output();
    match made {
        Ok(output) if output.status.success() => Some((certificate, key)),
        Ok(output) => panic!("{}", String::from_utf8_lossy(&output.stderr)),
        Err(why) => {
            eprintln!("skipped: openssl makes no certificate ({why})");
            None
        }
    }
}
