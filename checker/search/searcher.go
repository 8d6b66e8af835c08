package search

import (
	"contend/checker/search/absorb"
	"contend/checker/search/fingerprint"
	"contend/checker/search/frontier"
	"contend/checker/search/invariants"
	"contend/checker/search/step"
	"contend/checker/search/suspect"
	"contend/checker/search/symmetry"
	"contend/checker/search/visited"
	"contend/model"
)

// A searcher is a worker of a search, with its findings of the present layer.
type searcher struct {
	*step.Worker
	x          *explorer
	number     int // among the workers
	asked      *invariants.Asker
	names      names
	orbits     *symmetry.Orbits // nil without symmetry
	absorption *absorb.Cleaner  // nil without absorption

	next    frontier.Part // new states
	loaded  frontier.Buffer
	batch   []visited.Lookup  // successors to look up; many at once hide the latency of memory
	vectors []uint32          // back to back
	drafts  []step.Draft      // of successors that are not made yet, by index in the batch
	made    []uint32          // the successor that is being made
	present fingerprint.Print // the key of the expanded state
	tag     uint32
	rooted  bool                // the initial states are being made
	recent  []fingerprint.Print // recently met successors, which need no lookup

	transitions int64 // since the last batch
	witnessed   []bool
	cutStates   []int64
	locks       int64 // states in which time cannot advance
	candidates  []suspect.Suspect
	costs       []suspect.Extremes // by claim; empty without costs
	finals      []fingerprint.Print
	failure     any // a panic
}

// recently is the number of successors in searcher.recent. Zeros mean none: a zero fingerprint is as unlikely as two
// equal ones.
const recently = 1 << 12

// rootTag is the tag of initial states, which have no parent.
const rootTag = 1<<31 - 1

func newSearcher(x *explorer, number int) *searcher {
	w, most := step.NewWorker(x.Engine), x.notes.batch()
	s := &searcher{Worker: w, x: x, number: number, names: sums{w}, batch: make([]visited.Lookup, 0, most), drafts: make([]step.Draft, 0, most)}
	for _, r := range x.reductions {
		r.equip(s)
	}
	s.next = frontier.NewPart(&x.held)
	s.asked = invariants.New(w, s.orbits, x.claims)
	s.witnessed = make([]bool, len(x.claims))
	s.cutStates = make([]int64, len(x.Sys.Cuts))
	s.costs = newExtremes(x.claims)
	s.Emit, s.Fail = s.found, s.failed
	s.recent = make([]fingerprint.Print, recently)
	return s
}

// begin makes the initial states.
func (s *searcher) begin() {
	s.rooted, s.tag = true, rootTag
	if s.x.opt.From != nil {
		r := s.x.taker.Beginning()
		s.Move, s.Sum = step.Move{}, s.PrintOfState(r.V)
		s.Emit(r.V)
	} else {
		s.Initial()
	}
	s.flush()
	s.x.generated.Store(0) // they take no step
	s.rooted = false
	s.each(func(key fingerprint.Print, _ []uint32) { s.x.roots = append(s.x.roots, key) })
}

// each calls do for each state that was found in the layer so far.
func (s *searcher) each(do func(key fingerprint.Print, v []uint32)) {
	must(s.next.Each(&s.loaded, func(key fingerprint.Print, v []uint32) error { do(key, v); return nil }))
}

// expandChunk expands the states of a chunk.
func (s *searcher) expandChunk(c frontier.Chunk) {
	for i := 0; len(c) > 0 && !s.x.stop.Load(); i++ {
		var v []uint32
		s.present, v, c = c.Next()
		s.tag = visited.Tag(s.present.A)
		s.expandState(v, s.names.sum(v, s.present))
		switch {
		case i&63 == 0 && s == s.x.workers[0]:
			s.x.look()
		case i&15 == 0:
			s.x.glance()
		}
	}
}

// expandState expands a state with a sum.
func (s *searcher) expandState(v []uint32, sum fingerprint.Print) {
	s.Expand(v, sum)
	if s.Cuts != 0 {
		for k := range s.cutStates {
			s.cutStates[k] += int64(s.Cuts >> k & 1)
		}
	}
	locked := false
	if !s.Movable && len(s.Withheld) == 0 {
		switch locked = s.MustMove(v); {
		case locked:
			s.locks++
		case !s.Repairs:
			s.stopped(v)
		}
	}
	s.x.notes.expanded(s, locked)
	s.x.observer.expanded(locked)
}

// stopped judges a state in which only the environment can move.
func (s *searcher) stopped(v []uint32) {
	if s.x.opt.Histories > 0 {
		s.finals = append(s.finals, s.present)
	}
	done := s.Done(v)
	if done {
		s.total(v)
	}
	for i, c := range s.x.claims {
		if c.Done && c.Kind == model.Always {
			if s.witnessed[i] = true; done {
				continue
			}
			s.suspect(suspect.Suspect{Claim: i, Text: "nothing can happen any more, but a script is not done", Key: s.present})
		}
	}
}

// found is called for each successor.
func (s *searcher) found(v []uint32) {
	s.transitions++
	if s.Move.Witness != 0 || len(s.Move.Broken) > 0 {
		s.report()
	}
	if s.metLately(s.Sum) {
		return
	}
	key := s.names.key(v, s.Sum)
	s.vectors = append(s.vectors, v...)
	s.queue(key).State = nil
	if len(s.batch) == cap(s.batch) {
		s.flush()
	}
}

// sketched is called for each successor that is not made yet.
func (s *searcher) sketched(d step.Draft) {
	s.transitions++
	if s.metLately(s.Sum) {
		return
	}
	*s.queue(s.Sum) = d
	if len(s.batch) == cap(s.batch) {
		s.flush()
	}
}

// queue adds a lookup to the batch, and returns the place for its draft. Both are written in place: a copy would
// wait for the store.
func (s *searcher) queue(key fingerprint.Print) *step.Draft {
	n := len(s.batch)
	s.batch, s.drafts = s.batch[:n+1], s.drafts[:n+1]
	s.batch[n].Begin(s.x.set.Stored(key), s.tag, uint32(len(s.vectors)))
	return &s.drafts[n]
}

// metLately reports whether a successor was met recently and needs no note.
func (s *searcher) metLately(key fingerprint.Print) bool {
	if !s.x.dropsRecent {
		return false
	}
	r := &s.recent[key.A%recently]
	if r.A == key.A && (!s.x.opt.Wide || r.B == key.B) {
		return true
	}
	*r = key
	return false
}

// flush looks up the batch, and keeps the new states.
func (s *searcher) flush() {
	must(s.x.set.Room(len(s.batch)))
	s.count(s.insert())
	begin := uint32(0)
	for i := range s.batch {
		l := &s.batch[i]
		if l.Fresh {
			v := s.vectors[begin:l.End]
			if d := &s.drafts[i]; d.State != nil { // not made yet
				s.made = d.Make(s.made)
				v = s.made
			}
			s.keep(l.Print, v)
		}
		begin = l.End
	}
	s.batch, s.drafts, s.vectors = s.batch[:0], s.drafts[:0], s.vectors[:0]
}

// count adds the number of fresh states of a batch, and the steps since the last batch.
func (s *searcher) count(fresh int64) {
	s.x.fresh.Add(fresh)
	s.x.generated.Add(s.transitions)
	s.transitions = 0
}

// insert inserts the batch, for which there is room, and writes notes. It returns the number of fresh states.
func (s *searcher) insert() (fresh int64) {
	set := s.x.set
	defer func() { set.Done(len(s.batch), fresh) }() // also after a panic: others may wait for room
	set.InsertAll(s.batch)
	return s.x.notes.write(s)
}

// keep adds a new state to the next layer.
func (s *searcher) keep(key fingerprint.Print, v []uint32) {
	step.SortParts(v[s.Head:])
	must(s.next.Add(key, v))
	s.judge(v, key)
	s.x.notes.state(s, v)
	s.x.observer.state(s, v)
}

// report records the monitors' findings in the present step.
func (s *searcher) report() {
	for i, m := range s.x.claimOf {
		if s.Move.Witness>>i&1 != 0 {
			s.witnessed[m] = true
		}
	}
	for _, b := range s.Move.Broken {
		if b.Measured != 0 {
			s.measured(b)
			continue
		}
		claim := s.x.failing()
		if b.Monitor != step.Failing {
			claim = s.x.claimOf[b.Monitor]
		}
		s.suspect(suspect.Suspect{Claim: claim, Monitor: b.Monitor, Key: s.present, Step: true, Boot: s.rooted, Fails: s.Move.Fails()})
	}
}

// judge evaluates invariants, and the goals of Sometimes claims, on a new state.
func (s *searcher) judge(v []uint32, key fingerprint.Print) {
	for k, i := range s.asked.Claims {
		s.witnessed[i] = true
		switch text, how := s.asked.Judge(k, v); {
		case how != "":
			s.fails(how, key)
		case text != "":
			s.suspect(suspect.Suspect{Claim: i, Text: text, Key: key})
		}
	}
	for _, g := range s.asked.Goals {
		// A goal that was reached in this layer is evaluated all the same: what is evaluated must not depend on
		// which worker was first.
		if !s.x.settledGoal(g.Claim) && s.asked.In(g, v) {
			s.suspect(suspect.Suspect{Claim: g.Claim, Key: key})
		}
	}
}

// settledGoal reports whether a Sometimes claim was reached, or has as many spurious witnesses as are tried.
func (x *explorer) settledGoal(claim int) bool {
	o := &x.res.Claims[claim]
	return o.Reached || o.Spurious >= x.opt.MaxSpurious
}

// candidatesAtOnce is the number of candidates at which a searcher drops all but the least.
const candidatesAtOnce = 4096

func (s *searcher) suspect(c suspect.Suspect) {
	s.candidates = append(s.candidates, c)
	if len(s.candidates) >= candidatesAtOnce {
		s.candidates = suspect.Least(s.candidates)
	}
}
