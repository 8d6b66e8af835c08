package search

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"contend/checker/zone"
	"contend/model"
)

// A searcher is a worker of a search, with what it finds in a layer.
type searcher struct {
	*worker
	x    *explorer
	invs invariants

	next    frontier // states that are new
	loaded  chunk    // one that was in a file
	batch   []lookup // successors whose newness is not known yet: looking up many at once hides how long memory takes
	vectors []uint32 // back to back
	present print    // the key of the state that is expanded
	tag     uint32
	rooted  bool    // first states are being made
	recent  []print // successors met of late, to be recognised without a look into the table

	transitions int64 // since they were last told
	witnessed   []bool
	cutStates   []int64
	candidates  []candidate
	finals      []print
	failure     any // a panic

	finds    map[print]*finds // in dense time, what was found in this layer
	arranged zone.Zone
}

// recently is how many successors a searcher remembers.
const recently = 1 << 12

// batchSize is how many successors are looked up at once.
const batchSize = 256

// candidate is a claim that a state, or a step from it, seems to break.
type candidate struct {
	claim, monitor int // the monitor of a step
	text           string
	key            print // of the state
	step           bool
	boot           bool // the step is the beginning of the run
	pinned         bool // the run has to be real at the very times of the search
}

// rootTag is the note of first states, which have no parent.
const rootTag = 1<<31 - 1

func newSearcher(x *explorer) *searcher {
	s := &searcher{worker: newWorker(x.engine), x: x, batch: make([]lookup, 0, batchSize)}
	s.next.x = x
	s.invs = newInvariants(s, x.claims)
	s.witnessed = make([]bool, len(x.claims))
	s.cutStates = make([]int64, len(x.sys.Cuts))
	s.emit = s.found
	if x.graph == nil {
		s.recent = make([]print, recently)
	}
	return s
}

// begin makes the first states.
func (s *searcher) begin() {
	s.rooted, s.tag = true, rootTag
	s.initial()
	s.transitions = 0 // it takes no step to be there
	s.flush()
	s.rooted = false
	for i := range s.next.chunks {
		for c := s.next.load(i, &s.loaded); len(c) > 0; {
			var key print
			key, _, c = c.next()
			s.x.roots = append(s.x.roots, key)
		}
	}
}

// expandChunk expands the states of a chunk.
func (s *searcher) expandChunk(c chunk) {
	for i := 0; len(c) > 0 && !s.x.stop.Load(); i++ {
		var v []uint32
		s.present, v, c = c.next()
		s.tag = tagOf(s.present.a)
		s.expandState(v)
		if i&63 == 0 && s == s.x.workers[0] {
			s.x.look()
		}
	}
}

func (s *searcher) expandState(v []uint32) {
	at := s.present
	if s.orbits != nil || s.dense {
		at = s.printOfState(v) // the key names the orbit, or a class
	}
	s.expand(v, at)
	if s.cuts != 0 {
		for k := range s.cutStates {
			s.cutStates[k] += int64(s.cuts >> k & 1)
		}
	}
	if !s.movable && s.cuts == 0 && !s.pendingEvent(v) { // an event that time lets never happen stops no run
		s.stopped(v)
	}
	if s.x.graph != nil {
		s.x.graph.close(s, v)
	}
}

// stopped deals with a state in which nothing but the environment can move.
func (s *searcher) stopped(v []uint32) {
	if s.x.opt.Judge != nil {
		s.finals = append(s.finals, s.present)
	}
	done := s.done(v)
	for i, c := range s.x.claims {
		if c.Done && c.Kind == model.Always {
			if s.witnessed[i] = true; done {
				continue
			}
			s.suspect(candidate{claim: i, text: "nothing can happen any more, but a script is not done", key: s.present})
		}
	}
}

// done reports whether every application has finished its script, or is down.
func (w *worker) done(v []uint32) bool {
	for i, spec := range w.sys.Nodes {
		if len(spec.Script) > 0 && v[i] != down && v[w.appOf[i]] != uint32(len(spec.Script))<<1 {
			return false
		}
	}
	for _, id := range v[w.head:] {
		if w.flats[id].kind == kind(model.Release) {
			return false
		}
	}
	return true
}

// found is told of each successor.
func (s *searcher) found(v []uint32) {
	s.transitions++
	if s.move.witness != 0 || len(s.move.broken) > 0 {
		s.report()
	}
	key := s.sum
	if !s.x.exact && s.x.graph == nil {
		r := &s.recent[key.a%recently]
		if r.a == key.a && (!s.x.opt.Wide || r.b == key.b) {
			return // it was met a moment ago
		}
		*r = key
	}
	if s.orbits != nil {
		key = s.orbits.key(v, key)
	}
	s.vectors = append(s.vectors, v...)
	s.batch = s.batch[:len(s.batch)+1]
	l := &s.batch[len(s.batch)-1] // filled in place: a copy would wait for what was just written
	l.print, l.from, l.end = s.x.set.stored(key), s.tag, uint32(len(s.vectors))
	l.tried, l.fresh = 0, false
	if len(s.batch) == batchSize || s.x.graph != nil {
		s.flush()
	}
}

// flush looks up the batch, and keeps what is new.
func (s *searcher) flush() {
	set := s.x.set
	set.room(len(s.batch))
	set.insertAll(s.batch)
	fresh := int64(0)
	for i := range s.batch {
		l := &s.batch[i]
		if l.fresh {
			fresh++
		}
		switch note := set.note(l.bucket, uintptr(l.i)); {
		case s.x.graph != nil:
			s.x.graph.met(note, l, s)
		case s.x.exact:
			leastParent(note, l.from)
		case l.fresh:
			*note = l.from<<1 | s.x.mark
		}
	}
	set.done(len(s.batch), fresh)
	s.x.fresh.Add(fresh)
	s.x.generated.Add(s.transitions)
	s.transitions = 0
	begin := uint32(0)
	for i := range s.batch {
		l := &s.batch[i]
		if l.fresh {
			s.keep(l.print, s.vectors[begin:l.end])
		}
		begin = l.end
	}
	s.batch, s.vectors = s.batch[:0], s.vectors[:0]
}

// keep adds a new state to the next layer.
func (s *searcher) keep(key print, v []uint32) {
	sortParts(v[s.head:])
	s.next.add(key, v)
	s.invs.check(v, key)
	if s.x.graph != nil {
		s.x.graph.state(s, v)
	}
	if s.x.onState != nil {
		s.ask(func() { s.x.onState(v) })
	}
}

// report keeps what monitors said of the present step.
func (s *searcher) report() {
	for i, m := range s.x.claimOf {
		if s.move.witness>>i&1 != 0 {
			s.witnessed[m] = true
		}
	}
	for _, b := range s.move.broken {
		s.suspect(candidate{claim: s.x.claimOf[b.monitor], monitor: b.monitor, key: s.present, step: true, boot: s.rooted})
	}
}

// Of the candidates for a claim the least by key are kept: enough to go on when the
// first turn out to be none.
const (
	candidatesKept   = 32
	candidatesAtOnce = 4096
)

func (s *searcher) suspect(c candidate) {
	s.candidates = append(s.candidates, c)
	if len(s.candidates) >= candidatesAtOnce {
		s.candidates = least(s.candidates)
	}
}

// least sorts candidates, and keeps the first few for each claim.
func least(all []candidate) []candidate {
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.claim, b.claim), cmp.Compare(a.key.a, b.key.a))
	})
	all = slices.CompactFunc(all, func(a, b candidate) bool { return a.claim == b.claim && a.key == b.key })
	var kept []candidate
	for i, c := range all {
		if i < candidatesKept || all[i-candidatesKept].claim != c.claim {
			kept = append(kept, c)
		}
	}
	return kept
}

// inParallel lets workers do their share of what anyone may do, and passes on the first
// panic. Where it is not worth more than one, that one does all.
func (x *explorer) inParallel(worth bool, share func(s *searcher)) {
	if !worth || len(x.workers) == 1 {
		share(x.workers[0])
		return
	}
	var wait sync.WaitGroup
	for _, s := range x.workers[1:] {
		wait.Go(func() { x.guarded(s, share) })
	}
	x.guarded(x.workers[0], share)
	wait.Wait()
	for _, s := range x.workers {
		if s.failure != nil {
			panic(s.failure)
		}
	}
}

func (x *explorer) guarded(s *searcher, share func(s *searcher)) {
	defer func() {
		if s.failure = recover(); s.failure != nil {
			x.stop.Store(true)
		}
	}()
	share(s)
}

// atLeast is how many states make a layer worth more than one worker.
var atLeast int64 = 128

// exactUntil is for how many states a search keeps the least parent of each state, and
// so would find the same counterexample however many workers there are. Then it keeps
// the first parent that comes, which is faster; when a claim turns out to be broken, it
// begins again, exactly.
var exactUntil int64 = 50_000

// expandLayer expands the present layer.
func (x *explorer) expandLayer() {
	x.stop.Store(false)
	x.look()
	var taken atomic.Int64
	chunks := x.layer.chunks()
	x.inParallel(x.layer.states >= atLeast, func(s *searcher) {
		for i := taken.Add(1) - 1; int(i) < len(chunks) && !x.stop.Load(); i = taken.Add(1) - 1 {
			s.expandChunk(chunks[i].load(&s.loaded))
		}
		s.flush()
	})
}

// endLayer settles what was found in a layer.
func (x *explorer) endLayer() {
	x.winnow()
	x.settleStates()
	candidates := x.collect()
	if x.refused.any() {
		return
	}
	if !x.exact && x.graph == nil && slices.ContainsFunc(candidates, x.wantsExactParents) {
		x.again = true
		return
	}
	for _, c := range candidates {
		x.confirm(c)
	}
	x.keepFinals()
	x.exact = x.exact && (x.opt.Exact || x.states < exactUntil)
}

// wantsExactParents reports whether what comes of a candidate must not depend on which of
// its ways was met first. That of a witness may, unless it can be spurious: it is not shown.
func (x *explorer) wantsExactParents(c candidate) bool {
	return x.claims[c.claim].Kind != model.Sometimes || x.closing() && x.strict.any()
}

// collect takes from the workers what they saw in a layer, and returns the candidates.
func (x *explorer) collect() (candidates []candidate) {
	for _, s := range x.workers {
		for i := range x.claims {
			x.res.Witnessed[i] = x.res.Witnessed[i] || s.witnessed[i]
		}
		for k, c := range x.sys.Cuts {
			x.res.Cut[c.Name] += s.cutStates[k]
			s.cutStates[k] = 0
		}
		candidates = append(candidates, s.candidates...)
		x.finals = append(x.finals, s.finals...)
		s.candidates, s.finals = nil, nil
		s.refresh()
	}
	return least(candidates)
}

// keepFinals keeps as many final states as shall be judged.
func (x *explorer) keepFinals() {
	if len(x.finals) > x.opt.Histories {
		slices.SortFunc(x.finals[x.judged:], func(p, q print) int { return cmp.Compare(p.a, q.a) })
		x.finals = x.finals[:x.opt.Histories]
	}
	x.judged = len(x.finals)
}

// settleStates marks the new states as those of a layer that is complete.
func (x *explorer) settleStates() {
	states := int64(0)
	for _, s := range x.workers {
		states += s.next.states
	}
	if x.exact || x.mark != 0 {
		x.inParallel(true, func(s *searcher) { // few states, too, may be of many workers
			for i := range s.next.chunks {
				s.settle(s.next.load(i, &s.loaded))
			}
		})
	}
	x.states += states
	x.fresh.Store(0)
}

func (s *searcher) settle(c chunk) {
	for len(c) > 0 {
		var key print
		key, _, c = c.next()
		if note := s.x.set.find(key); note != nil { // else a run has it
			settle(note)
		}
	}
}
