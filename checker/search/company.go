package search

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"contend/checker/search/checkpoint"
	"contend/checker/search/decide"
	"contend/checker/search/fingerprint"
	"contend/checker/search/frontier"
	"contend/checker/search/parts"
	"contend/checker/search/portable"
	"contend/checker/search/visited"
	"contend/model"
)

// A search of several parts explores what one process would. Its first part leads: it is the search of
// search.go, whose layers the others expand with it.
//
// Every fingerprint has an owner, which knows whether it was met. A part expands the states that it has, asks
// the owners of their successors which are new, and keeps those that are: an owner says so to one alone, the
// first that asks. So after a layer each new state is with one part, and all parts together have what one
// process has, since fingerprints are made of contents, and not of the numbers that components have in one
// process. Notes are with the owner, so that parents are kept as always; the leader asks for them when it
// takes a run again. Everything else that a layer gives is a sum, a union, or the least of something, whose
// parts are put together at its end. What the others guess about messages and groups is refuted at its end,
// too, from what all of them saw.
//
// It costs a question of 8 bytes and a bit for each successor that another part owns, and two rounds of
// questions for each layer. States are sent only where one part has far more of them than others.
type company struct {
	ex         parts.Exchange
	number, of int
	x          *explorer
	writer     *portable.Writer

	mu     sync.Mutex    // guards what follows
	log    frontier.Part // the fingerprints, without states, that were new in this layer
	claims map[uint64]*gathering

	abandoned error          // unless nil, why nothing is answered any more, and nobody is to wait for claims
	answers   sync.WaitGroup // questions that are being answered

	lookups sync.Pool // of *[batchSize]visited.Lookup

	// Of the leader.
	far   []far // by part
	sums  []summary
	calls []int64 // handler runs of each part
}

// far is how far a part has come in the present layer.
type far struct{ states, generated atomic.Int64 }

// errAnswer is that of an answer that fits no question.
var errAnswer = parts.Lost{Err: errors.New("its answer fits no question")}

// unread is the error of an answer that cannot be read, or nil.
func unread(err error) error {
	if err != nil {
		return parts.Lost{Err: fmt.Errorf("%w: %w", errAnswer.Err, err)}
	}
	return nil
}

func newCompany(x *explorer, ex parts.Exchange) *company {
	c := &company{ex: ex, x: x, writer: portable.NewWriter(x.Engine), claims: map[uint64]*gathering{}, log: frontier.NewPart(&x.held)}
	c.number, c.of = ex.Part()
	c.far, c.sums, c.calls = make([]far, c.of), make([]summary, c.of), make([]int64, c.of)
	c.lookups.New = func() any { return new([batchSize]visited.Lookup) }
	if x.absorber != nil {
		x.absorber.Tell()
	}
	return c
}

// throw ends the search when another part is lost, or has failed. It is given an error as it came, not joined with
// others: who recovers looks at its type.
func throw(err error) {
	if err != nil {
		panic(err)
	}
}

// An answer begins with what became of the question.
const (
	done    = iota
	refuses // a protocol is refused
	stores  // its files fail
	loses   // it lost another part
	fails
)

// ask asks another part.
func (c *company) ask(to int, what parts.Kind, question []byte) ([]byte, error) {
	answer, err := c.ex.Ask(to, what, question)
	var lost parts.Lost // perhaps another one than is asked
	switch {
	case errors.As(err, &lost):
		return nil, lost
	case err != nil:
		return nil, parts.Lost{Err: fmt.Errorf("part %d of %d: %w", to+1, c.of, err)}
	case len(answer) == 0:
		return nil, errAnswer
	case answer[0] == refuses:
		return nil, model.Refused{Text: string(answer[1:])}
	case answer[0] == stores:
		return nil, Storage{fmt.Errorf("part %d of %d: %s", to+1, c.of, answer[1:])}
	case answer[0] == loses:
		return nil, parts.Lost{Err: fmt.Errorf("part %d of %d: %s", to+1, c.of, answer[1:])}
	case answer[0] == fails:
		return nil, fmt.Errorf("part %d of %d: %s", to+1, c.of, answer[1:])
	}
	return answer[1:], nil
}

// others asks every other part the same at once, and waits for all answers.
func (c *company) others(what parts.Kind, question func(to int) []byte, answer func(from int, b []byte) error) {
	throw(c.asks(what, question, answer))
}

func (c *company) asks(what parts.Kind, question func(to int) []byte, answer func(from int, b []byte) error) error {
	errs, all := make([]error, c.of), make([][]byte, c.of)
	for of := range c.answersTo(what, question) {
		all[of.from], errs[of.from] = of.b, of.err
	}
	for from, b := range all {
		if errs[from] == nil && b != nil && answer != nil {
			errs[from] = unread(answer(from, b))
		}
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// reply is the answer of a part.
type reply struct {
	from int
	b    []byte
	err  error
}

// answersTo asks every other part, but for those whose question is nil, and gives the answers as they come. Who stops listening leaves the
// rest.
func (c *company) answersTo(what parts.Kind, question func(to int) []byte) iter.Seq[reply] {
	return func(yield func(reply) bool) {
		answers, asked := make(chan reply, c.of), 0
		for to := range c.of {
			if q := question(to); to != c.number && q != nil {
				asked++
				go func() {
					b, err := c.ask(to, what, q)
					answers <- reply{to, b, err}
				}()
			}
		}
		for range asked {
			if !yield(<-answers) {
				return
			}
		}
	}
}

// written is a message between parts of one build, and read reads it.
func written(what any) []byte {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(what); err != nil {
		panic(err) // no value that a search sends is of a type that cannot be written
	}
	return b.Bytes()
}

func read(b []byte, what any) error { return gob.NewDecoder(bytes.NewReader(b)).Decode(what) }

func same(b []byte) func(int) []byte { return func(int) []byte { return b } }

// A beginning says how a search begins.
type beginning struct {
	Spared, Unlike []string
	Exact, Judges  bool
	Resume         bool
	MaxMemory      int64
}

// begin has the other parts begin.
func (c *company) begin(from *saved) {
	x := c.x
	b := beginning{Unlike: x.guessed.unlikeNames(), Exact: x.opt.Exact, Judges: x.opt.Judge != nil, Resume: from != nil, MaxMemory: x.opt.MaxMemory}
	for name := range x.guessed.spared {
		b.Spared = append(b.Spared, name)
	}
	layer := 0
	if from != nil {
		layer = from.header.Layer
	}
	c.ex.Answer(c.answer)
	at := make([]int, c.of)
	at[c.number] = layer
	c.others(parts.Begin, same(written(b)), func(part int, b []byte) error { return read(b, &at[part]) })
	for part := range at {
		if at[part] != layer {
			throw(badCheckpoint("resume: the checkpoint of part %d of %d is of layer %d, but that of the first is of layer %d", part+1, c.of, at[part], layer))
		}
	}
}

// A layerOrder has the parts expand a layer.
type layerOrder struct {
	Exact  bool
	Claims []Tested
}

// An expanded layer is what a part says of it when it is through.
type expanded struct{ Limit decide.Limit }

// between is how often parts are asked how far they have come, while a layer is expanded.
var between = 500 * time.Millisecond

// expand has all parts expand the present layer.
func (c *company) expand() {
	x := c.x
	ended := make(chan error, 1)
	all := make([]expanded, c.of)
	go func() {
		o := layerOrder{x.exact, x.res.tested()}
		ended <- c.asks(parts.Expand, same(written(o)), func(from int, b []byte) error { return read(b, &all[from]) })
	}()
	beats, stop := make(chan struct{}), make(chan struct{})
	go func() { defer close(beats); c.beat(stop) }()
	err := c.expandOwn(ended)
	close(stop)
	<-beats
	throw(err)
	for _, e := range all {
		if x.res.Limit.None() {
			x.res.Limit = e.Limit
		}
	}
	if x.opt.MaxMemory > 0 || x.resumed { // the search that it goes on with may have had less memory
		c.winnow()
	}
}

// expandOwn expands the leader's share, and then waits for the others. It looks at the limits meanwhile.
func (c *company) expandOwn(ended chan error) (err error) {
	c.x.expandShare()
	tick := time.NewTicker(between)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			return err
		case <-tick.C:
			c.x.looks = 0 // seldom enough to tell of the progress each time
			c.x.look()
		}
	}
}

// found is how many states were found in the present layer, in this part.
func (x *explorer) found() (n int64) {
	for _, s := range x.workers {
		n += s.next.States
	}
	return n
}

// beat asks the others now and then how far they have come, and tells them to stop when the search is to.
func (c *company) beat(stop chan struct{}) {
	tick := time.NewTicker(between)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
		}
		stopped := c.x.stop.Load()
		_ = c.asks(parts.Far, same(written(stopped)), func(from int, b []byte) error { // what is lost is noticed by who waits for more
			var at farAt
			err := read(b, &at)
			f := &c.far[from]
			f.states.Store(at.States)
			f.generated.Store(at.Generated)
			return err
		})
	}
}

// A farAt is what a part answers to how far it has come.
type farAt struct {
	States, Generated int64
	Spilled           bool // the set has runs
}

// met is how many states were met so far, as far as it is known.
func (x *explorer) met() int64 {
	n := x.states + x.fresh.Load()
	if x.parts != nil {
		for i := range x.parts.far {
			n += x.parts.far[i].states.Load()
		}
	}
	return n
}

// made is how many steps were taken so far, as far as it is known.
func (x *explorer) made() int64 {
	n := x.generated.Load()
	if x.parts != nil {
		for i := range x.parts.far {
			n += x.parts.far[i].generated.Load()
		}
	}
	return n
}

// settle ends a layer in every part; own is what was found in this one. It returns what was in all.
func (c *company) settle(own int64) (states int64) {
	c.settleNotes()
	c.others(parts.Settle, same([]byte{}), func(from int, b []byte) error {
		c.sums[from] = summary{}
		return read(b, &c.sums[from])
	})
	for i := range c.far {
		c.far[i].states.Store(0)
		c.far[i].generated.Store(0)
	}
	c.sums[c.number] = summary{States: own}
	for i := range c.sums {
		states += c.sums[i].States
	}
	return states
}

// addUp adds to a result what the other parts did, and what their sets take up.
func (c *company) addUp(r *Result) {
	for part := range c.sums {
		r.HandlerCalls += c.calls[part]
		r.Bytes += c.sums[part].Bytes
		r.DiskBytes += c.sums[part].Disk
	}
}

// fewestSent is the default of Options.FewestSent.
const fewestSent = 128

// next evens out what the parts have found, and makes it the present layer everywhere. It returns how many
// states others have.
func (c *company) next() (others int64) {
	states := make([]int64, c.of)
	for part := range c.sums {
		states[part] = c.sums[part].States
	}
	orders := make([][]parts.Transfer, c.of)
	for _, t := range parts.Even(states, cmp.Or(c.x.opt.FewestSent, fewestSent)) {
		orders[t.From] = append(orders[t.From], t)
	}
	sent := make(chan error, 1)
	go func() {
		sent <- c.asks(parts.Send, func(to int) []byte {
			if len(orders[to]) == 0 {
				return nil
			}
			return written(orders[to])
		}, nil)
	}()
	err := c.send(orders[c.number])
	throw(cmp.Or(<-sent, err))
	c.others(parts.Next, same(written(len(c.x.res.Widths)+1)), func(_ int, b []byte) error {
		var width int64
		err := read(b, &width)
		others += width
		return err
	})
	return others
}

// doubt has the other parts ask their handlers again.
func (c *company) doubt() { c.others(parts.Doubt, same([]byte{}), nil) }

// end ends the search in the other parts; whole says that their files are not needed any more.
func (c *company) end(whole bool) { c.others(parts.End, same(written(whole)), nil) }

// keep writes the checkpoints of all parts. It counts when all of them have.
func (c *company) keep() error {
	kept := make([][]byte, c.of)
	c.others(parts.Keep, same([]byte{}), func(from int, b []byte) error { kept[from] = b; return nil })
	own, err := c.keepOwn()
	if kept[c.number] = own; err == nil && c.x.opt.Store != nil {
		err = c.x.opt.Store.Commit(c.x.res.Depth, kept)
	}
	return err
}

// keepOwn writes the checkpoint of this part, and puts its files into the store.
func (c *company) keepOwn() ([]byte, error) {
	h, err := c.x.writeOwn()
	if err != nil || c.x.opt.Store == nil {
		return nil, err
	}
	return c.x.opt.Store.Keep(c.x.files.Path(), append(slices.Clone(h.Files), checkpoint.Name), c.x.res.Depth)
}

// noteOf and named are those of the set of the owner.
func (c *company) noteOf(of fingerprint.Print) (note uint32, ok bool, err error) {
	owner := parts.Owner(of, c.of)
	if owner == c.number {
		return c.x.set.NoteOf(of)
	}
	b, err := c.ask(owner, parts.Note, parts.Prints(nil, []fingerprint.Print{of}))
	throw(err)
	var n noteOf
	throw(unread(read(b, &n)))
	return n.Note, n.Known, nil
}

type noteOf struct {
	Note  uint32
	Known bool
}

func (c *company) named(tag uint32) ([]fingerprint.Print, error) {
	all, err := c.x.set.Named(tag)
	if err != nil {
		return nil, err
	}
	c.others(parts.Named, same(written(tag)), func(_ int, b []byte) error {
		some, err := parts.ReadPrints(b)
		all = append(all, some...)
		return err
	})
	sortPrints(all)
	return all, nil
}
