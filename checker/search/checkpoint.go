package search

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"contend/checker/search/visited"

	"github.com/zeebo/xxh3"
)

// A checkpoint is what a search needs to go on from the beginning of a layer after it
// was killed. The file named checkpoint tells all but the states: those are in the runs
// and in the file of the layer that it names. It is replaced in one step, so that there
// is always a whole one.
type checkpoint struct {
	Identity string // of the check
	Program  uint64 // a hash of the executable

	Components components
	Held       map[uint32][]uint32
	After      map[uint32][]uint32
	Echoes     []savedEcho
	Calls      []savedEcho // of those, the ones that were absorbed in a state

	Spared, Unlike, Notes []string
	Exact                 bool
	Generated, States     int64
	HandlerCalls          int64
	Widths                []int64
	Cut                   map[string]int64
	Witnessed, Reached    map[int]bool
	Spurious              map[int]int
	Broken                []savedCandidate // that the interpreter confirmed
	Disputed              map[int]string
	Locked                int64
	Roots, Finals         [][2]uint64

	Runs       []string // files, the table last
	RunLayers  []int
	LayerFile  string
	Chunks     []int // words of each
	LayerSize  int64
	FilesSoFar int
}

// BadCheckpoint says why a checkpoint cannot be gone on from.
type BadCheckpoint struct{ Text string }

func (b BadCheckpoint) Error() string { return "resume: " + b.Text }

const (
	checkpointFile  = "checkpoint"
	checkpointMagic = "contend checkpoint 1\n"
)

// checkpointEvery is how often one is written, at least; writing takes up a tenth of
// the time at most.
const checkpointEvery = time.Minute

// keepCheckpoint writes a checkpoint, if it is time for one.
func (x *explorer) keepCheckpoint() {
	if x.opt.Checkpoint == "" || x.graph != nil {
		return
	}
	now := x.opt.Now()
	every := x.opt.every
	if every == checkpointEvery {
		every = max(every, 10*x.checkpointTook)
	}
	if x.checkpointAt.IsZero() {
		x.checkpointAt = now
	}
	if now.Sub(x.checkpointAt) < every {
		return
	}
	if err := x.writeCheckpoint(); err != nil {
		panic(Storage{err})
	}
	x.checkpointAt = x.opt.Now()
	x.checkpointTook = x.checkpointAt.Sub(now)
}

func (x *explorer) writeCheckpoint() error {
	d := x.shelf()
	table, err := visited.WriteRun(d.path("states"), x.opt.Wide, len(x.res.Widths), x.set.Sorted)
	if err != nil {
		return err
	}
	defer table.Close()
	c := x.describe()
	for _, r := range append(slices.Clone(d.runs), table) {
		c.Runs, c.RunLayers = append(c.Runs, filepath.Base(r.Name())), append(c.RunLayers, r.Layer)
	}
	layer := d.path("layer")
	c.LayerFile = filepath.Base(layer)
	if c.Chunks, err = x.layer.write(layer); err != nil {
		return err
	}
	c.FilesSoFar = d.files
	if err := c.write(d.dir); err != nil {
		return err
	}
	for _, path := range d.stale {
		os.Remove(path) // what is left behind does no harm
	}
	d.stale = []string{table.Name(), layer}
	return nil
}

// describe lists everything but the states.
func (x *explorer) describe() *checkpoint {
	c := &checkpoint{
		Identity: x.opt.Identity, Program: program(), Components: x.store.save(),
		Spared: slices.Sorted(maps.Keys(x.guessed.spared)), Unlike: x.guessed.unlikeNames(), Notes: x.guessed.notes, Exact: x.opt.Exact,
		Generated: x.generated.Load(), States: x.states, HandlerCalls: x.calls, Widths: x.res.Widths, Cut: x.res.Cut, Witnessed: x.res.Witnessed,
		Reached: x.res.Reached, Spurious: x.res.Spurious, Disputed: x.res.Disputed, Locked: x.locked, Roots: savedPrints(x.roots), Finals: savedPrints(x.finals), LayerSize: x.layer.states,
	}
	if x.absorber != nil {
		x.absorber.save(c)
	}
	for _, b := range x.confirmed {
		c.Broken = append(c.Broken, savedCandidate{b.claim, b.monitor, b.text, b.key.A, b.key.B, b.step, b.boot})
	}
	return c
}

// write puts the description in place of the one before.
func (c *checkpoint) write(dir string) error {
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(c); err != nil {
		return err
	}
	file, err := os.CreateTemp(dir, checkpointFile+"-")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // when it was not put in place
	head := binary.LittleEndian.AppendUint64([]byte(checkpointMagic), xxh3.Hash(body.Bytes()))
	_, err = file.Write(append(head, body.Bytes()...))
	err = errors.Join(err, file.Sync(), file.Close())
	if err != nil {
		return err
	}
	return os.Rename(file.Name(), filepath.Join(dir, checkpointFile))
}

// checkpoint prepares the directory for checkpoints, and returns the one to go on from,
// or nil.
func (o *Options) checkpoint() (*checkpoint, error) {
	if o.Checkpoint == "" {
		return nil, nil
	}
	if o.every == 0 {
		o.every = checkpointEvery
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Resume {
		if c, err := readCheckpoint(o.Checkpoint, o.Identity); c != nil || err != nil {
			return c, err
		}
	}
	if err := os.RemoveAll(o.Checkpoint); err != nil {
		return nil, err
	}
	return nil, os.MkdirAll(o.Checkpoint, 0o777)
}

// readCheckpoint reads the one in a directory; nil when there is none.
func readCheckpoint(dir, identity string) (*checkpoint, error) {
	text, err := os.ReadFile(filepath.Join(dir, checkpointFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	body, ok := bytes.CutPrefix(text, []byte(checkpointMagic))
	if !ok || len(body) < 8 || binary.LittleEndian.Uint64(body) != xxh3.Hash(body[8:]) {
		return nil, BadCheckpoint{fmt.Sprintf("%s is not a whole checkpoint", filepath.Join(dir, checkpointFile))}
	}
	c := &checkpoint{}
	if err := gob.NewDecoder(bytes.NewReader(body[8:])).Decode(c); err != nil {
		return nil, BadCheckpoint{fmt.Sprintf("%s: %v", filepath.Join(dir, checkpointFile), err)}
	}
	switch {
	case c.Identity != identity:
		return nil, BadCheckpoint{fmt.Sprintf("the checkpoint is of %s, not of %s", c.Identity, identity)}
	case c.Program != program():
		return nil, BadCheckpoint{"another build of this program wrote the checkpoint; its handlers may differ"}
	}
	return c, nil
}

// program is a hash of the executable, or 0 where it cannot be read.
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

// restore makes the explorer what it was when it wrote a checkpoint.
func (x *explorer) restore(c *checkpoint) error {
	x.store.restore(&c.Components)
	if x.absorber != nil {
		x.absorber.restore(c)
	}
	x.generated.Store(c.Generated)
	x.states, x.calls, x.roots, x.finals, x.judged = c.States, c.HandlerCalls, loadedPrints(c.Roots), loadedPrints(c.Finals), len(c.Finals)
	x.locked = c.Locked
	r := x.res
	r.Widths, r.Depth, r.Cut = c.Widths, len(c.Widths)-1, notNil(c.Cut)
	r.Witnessed, r.Reached, r.Spurious, r.Disputed = notNil(c.Witnessed), notNil(c.Reached), notNil(c.Spurious), notNil(c.Disputed)
	x.exact = x.opt.Exact || x.states < exactUntil
	d := x.shelf()
	d.files = c.FilesSoFar
	for i, name := range c.Runs {
		run, err := visited.OpenRun(filepath.Join(d.dir, name), x.opt.Wide, c.RunLayers[i])
		if err != nil {
			return err
		}
		d.runs = append(d.runs, run)
	}
	table := d.runs[len(d.runs)-1]
	d.runs = d.runs[:len(d.runs)-1]
	defer table.Close()
	x.set.Reserve(table.Len()) // they come in order: a table that grew meanwhile would be full at one end
	for e := range table.All {
		x.set.Load(e)
	}
	layer := filepath.Join(d.dir, c.LayerFile)
	d.stale = []string{table.Name(), layer}
	for _, s := range x.workers {
		s.refresh()
	}
	if err := x.readLayer(layer, c); err != nil {
		return err
	}
	for _, broken := range c.Broken {
		x.confirm(candidate{claim: broken.Claim, monitor: broken.Monitor, text: broken.Text, key: print{A: broken.KeyA, B: broken.KeyB}, step: broken.Step, boot: broken.Boot})
	}
	return nil
}

func notNil[K comparable, V any](m map[K]V) map[K]V {
	if m == nil {
		return map[K]V{}
	}
	return m
}

// write writes the chunks of a layer into a file, and returns how many words each has.
func (l *layer) write(path string) ([]int, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	var words []int
	var buffer chunk
	for _, p := range l.chunks() {
		c := p.load(&buffer)
		words = append(words, len(c))
		if _, err := file.Write(asBytes(c)); err != nil {
			return nil, errors.Join(err, file.Close())
		}
	}
	return words, file.Close()
}

// readLayer makes the layer of a checkpoint the present one.
func (x *explorer) readLayer(path string, c *checkpoint) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	f := frontier{x: x, file: file, states: c.LayerSize}
	for _, words := range c.Chunks {
		f.chunks = append(f.chunks, piece{at: f.end, words: words})
		f.end += int64(words) * 4
	}
	if info, err := file.Stat(); err != nil || info.Size() != f.end {
		return errors.Join(err, BadCheckpoint{path + " is not as long as it was"}, file.Close())
	}
	x.layer = layer{parts: []frontier{f}, states: c.LayerSize}
	return nil
}

// forget removes the checkpoint of a search that came to its end.
func (x *explorer) forget() {
	if x.opt.Checkpoint != "" && x.res.Limit == "" {
		os.RemoveAll(x.opt.Checkpoint)
	}
}

func (g guesses) unlikeNames() []string { return slices.Sorted(maps.Keys(g.unlike)) }

func (c *checkpoint) guesses() guesses {
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
