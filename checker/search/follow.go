package search

import (
	"errors"
	"fmt"
	"sync"

	"contend/checker/heap"
	"contend/checker/search/component"
	"contend/checker/search/parts"
	"contend/checker/search/storage"
	"contend/checker/search/visited"
	"contend/model"
	"contend/model/value"
)

// A Follower takes part in searches that another part leads.
type Follower struct {
	sys    *model.System
	codec  *value.Codec
	claims []model.Claim
	opt    Options
	ex     parts.Exchange

	mu    sync.Mutex // guards what follows: who is asked something waits for what was asked before
	files *storage.Directory
	x     *explorer
	undo  func()
}

// Follow answers what the part of a search is asked that is at this end of an exchange, until it is closed.
func Follow(s *model.System, claims []model.Claim, opt Options, ex parts.Exchange) (*Follower, error) {
	heap.Prepare()
	codec, err := value.For(s, claims)
	if err != nil {
		return nil, err
	}
	opt.Exchange, opt.Crew, opt.Confirm, opt.Judge, opt.MaxStates, opt.Progress, opt.Violated = ex, nil, nil, nil, 0, nil, nil
	if opt.MaxSpurious == 0 {
		opt.MaxSpurious = usualSpurious
	}
	f := &Follower{sys: s, codec: codec, claims: claims, opt: opt, ex: ex}
	ex.Answer(f.answer)
	return f, nil
}

// Close ends the part.
func (f *Follower) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.leave()
	if f.files != nil {
		f.files.Close()
		f.files = nil
	}
}

// leave ends the search.
func (f *Follower) leave() {
	if f.x != nil {
		f.x.parts.leave()
		f.undo()
		f.x.closeLayers()
		f.x.parts.log.Close()
		f.x.set.Close()
		f.x = nil
	}
}

// answer answers what a part is asked.
func (f *Follower) answer(from int, what parts.Kind, question []byte) []byte {
	switch what {
	case parts.Begin:
		return answering(func() ([]byte, error) { return f.begin(question) })
	case parts.End:
		return answering(func() ([]byte, error) { return f.end(question) })
	}
	f.mu.Lock()
	x := f.x
	f.mu.Unlock()
	if x == nil {
		return answering(func() ([]byte, error) { return nil, fmt.Errorf("it has not begun a search") })
	}
	switch what {
	case parts.New, parts.Claim, parts.Take:
		return x.parts.answer(from, what, question)
	}
	return x.parts.answered(func() ([]byte, error) { return x.parts.follow(what, question) })
}

// begin begins a search, or begins it again.
func (f *Follower) begin(question []byte) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var b beginning
	if err := read(question, &b); err != nil {
		return nil, err
	}
	f.leave()
	opt := f.opt
	opt.Exact, opt.Resume, opt.MaxMemory = b.Exact, b.Resume, b.MaxMemory
	if b.Judges {
		opt.Judge = func(Candidate) error { return nil } // the leader judges: final states are to be kept for it
	}
	from, err := f.directory(&opt)
	if err != nil {
		return nil, err
	}
	g := newGuesses()
	for _, name := range b.Spared {
		g.spared[name] = true
	}
	for _, name := range b.Unlike {
		g.unlike[name] = true
	}
	x := newExplorer(f.sys, f.codec, f.claims, opt, component.Closing, g)
	x.files, x.held.Directory = f.files, f.files
	x.set = visited.New(opt.Wide, len(x.workers))
	f.x, f.undo = x, x.shareMemory()
	if x.opt.Now != nil {
		x.begun = x.opt.Now()
	}
	if x.sym != nil {
		x.sym.CheckInitial()
	}
	layer := 0
	if from != nil {
		layer = from.header.Layer
		if err := x.restore(from); err != nil {
			return nil, err
		}
	}
	return written(layer), nil
}

// directory prepares the part's directory, and gives the checkpoint to go on from. A search that begins again, with other
// guesses, goes on from none.
func (f *Follower) directory(opt *Options) (from *saved, err error) {
	if f.files == nil {
		f.files, from, err = opt.directory()
		f.opt.files, f.opt.every, f.opt.Now = opt.files, opt.every, opt.Now
	}
	return from, err
}

func (f *Follower) end(question []byte) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var whole bool
	if err := read(question, &whole); err != nil {
		return nil, err
	}
	kept := f.x != nil && f.x.opt.Checkpoint != ""
	f.leave()
	if whole && kept {
		f.files.Forget()
	}
	return nil, nil
}

// follow does what the leader asks of a part.
func (c *company) follow(what parts.Kind, question []byte) ([]byte, error) {
	x := c.x
	switch what {
	case parts.Expand:
		return c.expandFor(question)
	case parts.Far:
		return c.tellFar(question)
	case parts.Winnow:
		var w winnowing
		if err := read(question, &w); err != nil {
			return nil, err
		}
		return nil, c.winnowOwn(w)
	case parts.Settle:
		return written(c.summarize()), nil
	case parts.Send:
		var orders []parts.Transfer
		if err := read(question, &orders); err != nil {
			return nil, err
		}
		return nil, c.send(orders)
	case parts.Next:
		return c.nextFor(question)
	case parts.Keep:
		return c.keepOwn()
	case parts.Note:
		all, err := parts.ReadPrints(question)
		if err != nil || len(all) != 1 {
			return nil, fmt.Errorf("one fingerprint is asked about at a time")
		}
		note, known, err := x.set.NoteOf(all[0])
		must(err)
		return written(noteOf{note, known}), nil
	case parts.Named:
		var tag uint32
		if err := read(question, &tag); err != nil {
			return nil, err
		}
		all, err := x.set.Named(tag)
		must(err)
		return parts.Prints(nil, all), nil
	case parts.Abandon:
		c.abandon(parts.Lost{Err: errors.New(string(question))})
		return nil, nil
	case parts.Doubt:
		x.doubt(func() {})
		return nil, nil
	}
	return nil, fmt.Errorf("nothing is known of questions of kind %d", what)
}

// expandFor expands the part's share of a layer.
func (c *company) expandFor(question []byte) ([]byte, error) {
	x := c.x
	var o layerOrder
	if err := read(question, &o); err != nil {
		return nil, err
	}
	x.exact = o.Exact
	x.res.restore(o.Claims)
	x.before = counts{x.generated.Load(), x.Calls}
	x.expandShare()
	return written(expanded{x.res.Limit}), nil
}

func (c *company) tellFar(question []byte) ([]byte, error) {
	x := c.x
	var stop bool
	if err := read(question, &stop); err != nil {
		return nil, err
	}
	if stop {
		x.stop.Store(true)
	}
	return written(farAt{x.fresh.Load(), x.generated.Load() - x.before.generated, x.set.Spilled()}), nil
}

// nextFor makes what was found the present layer.
func (c *company) nextFor(question []byte) ([]byte, error) {
	x := c.x
	var layer int
	if err := read(question, &layer); err != nil {
		return nil, err
	}
	x.takeFound()
	x.res.Widths = append(x.res.Widths, 0)
	x.res.Depth = layer - 1
	x.set.BeginLayer(layer)
	x.before = counts{x.generated.Load(), x.Calls}
	x.stop.Store(false)
	return written(x.layer.States), nil
}
