package search

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/zeebo/xxh3"

	"contend/checker/search/absorb"
	"contend/checker/search/checkpoint"
	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/frontier"
	"contend/checker/search/storage"
	"contend/checker/search/suspect"
	"contend/checker/search/visited"
)

// BadCheckpoint is the error of a search that cannot continue from a checkpoint, or cannot start because of one.
type BadCheckpoint struct{ Err error }

func (b BadCheckpoint) Error() string { return b.Err.Error() }

func (b BadCheckpoint) Unwrap() error { return b.Err }

func badCheckpoint(format string, args ...any) error {
	return BadCheckpoint{fmt.Errorf(format, args...)}
}

// checkpointEvery is the shortest time between two checkpoints. Writing them takes at most a tenth of the time.
const checkpointEvery = time.Minute

// keepCheckpoint writes a checkpoint if one is due.
func (x *discreteSearch) keepCheckpoint() {
	if x.opt.Checkpoint == "" {
		return
	}
	now := x.opt.Now()
	every := x.opt.every
	if every == checkpointEvery {
		every = max(every, 10*x.checkpointTook)
	}
	if now.Sub(x.checkpointAt) < every {
		return
	}
	must(x.writeCheckpoint())
	x.checkpointAt = x.opt.Now()
	x.checkpointTook = x.checkpointAt.Sub(now)
}

// keepStopped writes a checkpoint of a search that a limit stopped within a layer. The checkpoint is of the start
// of the layer. What the layer found is not counted yet, and the notes mark its states.
func (x *discreteSearch) keepStopped() {
	if x.opt.Checkpoint != "" && !x.res.Limit.None() && !x.refused() {
		must(x.writeCheckpoint())
		x.res.Notes = append(x.res.Notes, "a checkpoint is kept, from which it goes on with --resume")
	}
}

func (x *discreteSearch) writeCheckpoint() (err error) {
	c := x.describe()
	if c.Set, err = x.set.Save(x.files); err != nil {
		return err
	}
	if c.Layer, err = x.layer.Save(x.files); err != nil {
		return err
	}
	h := &checkpoint.Header{Check: x.opt.Identity, Program: program(), States: x.states, Layer: x.res.Depth,
		Spent: x.spent + x.opt.Now().Sub(x.begun), Next: x.files.Next(), Files: []string{c.Layer.File.Name}}
	for _, run := range c.Set {
		h.Files = append(h.Files, run.File.Name)
	}
	return checkpoint.Write(x.files, h, c)
}

// directory prepares the directory for files. It returns the checkpoint to continue from, or nil.
func (o *Options) directory() (*storage.Directory, *saved, error) {
	if o.Checkpoint == "" {
		return storage.Temporary(o.files), nil, nil
	}
	d, err := storage.Keep(o.files, o.Checkpoint)
	if err != nil {
		return nil, nil, BadCheckpoint{err}
	}
	from, err := o.takeUp(d)
	if err != nil {
		d.Close()
		return nil, nil, err
	}
	return d, from, nil
}

// takeUp reads the checkpoint of a directory. Without Resume it checks that there is none.
func (o *Options) takeUp(d *storage.Directory) (*saved, error) {
	names, err := d.Files()
	switch {
	case err != nil:
		return nil, BadCheckpoint{err}
	case !o.Resume && len(names) > 0:
		return nil, badCheckpoint("%s holds the files of a search that did not come to its end: go on with it by --resume, or remove them", d.Path())
	case !o.Resume:
		return nil, nil
	}
	from := &saved{}
	h, err := checkpoint.Read(d, from)
	if errors.Is(err, fs.ErrNotExist) && len(names) > 0 {
		return nil, badCheckpoint("resume: %s is not there, though other files of a search are", filepath.Join(d.Path(), checkpoint.Name))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, badCheckpoint("resume: there is no checkpoint in %s", d.Path())
	}
	if err != nil {
		return nil, badCheckpoint("resume: %w", err)
	}
	if differs := h.Differs(o.Identity); differs != "" {
		return nil, badCheckpoint("resume: the checkpoint in %s is of another check: %s", d.Path(), differs)
	}
	if h.Program != program() {
		return nil, badCheckpoint("resume: another build of this program wrote the checkpoint in %s; its handlers may differ", d.Path())
	}
	from.header = h
	d.SetNext(h.Next)
	d.Clear(append(h.Files, checkpoint.Name)...) // files that were created after it
	return from, nil
}

// program is a hash of the executable; 0 if it cannot be read.
var program = sync.OnceValue(func() uint64 {
	path, err := os.Executable()
	if err != nil {
		return 0
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	return xxh3.Hash(text)
})

// saved is the state of a search at the start of a layer, in a checkpoint.
type saved struct {
	header *checkpoint.Header

	Components component.Saved
	Absorbed   absorb.Saved

	Spared, Unlike, Notes []string
	Exact                 bool
	Generated, States     int64
	HandlerCalls          int64
	Widths                []int64
	Cut                   map[string]int64
	Claims                []Tested
	Broken                []suspect.Suspect  // confirmed by the interpreter
	Costs                 []suspect.Extremes // of the complete layers
	Locked                int64
	Failures              bool
	Absorbs               bool
	Orders                orders
	Roots, Finals         [][2]uint64

	Set   []visited.Saved
	Layer frontier.Saved
}

func savedPrints(list []fingerprint.Print) [][2]uint64 {
	var out [][2]uint64
	for _, p := range list {
		out = append(out, [2]uint64{p.A, p.B})
	}
	return out
}

func loadedPrints(list [][2]uint64) []fingerprint.Print {
	var out []fingerprint.Print
	for _, p := range list {
		out = append(out, fingerprint.Print{A: p[0], B: p[1]})
	}
	return out
}

// describe returns the state of the search without its states.
func (x *discreteSearch) describe() *saved {
	c := &saved{
		Components: x.Store.Save(),
		Spared:     slices.Sorted(maps.Keys(x.guessed.spared)), Unlike: slices.Sorted(maps.Keys(x.guessed.unlike)), Notes: x.guessed.notes, Exact: x.opt.Exact,
		Generated: x.before.generated, States: x.states, HandlerCalls: x.before.calls, Widths: x.res.Widths, Cut: x.res.Cut, Claims: x.res.tested(), Costs: x.costs, Locked: x.locked, Failures: x.failures,
		Orders: x.orders(), Roots: savedPrints(x.roots), Finals: savedPrints(x.finals),
	}
	for _, r := range x.reductions {
		r.save(c)
	}
	c.Broken = x.confirmed
	return c
}

// restore restores the search from a checkpoint. It reads every file to the end before the search continues.
func (x *discreteSearch) restore(c *saved) error {
	x.Store.Restore(&c.Components)
	for _, r := range x.reductions {
		r.restore(c)
	}
	x.generated.Store(c.Generated)
	x.resumed = true
	x.states, x.Calls, x.roots, x.finals, x.judged = c.States, c.HandlerCalls, loadedPrints(c.Roots), loadedPrints(c.Finals), len(c.Finals)
	x.before, x.spent = counts{c.Generated, c.HandlerCalls}, c.header.Spent
	r := x.res
	r.Widths, r.Depth, r.Cut = c.Widths, len(c.Widths)-1, notNil(c.Cut)
	r.restore(c.Claims)
	x.costs = c.Costs
	x.locked, x.failures, x.tried = c.Locked, c.Failures, c.Orders
	r.Notes = append(r.Notes, fmt.Sprintf("it went on from layer %d, with %d states and after %v", c.header.Layer, c.States, c.header.Spent.Round(time.Second)))
	x.notes.layer()
	for _, s := range x.workers {
		s.Refresh()
	}
	if err := x.restoreStates(c); err != nil {
		return badCheckpoint("resume: %w", err)
	}
	for _, broken := range c.Broken {
		x.confirm(broken)
	}
	return nil
}

// restoreStates loads the set and the layer.
func (x *discreteSearch) restoreStates(c *saved) error {
	x.set.BeginLayer(len(c.Widths))
	if err := x.set.Load(x.files, c.Set); err != nil {
		return err
	}
	if err := x.set.Verify(); err != nil {
		return err
	}
	if err := x.layer.Load(&x.held, c.Layer); err != nil {
		return err
	}
	return x.layer.Verify()
}

func notNil[K comparable, V any](m map[K]V) map[K]V {
	if m == nil {
		return map[K]V{}
	}
	return m
}

func (c *saved) guesses() guesses {
	g := newGuesses()
	for _, name := range c.Spared {
		g.spared[name] = true
	}
	for _, name := range c.Unlike {
		g.unlike[name] = true
	}
	g.notes = c.Notes
	return g
}
