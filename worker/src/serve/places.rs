//! Places for connections: of one address only some, and when all are taken, whose place is given up for another.
//!
//! Before a token is known anybody is a stranger, and strangers may come from many addresses. A connection over which no request with a
//! valid token came is the first to go: of these the one that came first, be it in its place or still on its way there. So a flood of
//! strangers pushes out itself, and a client with a token has as long to show it as it takes to fill all places anew; once it has, its
//! place is its own.

use std::{
    collections::{BTreeMap, HashMap, hash_map::Entry},
    future::poll_fn,
    net::{IpAddr, SocketAddr},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Waker},
    time::Duration,
};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

/// Until a connection whose place is given up has left it.
const HANDOVER: Duration = Duration::from_secs(5);

/// Places for connections, of which one address has only some.
#[derive(Clone)]
pub(crate) struct Places {
    all: Arc<Semaphore>,
    each: usize,
    taken: Arc<Mutex<Taken>>,
}

/// Who has a place.
#[derive(Default)]
struct Taken {
    /// How many an address has.
    addresses: HashMap<IpAddr, usize>,
    /// Those over which no request with a valid token came, by the order in which they came, with those that wait for a place.
    strangers: BTreeMap<u64, Arc<Seat>>,
    /// Where strangers come from.
    peers: HashMap<SocketAddr, u64>,
    /// The number of the next one.
    next: u64,
}

/// What is told to a connection about its place.
#[derive(Default)]
struct Seat {
    given_up: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

/// A place, until it is dropped.
pub(crate) struct Place {
    _one: OwnedSemaphorePermit,
    /// Dropped after the permit: a connection that waits for the place is at another address, or below its limit.
    _counted: Counted,
    known: Known,
}

/// A connection that is in its place or waits for it.
struct Known {
    seat: Arc<Seat>,
    number: u64,
    peer: Option<SocketAddr>,
    taken: Arc<Mutex<Taken>>,
}

/// One of an address's places.
struct Counted {
    address: Option<IpAddr>,
    taken: Arc<Mutex<Taken>>,
}

impl Places {
    /// So many, and so many for each address.
    pub(crate) fn new(count: usize, each: usize) -> Self {
        Self { all: Arc::new(Semaphore::new(count)), each, taken: Arc::default() }
    }

    /// A place for a connection from this address, if there is one or a stranger gives up its own.
    pub(crate) async fn take(&self, peer: Option<SocketAddr>) -> Option<Place> {
        let counted = self.count(peer)?;
        let free = Arc::clone(&self.all).try_acquire_owned().ok();
        if free.is_none() && !self.give_one_up() {
            tracing::warn!("too many connections: one is refused");
            return None;
        }
        // From here on it may be pushed out itself; who comes next then has the place that was given up for it.
        let known = self.come(peer);
        let one = if let Some(one) = free {
            one
        } else {
            tokio::select! {
                one = timeout(HANDOVER, Arc::clone(&self.all).acquire_owned()) => one.ok()?.ok()?,
                () = poll_fn(|cx| known.seat.poll_given_up(cx)) => return None,
            }
        };
        Some(Place { _one: one, _counted: counted, known })
    }

    /// A stranger, as everybody is at first.
    fn come(&self, peer: Option<SocketAddr>) -> Known {
        let seat = Arc::new(Seat::default());
        let mut taken = lock(&self.taken);
        let number = taken.next;
        taken.next += 1;
        taken.strangers.insert(number, Arc::clone(&seat));
        taken.peers.extend(peer.map(|peer| (peer, number)));
        drop(taken);
        Known { seat, number, peer, taken: Arc::clone(&self.taken) }
    }

    /// A request with a valid token came from here: the connection keeps its place.
    pub(crate) fn trust(&self, peer: SocketAddr) {
        let mut taken = lock(&self.taken);
        if let Some(number) = taken.peers.remove(&peer) {
            taken.strangers.remove(&number);
        }
    }

    /// One place of this address, if it has not all of its own. The same client may come by either kind of address.
    fn count(&self, peer: Option<SocketAddr>) -> Option<Counted> {
        let address = peer.map(|peer| peer.ip().to_canonical());
        if let Some(address) = address {
            let mut taken = lock(&self.taken);
            let count = taken.addresses.entry(address).or_insert(0);
            if *count >= self.each {
                tracing::warn!(%address, "too many connections from one address: one is refused");
                return None;
            }
            *count += 1;
        }
        Some(Counted { address, taken: Arc::clone(&self.taken) })
    }

    /// The stranger that came first is to go; whether there is one.
    fn give_one_up(&self) -> bool {
        let Some((_, seat)) = lock(&self.taken).strangers.pop_first() else { return false };
        tracing::warn!("too many connections: one without a token is closed for another");
        seat.given_up.store(true, Ordering::Release);
        let waker = lock(&seat.waker).take();
        waker.into_iter().for_each(Waker::wake);
        true
    }
}

impl Place {
    /// Ready once the place is given up; until then the task is woken when it is.
    pub(crate) fn poll_given_up(&self, cx: &Context) -> Poll<()> {
        self.known.seat.poll_given_up(cx)
    }
}

impl Seat {
    fn poll_given_up(&self, cx: &Context) -> Poll<()> {
        if self.given_up.load(Ordering::Acquire) {
            return Poll::Ready(());
        }
        let mut waker = lock(&self.waker);
        match &*waker {
            Some(known) if known.will_wake(cx.waker()) => {}
            _ => *waker = Some(cx.waker().clone()),
        }
        drop(waker);
        // It may have been given up before the waker was there.
        if self.given_up.load(Ordering::Acquire) { Poll::Ready(()) } else { Poll::Pending }
    }
}

impl Drop for Known {
    fn drop(&mut self) {
        let mut taken = lock(&self.taken);
        taken.strangers.remove(&self.number);
        if let Some(peer) = self.peer
            && taken.peers.get(&peer) == Some(&self.number)
        {
            taken.peers.remove(&peer);
        }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let Some(address) = self.address else { return };
        if let Entry::Occupied(mut count) = lock(&self.taken).addresses.entry(address) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(n: u8, port: u16) -> SocketAddr {
        SocketAddr::from(([10, 0, 0, n], port))
    }

    /// A connection that leaves its place when it is told to.
    fn leaves(place: Place) -> tokio::task::JoinHandle<()> {
        tokio::spawn(async move { poll_fn(|cx| place.poll_given_up(cx)).await })
    }

    #[tokio::test]
    async fn the_stranger_that_came_first_gives_up_its_place_and_one_with_a_token_keeps_it() {
        let places = Places::new(3, 3);
        let known = places.take(Some(peer(1, 1))).await.unwrap();
        places.trust(peer(1, 1));
        let first = leaves(places.take(Some(peer(2, 1))).await.unwrap());
        let second = places.take(Some(peer(3, 1))).await.unwrap();
        let third = places.take(Some(peer(4, 1))).await.unwrap();
        first.await.unwrap();
        let is_given_up = |place: &Place| {
            let cx = Context::from_waker(Waker::noop());
            place.poll_given_up(&cx).is_ready()
        };
        assert!(!is_given_up(&known) && !is_given_up(&second) && !is_given_up(&third));
        // Only those with a token are left: one more is refused, at once.
        places.trust(peer(3, 1));
        places.trust(peer(4, 1));
        assert!(places.take(Some(peer(5, 1))).await.is_none());
        drop(second);
        assert!(places.take(Some(peer(5, 1))).await.is_some(), "there is room again");
        assert!(!is_given_up(&known));
    }

    /// Those whose places are given up take their time: who comes meanwhile pushes out who waits, and is not refused.
    #[tokio::test]
    async fn a_stranger_that_waits_for_its_place_gives_it_up_to_the_next() {
        let places = Places::new(2, 9);
        let known = places.take(Some(peer(1, 1))).await.unwrap();
        places.trust(peer(1, 1));
        let slow = places.take(Some(peer(2, 1))).await.unwrap();
        let mut waiting = Box::pin(places.take(Some(peer(3, 1))));
        let mut next = Box::pin(places.take(Some(peer(4, 1))));
        let mut cx = Context::from_waker(Waker::noop());
        assert!(waiting.as_mut().poll(&mut cx).is_pending());
        assert!(slow.poll_given_up(&cx).is_ready());
        assert!(next.as_mut().poll(&mut cx).is_pending(), "not refused");
        assert!(matches!(waiting.as_mut().poll(&mut cx), Poll::Ready(None)), "pushed out while it waited");
        drop(slow);
        let came = next.await.unwrap();
        assert!(came.poll_given_up(&cx).is_pending());
        let taken = lock(&places.taken);
        assert_eq!((taken.peers.len(), taken.strangers.len()), (1, 1));
        drop(taken);
        drop(known);
    }

    #[tokio::test]
    async fn an_address_at_its_limit_pushes_out_nobody() {
        let places = Places::new(4, 2);
        let all = [places.take(Some(peer(1, 1))).await, places.take(Some(peer(1, 2))).await];
        let other = places.take(Some(peer(2, 1))).await.unwrap();
        assert!(places.take(Some(peer(1, 3))).await.is_none());
        // The same address in its other form.
        let mapped = SocketAddr::new("::ffff:10.0.0.1".parse().unwrap(), 4);
        assert!(places.take(Some(mapped)).await.is_none());
        assert!(other.poll_given_up(&Context::from_waker(Waker::noop())).is_pending());
        drop(all);
        assert!(places.take(Some(peer(1, 3))).await.is_some());
        let taken = lock(&places.taken);
        assert_eq!((taken.peers.len(), taken.strangers.len()), (1, 1), "the other alone");
    }
}
