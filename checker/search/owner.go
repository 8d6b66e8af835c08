package search

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"

	"contend/checker/search/fingerprint"
	"contend/checker/search/frontier"
	"contend/checker/search/parts"
	"contend/checker/search/portable"
	"contend/checker/search/visited"
	"contend/model"
)

func sortPrints(all []fingerprint.Print) { slices.SortFunc(all, fingerprint.Compare) }

// errLeft says that a part left the search.
var errLeft = parts.Lost{Err: errors.New("it left the search")}

// answered is the answer to a question, unless the search is abandoned: its memory is given back then.
func (c *company) answered(do func() ([]byte, error)) []byte {
	c.mu.Lock()
	if why := c.abandoned; why != nil {
		c.mu.Unlock()
		return answering(func() ([]byte, error) { return nil, why })
	}
	c.answers.Add(1)
	c.mu.Unlock()
	defer c.answers.Done()
	return answering(do)
}

// leave ends the part's share of a search once what it was asked is answered: that takes no longer than the stop of a search.
func (c *company) leave() {
	c.x.stop.Store(true)
	c.abandon(errLeft)
	c.answers.Wait()
}

// answer answers what any part is asked by any other.
func (c *company) answer(from int, what parts.Kind, question []byte) (answer []byte) {
	return c.answered(func() ([]byte, error) {
		switch what {
		case parts.New:
			return c.admit(question)
		case parts.Claim:
			return c.claim(from, question)
		case parts.Take:
			return nil, c.take(question)
		}
		return nil, fmt.Errorf("nothing is known of questions of kind %d", what)
	})
}

// answering makes an answer of what is done, and of the panics that end a search.
func answering(do func() ([]byte, error)) (answer []byte) {
	failed := func(err error) []byte {
		how, files, lost := byte(fails), Storage{}, parts.Lost{}
		switch {
		case errors.As(err, &files):
			how, err = stores, files.Err
		case errors.As(err, new(BadCheckpoint)):
			how = stores
		case errors.As(err, &lost):
			how, err = loses, lost.Err
		case isRefusal(err):
			how = refuses
		}
		return append([]byte{how}, err.Error()...)
	}
	defer func() {
		switch p := recover().(type) {
		case nil:
		case model.Refusal:
			answer = failed(p)
		case Storage:
			answer = failed(p)
		case parts.Lost:
			answer = failed(p)
		default:
			panic(p)
		}
	}()
	b, err := do()
	if err != nil {
		return failed(err)
	}
	return append([]byte{done}, b...)
}

func isRefusal(err error) bool { var r model.Refusal; return errors.As(err, &r) }

// admit says which of some fingerprints are new, and keeps them with the names of their parents.
func (c *company) admit(question []byte) ([]byte, error) {
	room := c.lookups.Get().(*[batchSize]visited.Lookup)
	defer c.lookups.Put(room)
	batch := room[:0]
	var fresh parts.Bits
	at, exactly := 0, false
	flush := func() {
		c.insert(batch, exactly)
		for i := range batch {
			if at%8 == 0 {
				fresh = append(fresh, 0)
			}
			if batch[i].Fresh {
				fresh.Set(at)
			}
			at++
		}
		batch = batch[:0]
	}
	wrong := 0
	err := parts.Asked(question, func(p fingerprint.Print, tag uint32, exact bool) {
		exactly = exact
		if p != c.x.set.Stored(p) || parts.Owner(p, c.of) != c.number {
			wrong++
			return
		}
		batch = batch[:len(batch)+1]
		batch[len(batch)-1].Begin(p, tag, 0)
		if len(batch) == cap(batch) {
			flush()
		}
	})
	flush()
	if err == nil && wrong > 0 {
		err = fmt.Errorf("it was asked about %d fingerprints that another part owns", wrong)
	}
	return fresh, err
}

// insert inserts what another part asks about, and notes parents.
func (c *company) insert(batch []visited.Lookup, exact bool) {
	set := c.x.set
	must(set.Room(len(batch)))
	fresh := int64(0)
	func() {
		defer func() { set.Done(len(batch), fresh) }()
		set.InsertAll(batch)
		for i := range batch {
			l := &batch[i]
			if l.Fresh {
				fresh++
			}
			switch note := set.Note(l); {
			case exact:
				visited.LeastParent(note, l.From)
			case l.Fresh:
				*note = l.From<<1 | c.x.mark
			}
		}
	}()
	c.logged(batch, exact)
}

// admitted logs what this part's own searchers found.
func (c *company) admitted(batch []visited.Lookup) { c.logged(batch, c.x.exact) }

// logged logs what is new in a layer, where its notes say that it was met in it.
func (c *company) logged(batch []visited.Lookup, exact bool) {
	if !exact && c.x.mark == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range batch {
		if batch[i].Fresh {
			must(c.log.Add(batch[i].Print, nil))
		}
	}
}

// settleNotes says of what is in the log that its layer is complete.
func (c *company) settleNotes() {
	var b frontier.Buffer
	must(c.log.Each(&b, func(key fingerprint.Print, _ []uint32) error {
		if note := c.x.set.Find(key); note != nil { // else a run has it
			visited.Settle(note)
		}
		return nil
	}))
	c.log.Close()
}

// A gathering is what all parts claim to have found in a stretch of fingerprints.
type gathering struct {
	lists [][]fingerprint.Print // by part
	came  int
	known []parts.Bits // the answers, by part
	err   error
	done  chan struct{}
}

// A stretch is one of so many of the fingerprints.
type stretch struct{ Number, Of uint64 }

// winnow removes from what all parts found in a layer the states that runs of earlier layers hold, and second
// copies, as [explorer.winnow] does in one process: the owners of such runs are told what was found. Who has
// runs is known only when nobody is asked any more what is new.
func (c *company) winnow() {
	w := winnowing{}
	all := make([]farAt, c.of)
	c.others(parts.Far, same(written(false)), func(from int, b []byte) error { return read(b, &all[from]) })
	all[c.number] = farAt{States: c.x.fresh.Load(), Spilled: c.x.set.Spilled()}
	states := int64(0)
	for part, at := range all {
		states += at.States
		if at.Spilled {
			w.Owners = append(w.Owners, part)
		}
	}
	if len(w.Owners) == 0 {
		return
	}
	w.Stretches = uint64(states/c.x.mostClaimants() + 1)
	ended := make(chan error, 1)
	go func() {
		for of := range c.answersTo(parts.Winnow, same(written(w))) {
			if of.err != nil { // others may wait for good for what it does not claim any more
				c.abandon(of.err)
				c.tellAbandoned(of.err)
				ended <- of.err
				return
			}
		}
		ended <- nil
	}()
	if err := c.winnowOwn(w); err != nil {
		throw(cmp.Or(c.whyAbandoned(), err)) // what it came to may come of that
	}
	throw(<-ended)
}

func (c *company) whyAbandoned() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.abandoned
}

// tellAbandoned has the other parts abandon the search; it waits for none of them.
func (c *company) tellAbandoned(why error) {
	for to := range c.of {
		if to != c.number {
			go func() { _, _ = c.ask(to, parts.Abandon, []byte(why.Error())) }()
		}
	}
}

type winnowing struct {
	Owners    []int
	Stretches uint64
}

// winnowOwn removes from what this part found what owners know.
func (c *company) winnowOwn(w winnowing) error {
	x := c.x
	known := make([]uint64, x.found()/64+1)
	dropped := false
	for k := range w.Stretches {
		claimants := make([][]visited.Claimant, c.of)
		for _, one := range x.claimants(k, w.Stretches) {
			owner := parts.Owner(one.Key, c.of)
			claimants[owner] = append(claimants[owner], one)
		}
		answers := make([][]byte, c.of)
		errs := make([]error, c.of)
		var wait sync.WaitGroup
		for _, owner := range w.Owners {
			wait.Go(func() { answers[owner], errs[owner] = c.claimOf(owner, stretch{k, w.Stretches}, claimants[owner]) })
		}
		wait.Wait()
		if err := cmp.Or(errs...); err != nil {
			return err
		}
		for _, owner := range w.Owners {
			if len(answers[owner]) != len(parts.NewBits(len(claimants[owner]))) {
				return errAnswer
			}
			for i, one := range claimants[owner] {
				if parts.Bits(answers[owner]).Is(i) {
					known[one.Number/64] |= 1 << (one.Number % 64)
					dropped = true
				}
			}
		}
	}
	number := int64(0)
	for _, s := range x.workers {
		if dropped {
			number = s.drop(known, number)
		}
	}
	return nil
}

// claimOf asks an owner which claimants are known.
func (c *company) claimOf(owner int, s stretch, claimants []visited.Claimant) ([]byte, error) {
	list := make([]fingerprint.Print, len(claimants))
	for i, one := range claimants {
		list[i] = one.Key
	}
	if owner == c.number {
		return c.gather(c.number, s, list)
	}
	return c.ask(owner, parts.Claim, written(claimed{s, parts.Prints(nil, list)}))
}

type claimed struct {
	Of   stretch
	List []byte
}

func (c *company) claim(from int, question []byte) ([]byte, error) {
	var q claimed
	if err := read(question, &q); err != nil {
		return nil, err
	}
	list, err := parts.ReadPrints(q.List)
	if err != nil {
		return nil, err
	}
	return c.gather(from, q.Of, list)
}

// gather waits until every part has said what it found in a stretch, and answers which of it is known.
func (c *company) gather(from int, s stretch, list []fingerprint.Print) ([]byte, error) {
	c.mu.Lock()
	if c.abandoned != nil {
		defer c.mu.Unlock()
		return nil, c.abandoned
	}
	g := c.claims[s.Number]
	if g == nil {
		g = &gathering{lists: make([][]fingerprint.Print, c.of), known: make([]parts.Bits, c.of), done: make(chan struct{})}
		c.claims[s.Number] = g
	}
	g.lists[from] = list
	g.came++
	last := g.came == c.of
	if last {
		delete(c.claims, s.Number)
	}
	c.mu.Unlock()
	if last {
		g.winnow(c.x.set)
		close(g.done)
	}
	<-g.done
	return g.known[from], g.err
}

// abandon has nobody wait any more for what a part claims that is lost.
func (c *company) abandon(why error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.abandoned = why
	for number, g := range c.claims {
		g.err = why
		close(g.done)
		delete(c.claims, number)
	}
}

func (g *gathering) winnow(set *visited.Set) {
	var all []visited.Claimant
	for part, list := range g.lists {
		g.known[part] = parts.NewBits(len(list))
		for i, p := range list {
			all = append(all, visited.Claimant{Key: p, Number: int64(part)<<32 | int64(i)})
		}
	}
	slices.SortFunc(all, func(a, b visited.Claimant) int {
		return cmp.Or(fingerprint.Compare(a.Key, b.Key), cmp.Compare(a.Number, b.Number))
	})
	if err := set.Winnow(all, func(number int64) { g.known[number>>32].Set(int(uint32(number))) }, func() bool { return false }); err != nil {
		g.err = Storage{err}
	}
}

// send sends states to other parts.
func (c *company) send(orders []parts.Transfer) error {
	s := c.x.workers[0]
	var b frontier.Buffer
	for _, t := range orders {
		for left := t.States; left > 0; {
			chunk, err := c.takeLast(&b)
			if err != nil {
				return Storage{err}
			}
			if chunk == nil {
				return nil
			}
			left -= chunk.States()
			if _, err := c.ask(t.To, parts.Take, c.writer.States(nil, chunk, s.PrintOfState)); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeLast takes a chunk of what was found.
func (c *company) takeLast(b *frontier.Buffer) (frontier.Chunk, error) {
	most := c.x.workers[0]
	for _, s := range c.x.workers {
		if s.next.States > most.next.States {
			most = s
		}
	}
	return most.next.TakeLast(b)
}

// take takes over what another part sends.
func (c *company) take(question []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.x.workers[0]
	return portable.ReadStates(question, s.Worker, func(key fingerprint.Print, v []uint32) { must(s.next.Add(key, v)) })
}
