//! Hosts in network namespaces of their own, and cables that are pulled out.

use std::{process::Command, thread, time::Duration};

use lookalike_tests::{
    nats::{Hand, Nats},
    program::Folder,
};

use super::{BLOCKS, alone, answer, coordinator, elsewhere, in_blocks, is_empty, wait};

/// A bridge here, and hosts on it; removed when dropped.
struct Network {
    name: String,
    /// The first three parts of its addresses, which are for benchmarks (RFC 2544) and used by nobody else.
    addresses: String,
    hosts: Vec<String>,
}

fn ip(args: &str) -> Result<(), String> {
    let run = Command::new("ip").args(args.split(' ')).output().map_err(|e| e.to_string())?;
    if run.status.success() {
        return Ok(());
    }
    Err(format!("ip {args}: {}", String::from_utf8_lossy(&run.stderr).trim()))
}

impl Network {
    /// A network with so many hosts; `None`, visibly, where none may be made.
    fn new(hosts: usize) -> Option<Self> {
        let id = std::process::id();
        let (name, addresses) = (format!("lk{id}"), format!("198.18.{}", id % 250));
        let mut network = Self { name, addresses, hosts: Vec::new() };
        match network.make(hosts) {
            Ok(()) => Some(network),
            Err(why) => {
                eprintln!("skipped: no network of namespaces can be made ({why})");
                None
            }
        }
    }

    fn make(&mut self, hosts: usize) -> Result<(), String> {
        let bridge = self.name.clone();
        ip(&format!("link add {bridge} type bridge"))?;
        ip(&format!("addr add {}/24 dev {bridge}", self.address(0)))?;
        ip(&format!("link set {bridge} up"))?;
        for number in 1..=hosts {
            let (host, cable) = (format!("{bridge}h{number}"), format!("{bridge}c{number}"));
            ip(&format!("netns add {host}"))?;
            self.hosts.push(host.clone());
            ip(&format!("link add {cable} type veth peer name eth0 netns {host}"))?;
            ip(&format!("link set {cable} master {bridge} up"))?;
            ip(&format!("-n {host} addr add {}/24 dev eth0", self.address(number)))?;
            ip(&format!("-n {host} link set lo up"))?;
            ip(&format!("-n {host} link set eth0 up"))?;
        }
        Ok(())
    }

    /// The address of a host; this machine is 0.
    fn address(&self, host: usize) -> String {
        format!("{}.{}", self.addresses, host + 1)
    }

    /// What runs a command on a host.
    fn on(&self, host: usize) -> [&str; 4] {
        ["ip", "netns", "exec", &self.hosts[host - 1]]
    }

    /// Pulls a host's cable out, or puts it in again.
    fn cable(&self, host: usize, state: &str) {
        ip(&format!("link set {}c{host} {state}", self.name)).unwrap();
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for host in &self.hosts {
            let _ = ip(&format!("netns del {host}"));
        }
        let _ = ip(&format!("link del {}", self.name));
    }
}

/// Runs of the job until the queue was cut off in the middle of one: a busy machine may pull the cable when all is done.
const ATTEMPTS: usize = 5;

#[test]
fn hosts_that_are_cut_off_change_nothing() {
    let Some(network) = Network::new(3) else { return };
    let Some(nats) = Nats::at(&network.address(3), &network.on(3), Folder::new(), &[]) else { return };
    let job = in_blocks();
    let server = coordinator(&nats, &["--nats-plain"]);
    let _hands =
        [1, 2].map(|host| Hand::within(&network.on(host), &nats.url(), &["--ack-wait", "2", "--nats-plain"]));
    let alone = alone(&job);
    let cut_off = || {
        let path = server.submit(&job);
        wait(&server, &path, "done", 2);
        // One worker: the other one goes on.
        network.cable(1, "down");
        wait(&server, &path, "done", 7);
        network.cable(1, "up");
        network.cable(2, "down");
        wait(&server, &path, "done", 11);
        network.cable(2, "up");
        // The queue itself, from everybody.
        wait(&server, &path, "done", 14);
        network.cable(3, "down");
        thread::sleep(Duration::from_secs(3));
        let before = elsewhere(&server, &path, "done");
        network.cable(3, "up");
        wait(&server, &path, "done", (before + 1).min(BLOCKS));
        assert_eq!(answer(&server, &path), alone);
        assert_eq!(elsewhere(&server, &path, "done"), BLOCKS, "none is lost, none is counted twice");
        is_empty(&nats, "lookalike");
        before < BLOCKS
    };
    assert!((0..ATTEMPTS).any(|_| cut_off()), "the queue was never cut off in time");
}
