package search

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/zeebo/xxh3"

	"contend/checker/search/checkpoint"
	"contend/checker/search/storage"
)

// BadCheckpoint says why a search does not go on from a checkpoint, or does not begin where there
// is one.
type BadCheckpoint struct{ Err error }

func (b BadCheckpoint) Error() string { return b.Err.Error() }

func (b BadCheckpoint) Unwrap() error { return b.Err }

func badCheckpoint(format string, args ...any) error {
	return BadCheckpoint{fmt.Errorf(format, args...)}
}

// checkpointEvery is how often one is written, at least; writing takes up a tenth of
// the time at most.
const checkpointEvery = time.Minute

// keepCheckpoint writes a checkpoint, if it is time for one.
func (x *explorer) keepCheckpoint() {
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

// keepStopped writes a checkpoint of a search that a limit stopped in the middle of a layer, as
// it was when the layer began: what the layer found is not counted yet, and its notes tell
// which fingerprints it met.
func (x *explorer) keepStopped() {
	if x.opt.Checkpoint != "" && x.res.Limit != "" && !x.refused() {
		must(x.writeCheckpoint())
		x.res.Notes = append(x.res.Notes, "a checkpoint is kept, from which it goes on with --resume")
	}
}

func (x *explorer) writeCheckpoint() (err error) {
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

// directory prepares the directory for files, and returns the checkpoint to go on from, or nil.
func (o *Options) directory() (*storage.Directory, *saved, error) {
	if o.files == nil {
		o.files = storage.OS{}
	}
	if o.Checkpoint == "" {
		return storage.Temporary(o.files), nil, nil
	}
	if o.every == 0 {
		o.every = checkpointEvery
	}
	if o.Now == nil {
		o.Now = time.Now
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

// takeUp reads the checkpoint of a directory, or sees that there is none where none must be.
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
	d.GoOn(h.Next)
	d.Clear(append(h.Files, checkpoint.Name)...) // what was begun after it
	return from, nil
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
