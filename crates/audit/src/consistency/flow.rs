//! A perfect matching of original and published rows: a flow between combinations (Dinic 1970).

/// Not reached.
const FAR: u32 = u32::MAX;

/// A step of an augmenting path: the place of an edge at an original, or of a way back at a published combination.
#[derive(Clone, Copy)]
enum Step {
    Forward(usize, usize),
    Back(usize, usize),
}

/// How many rows of each original combination are matched with rows of each published one.
pub(super) struct Flow<'a> {
    edges: &'a [Vec<u32>],
    /// Rows along each edge.
    along: Vec<Vec<usize>>,
    /// Per published combination the edges that lead to it: original and place.
    back: Vec<Vec<(u32, u32)>>,
    supply: Vec<usize>,
    demand: Vec<usize>,
    /// Steps from an unmatched original, of originals and of published combinations.
    level: [Vec<u32>; 2],
    /// The next edge to try.
    next: [Vec<usize>; 2],
}

impl<'a> Flow<'a> {
    /// A matching of all rows; `None` if there is none.
    pub(super) fn perfect(edges: &'a [Vec<u32>], original: &[usize], published: &[usize]) -> Option<Self> {
        if original.iter().sum::<usize>() != published.iter().sum::<usize>() {
            return None;
        }
        let mut back = vec![Vec::new(); published.len()];
        for (o, edges) in edges.iter().enumerate() {
            for (at, &p) in edges.iter().enumerate() {
                back[p as usize].push((o as u32, at as u32));
            }
        }
        let mut flow = Self {
            edges,
            along: edges.iter().map(|edges| vec![0; edges.len()]).collect(),
            back,
            supply: original.to_vec(),
            demand: published.to_vec(),
            level: [Vec::new(), Vec::new()],
            next: [Vec::new(), Vec::new()],
        };
        while flow.levels() {
            flow.next = [vec![0; original.len()], vec![0; published.len()]];
            for o in 0..original.len() {
                flow.push(o);
            }
        }
        flow.supply.iter().all(|&left| left == 0).then_some(flow)
    }

    /// The originals that are matched with a published combination.
    pub(super) fn sources(&self, published: usize) -> Vec<u32> {
        let matched = self.back[published].iter().filter(|(o, at)| self.along[*o as usize][*at as usize] > 0);
        matched.map(|(o, _)| *o).collect()
    }

    /// Breadth first from all originals with unmatched rows; whether an unmatched published row is reached.
    fn levels(&mut self) -> bool {
        let mut level = [vec![FAR; self.supply.len()], vec![FAR; self.demand.len()]];
        let mut wave: Vec<usize> = (0..self.supply.len()).filter(|&o| self.supply[o] > 0).collect();
        for &o in &wave {
            level[0][o] = 0;
        }
        let (mut depth, mut found) = (0, false);
        while !wave.is_empty() && !found {
            let mut reached = Vec::new();
            for &p in wave.iter().flat_map(|&o| &self.edges[o]) {
                let p = p as usize;
                if level[1][p] == FAR {
                    level[1][p] = depth + 1;
                    reached.push(p);
                    found |= self.demand[p] > 0;
                }
            }
            wave = Vec::new();
            for &(o, at) in reached.iter().flat_map(|&p| &self.back[p]) {
                let (o, at) = (o as usize, at as usize);
                if level[0][o] == FAR && self.along[o][at] > 0 {
                    level[0][o] = depth + 2;
                    wave.push(o);
                }
            }
            depth += 2;
        }
        self.level = level;
        found
    }

    /// Matches rows of `root` along paths of rising level, as many as these allow.
    fn push(&mut self, root: usize) {
        let mut path: Vec<Step> = Vec::new();
        // Where the path ends: at an original, or at a published combination.
        let (mut at_original, mut node) = (true, root);
        while self.supply[root] > 0 {
            if at_original {
                let level = self.level[0][node].saturating_add(1);
                let from = self.next[0][node];
                let onward = (from..self.edges[node].len())
                    .find(|&e| self.level[1][self.edges[node][e] as usize] == level);
                self.next[0][node] = onward.unwrap_or(self.edges[node].len());
                if let Some(e) = onward {
                    path.push(Step::Forward(node, e));
                    (at_original, node) = (false, self.edges[node][e] as usize);
                } else if let Some(Step::Back(p, b)) = path.pop() {
                    self.next[1][p] = b + 1;
                    (at_original, node) = (false, p);
                } else {
                    return;
                }
                continue;
            }
            if self.demand[node] > 0 {
                self.augment(root, node, &path);
                path.clear();
                (at_original, node) = (true, root);
                continue;
            }
            let level = self.level[1][node].saturating_add(1);
            let from = self.next[1][node];
            let onward = (from..self.back[node].len()).find(|&b| {
                let (o, e) = self.back[node][b];
                self.level[0][o as usize] == level && self.along[o as usize][e as usize] > 0
            });
            self.next[1][node] = onward.unwrap_or(self.back[node].len());
            if let Some(b) = onward {
                path.push(Step::Back(node, b));
                (at_original, node) = (true, self.back[node][b].0 as usize);
            } else if let Some(Step::Forward(o, e)) = path.pop() {
                self.next[0][o] = e + 1;
                (at_original, node) = (true, o);
            } else {
                return;
            }
        }
    }

    /// Moves as many rows as the path from `root` to `end` allows.
    fn augment(&mut self, root: usize, end: usize, path: &[Step]) {
        let room = |step: &Step| match *step {
            Step::Forward(..) => usize::MAX,
            Step::Back(p, b) => {
                let (o, e) = self.back[p][b];
                self.along[o as usize][e as usize]
            }
        };
        let least = path.iter().map(room).min().unwrap_or(usize::MAX);
        let rows = least.min(self.supply[root]).min(self.demand[end]);
        for step in path {
            match *step {
                Step::Forward(o, e) => self.along[o][e] += rows,
                Step::Back(p, b) => {
                    let (o, e) = self.back[p][b];
                    self.along[o as usize][e as usize] -= rows;
                }
            }
        }
        self.supply[root] -= rows;
        self.demand[end] -= rows;
    }
}
