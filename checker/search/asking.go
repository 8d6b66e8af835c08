package search

import (
	"contend/checker/search/fingerprint"
	"contend/checker/search/parts"
	"contend/checker/search/step"
	"contend/checker/search/visited"
)

// Where a search has several parts, a searcher looks up in the table of its own part what that owns, as
// always, and puts the rest aside, by owner, until there is enough to ask about. Successors stay where they
// were made, as drafts where they are not made yet, and only fingerprints are sent. The searcher goes on
// meanwhile: the answers to earlier questions are taken in when it asks further ones, and all of them at the
// end of its share of a layer.

// A flight is successors that another part is asked about.
type flight struct {
	to      int
	prints  []fingerprint.Print
	tags    []uint32
	ends    []uint32 // of their vectors
	vectors []uint32 // back to back
	drafts  []step.Draft
	buffer  []byte // of the question
	answer  chan answered
}

type answered struct {
	fresh parts.Bits
	err   error
}

// flightSize is how many fingerprints another part is asked about at once, and aloft how many questions of a
// searcher are under way.
const (
	flightSize = 1024
	aloft      = 4
)

// asking is a searcher's side of it.
type asking struct {
	waiting []*flight // by owner: not asked yet
	aloft   []*flight // asked, the first one first
	spare   []*flight
	own     []visited.Lookup // of the batch, what is this part's own
	at      []int            // and where in the batch each is
}

// flushOut looks up of a batch what is this part's own, and puts the rest aside.
func (s *searcher) flushOut(c *company) {
	a := &s.asking
	if a.waiting == nil {
		a.waiting = make([]*flight, c.of)
	}
	a.own, a.at = a.own[:0], a.at[:0]
	begin := uint32(0)
	for i := range s.batch {
		l := &s.batch[i]
		if owner := parts.Owner(l.Print, c.of); owner == c.number {
			a.own, a.at = append(a.own, *l), append(a.at, i)
		} else {
			s.putAside(c, owner, l, s.vectors[begin:l.End], &s.drafts[i])
		}
		begin = l.End
	}
	must(s.x.set.Room(len(a.own)))
	s.told(s.insert(a.own))
	for k := range a.own {
		if l := &a.own[k]; l.Fresh {
			begin := uint32(0)
			if i := a.at[k]; i > 0 {
				begin = s.batch[i-1].End
			}
			s.keepNew(l.Print, s.vectors[begin:l.End], &s.drafts[a.at[k]])
		}
	}
	c.admitted(a.own)
	s.batch, s.drafts, s.vectors = s.batch[:0], s.drafts[:0], s.vectors[:0]
}

// putAside puts a successor aside, and asks when there are enough for its owner.
func (s *searcher) putAside(c *company, owner int, l *visited.Lookup, v []uint32, d *step.Draft) {
	a := &s.asking
	f := a.waiting[owner]
	if f == nil {
		if n := len(a.spare); n > 0 {
			f, a.spare = a.spare[n-1], a.spare[:n-1]
		} else {
			f = &flight{answer: make(chan answered, 1)}
		}
		f.to = owner
		a.waiting[owner] = f
	}
	f.prints, f.tags = append(f.prints, l.Print), append(f.tags, l.From)
	f.vectors, f.drafts = append(f.vectors, v...), append(f.drafts, *d)
	f.ends = append(f.ends, uint32(len(f.vectors)))
	if len(f.prints) == flightSize {
		a.waiting[owner] = nil
		s.ask(c, f)
	}
}

// ask sends a question on its way. When many are under way it waits for the first of them.
func (s *searcher) ask(c *company, f *flight) {
	a := &s.asking
	if len(a.aloft) == aloft*(c.of-1) {
		s.land()
	}
	q := parts.Ask(f.buffer, s.x.opt.Wide, s.x.exact)
	for i, p := range f.prints {
		q.Add(p, f.tags[i])
	}
	f.buffer = q.Bytes()
	go func() {
		fresh, err := c.ask(f.to, parts.New, f.buffer)
		f.answer <- answered{fresh, err}
	}()
	a.aloft = append(a.aloft, f)
}

// land waits for the answer to the first question, and keeps what is new.
func (s *searcher) land() {
	a := &s.asking
	f := a.aloft[0]
	a.aloft = a.aloft[1:]
	got := <-f.answer
	if got.err == nil && len(got.fresh) != len(parts.NewBits(len(f.prints))) {
		got.err = errAnswer
	}
	throw(got.err)
	begin, fresh := uint32(0), int64(0)
	for i, end := range f.ends {
		if got.fresh.Is(i) {
			fresh++
			s.keepNew(f.prints[i], f.vectors[begin:end], &f.drafts[i])
		}
		begin = end
	}
	s.x.fresh.Add(fresh)
	f.prints, f.tags, f.ends, f.vectors, f.drafts = f.prints[:0], f.tags[:0], f.ends[:0], f.vectors[:0], f.drafts[:0]
	a.spare = append(a.spare, f)
}

// landAll asks about what is left, and waits for all answers.
func (s *searcher) landAll() {
	c := s.x.parts
	if c == nil {
		return
	}
	for owner, f := range s.asking.waiting {
		if f != nil {
			s.asking.waiting[owner] = nil
			s.ask(c, f)
		}
	}
	for len(s.asking.aloft) > 0 {
		s.land()
	}
}
