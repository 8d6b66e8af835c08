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

// A searcher is a worker of a search, with what it finds in a layer.
type searcher struct {
	*step.Worker
	x          *explorer
	number     int // among the workers
	asked      *invariants.Asker
	names      names
	orbits     *symmetry.Orbits // nil without symmetry
	absorption *absorb.Cleaner  // nil without absorption

	next    frontier.Part // states that are new
	loaded  frontier.Buffer
	batch   []visited.Lookup  // successors whose newness is not known yet: looking up many at once hides how long memory takes
	vectors []uint32          // back to back
	drafts  []step.Draft      // of the successors of the batch that are not made yet, by number
	made    []uint32          // the one that is being made
	present fingerprint.Print // the key of the state that is expanded
	tag     uint32
	rooted  bool                // first states are being made
	recent  []fingerprint.Print // successors met of late, to be recognised without a look into the table

	transitions int64 // since they were last told
	witnessed   []bool
	cutStates   []int64
	locks       int64 // states in which time cannot go on
	candidates  []suspect.Suspect
	costs       []suspect.Extremes // by claim; none where nothing is measured
	finals      []fingerprint.Print
	failure     any // a panic
}

// recently is how many successors a searcher remembers. It begins with zeros: that a fingerprint is one is as unlikely as that two are the same.
const recently = 1 << 12

// rootTag is the note of first states, which have no parent.
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

// begin makes the first states.
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
	s.x.generated.Store(0) // it takes no step to be there
	s.rooted = false
	s.each(func(key fingerprint.Print, _ []uint32) { s.x.roots = append(s.x.roots, key) })
}

// each hands on what was found in the layer so far.
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

// stopped deals with a state in which nothing but the environment can move.
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

// found is told of each successor.
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

// sketched is told of each successor that is not made yet.
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

// queue adds a lookup to the batch, and returns the place for its draft. Both are filled in
// place: a copy would wait for what was just written.
func (s *searcher) queue(key fingerprint.Print) *step.Draft {
	n := len(s.batch)
	s.batch, s.drafts = s.batch[:n+1], s.drafts[:n+1]
	s.batch[n].Begin(s.x.set.Stored(key), s.tag, uint32(len(s.vectors)))
	return &s.drafts[n]
}

// metLately reports whether a successor was met a moment ago.
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

// flush looks up the batch, and keeps what is new.
func (s *searcher) flush() {
	must(s.x.set.Room(len(s.batch)))
	s.told(s.insert())
	begin := uint32(0)
	for i := range s.batch {
		l := &s.batch[i]
		if l.Fresh {
			v := s.vectors[begin:l.End]
			if d := &s.drafts[i]; d.State != nil { // it is not made yet
				s.made = d.Make(s.made)
				v = s.made
			}
			s.keep(l.Print, v)
		}
		begin = l.End
	}
	s.batch, s.drafts, s.vectors = s.batch[:0], s.drafts[:0], s.vectors[:0]
}

// told tells of how many of a batch were new, and of the steps since the last.
func (s *searcher) told(fresh int64) {
	s.x.fresh.Add(fresh)
	s.x.generated.Add(s.transitions)
	s.transitions = 0
}

// insert inserts the batch, for which there is room, and notes parents. It returns how many
// were new.
func (s *searcher) insert() (fresh int64) {
	set := s.x.set
	defer func() { set.Done(len(s.batch), fresh) }() // whatever happens: others may wait for room
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

// report keeps what monitors said of the present step.
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

// judge judges a new state: by invariants, and the goals of Sometimes claims, of which it may be a witness.
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
		// A goal reached in this layer, by whichever worker, is still asked: what is asked
		// must not depend on who was first.
		if !s.x.settledGoal(g.Claim) && s.asked.In(g, v) {
			s.suspect(suspect.Suspect{Claim: g.Claim, Key: key})
		}
	}
}

// settledGoal reports whether nothing more is to be learned of a Sometimes claim: it was
// reached, or as many witnesses were spurious as are tried.
func (x *explorer) settledGoal(claim int) bool {
	o := &x.res.Claims[claim]
	return o.Reached || o.Spurious >= x.opt.MaxSpurious
}

// candidatesAtOnce is how many candidates a searcher gathers before it keeps the least.
const candidatesAtOnce = 4096

func (s *searcher) suspect(c suspect.Suspect) {
	s.candidates = append(s.candidates, c)
	if len(s.candidates) >= candidatesAtOnce {
		s.candidates = suspect.Least(s.candidates)
	}
}
