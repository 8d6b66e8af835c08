package search

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"contend/checker/search/checkpoint"
	"contend/checker/search/fingerprint"
	"contend/checker/search/parts"
	"contend/checker/search/storage"
	"contend/checker/search/storage/faulty"
	"contend/checker/search/symmetry"
	"contend/checker/search/visited"
	"contend/model"
)

// following is a part of a search that another one leads, and its end of their exchange.
func following(t *testing.T, s *model.System, opt Options, claims ...model.Claim) (*stub, *Follower) {
	t.Helper()
	at := &stub{number: 1}
	f, err := Follow(s, claims, pure(opt), at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return at, f
}

// A part that is at the next layer keeps, in a checkpoint, what had come of the layers before, and when it began.
func TestWhatAPartKeeps(t *testing.T) {
	began := time.Unix(1000, 0)
	s, f := following(t, system(server("s", scripted{})), Options{MaxSpurious: 3, Now: func() time.Time { return began }}, never(1))
	if f.opt.MaxSpurious != 3 {
		t.Errorf("%d candidates are tried", f.opt.MaxSpurious)
	}
	s.by(0, parts.Begin, written(beginning{}))
	f.x.generated.Store(7)
	f.x.Calls = 5
	for layer := 1; layer <= 3; layer++ {
		if got := s.by(0, parts.Next, written(layer)); got[0] != done || len(f.x.res.Widths) != layer || f.x.res.Depth != layer-1 {
			t.Errorf("layer %d: %q, widths %v, depth %d", layer, got, f.x.res.Widths, f.x.res.Depth)
		}
	}
	if f.x.before != (counts{7, 5}) || !f.x.begun.Equal(began) {
		t.Errorf("before %+v, begun %v", f.x.before, f.x.begun)
	}
}

// A part that is told that a search ends which it has not begun has nothing to end. One that begins does without what is guessed wrongly.
func TestGuessesAreGivenOn(t *testing.T) {
	sys := system(client("c", scripted{}, "go"), client("d", scripted{}, "go"), server("s", scripted{}), server("t", scripted{}))
	s, f := following(t, sys, Options{Symmetry: true, Clients: true, Stale: true}, never(1))
	if got := s.by(0, parts.End, written(true)); len(got) != 1 || got[0] != done {
		t.Errorf("it ends before it begins: %q", got)
	}
	for _, unlike := range [][]string{nil, {symmetry.Servers}, {symmetry.Clients}, {symmetry.Servers, symmetry.Clients}} {
		if got := s.by(0, parts.Begin, written(beginning{Unlike: unlike, Spared: []string{"a", "b"}})); got[0] != done {
			t.Fatalf("it does not begin: %q", got)
		}
		if u := f.x.Uses; u.Servers == slices.Contains(unlike, symmetry.Servers) || u.Clients == slices.Contains(unlike, symmetry.Clients) {
			t.Errorf("unlike are %q: it uses %+v", unlike, u)
		}
		if g := f.x.guessed.spared; len(g) != 2 || !g["a"] || !g["b"] {
			t.Errorf("spared are %v", g)
		}
	}
}

// A part tells how far it has come since the layer began, and stops when it is told to.
func TestHowFarAPartHasCome(t *testing.T) {
	s, f := following(t, system(server("s", scripted{})), Options{}, never(1))
	s.by(0, parts.Begin, written(beginning{}))
	f.x.before.generated = 100
	f.x.generated.Store(130)
	f.x.fresh.Store(7)
	for _, stop := range []bool{false, true} {
		var at farAt
		if got := s.by(0, parts.Far, written(stop)); read(got[1:], &at) != nil || at != (farAt{States: 7, Generated: 30}) || f.x.stop.Load() != stop {
			t.Errorf("told to stop %v: %+v, it stops: %v", stop, at, f.x.stop.Load())
		}
	}
}

// A checkpoint that one part cannot keep does not count, for whatever part, and whichever call of its files fails.
func TestACheckpointOfAllPartsOrNone(t *testing.T) {
	disk := &faulty.FS{}
	calls := 0
	keep := func(refuses bool, at int) (committed [][]byte, err error) {
		files, err := storage.Keep(disk, kept)
		if err != nil {
			t.Fatal(err)
		}
		defer files.Close()
		if at > 0 {
			disk.At, disk.Fault = disk.Calls()+at, faulty.Refused
		}
		s := &stub{answer: func(parts.Kind, []byte) ([]byte, error) {
			return answering(func() ([]byte, error) {
				if refuses {
					return nil, Storage{errors.New("its disk is full")}
				}
				return []byte("of the other"), nil
			}), nil
		}}
		x, counts := unsearched(t, never(1)), &counter{}
		x.files, x.held.Directory = files, files
		x.set = visited.New(false, 1)
		defer x.set.Close()
		x.opt.Checkpoint, x.opt.Store, x.opt.Now = kept, counts, time.Now
		before := disk.Calls()
		defer func() {
			calls = disk.Calls() - before
			if p := recover(); p != nil {
				committed, err = counts.committed, p.(Storage)
			}
		}()
		err = (&company{ex: s, of: 2, x: x}).keep()
		return counts.committed, err
	}
	if got, err := keep(false, 0); err != nil || fmt.Sprintf("%s", got) != "[of this one of the other]" {
		t.Errorf("%s, %v", got, err)
	}
	if got, err := keep(true, 0); err == nil || got != nil {
		t.Errorf("the other part cannot keep it: %s, %v", got, err)
	}
	keep(false, 0)
	for at := range calls {
		disk = &faulty.FS{}
		got, err := keep(false, at+1)
		what, _, _ := strings.Cut(disk.Call(disk.At), " ")
		tidies := what == "close" || what == "list" // what is written is whole then
		if !tidies && (err == nil || got != nil) {
			t.Errorf("%s fails: %s, %v", disk.Call(disk.At), got, err)
		}
	}
}

// A counter is a store that keeps nothing but what was committed last.
type counter struct {
	parts.Store
	committed [][]byte
}

func (c *counter) Keep(string, []string, int) ([]byte, error) { return []byte("of this one"), nil }

func (c *counter) Commit(_ int, kept [][]byte) error {
	c.committed = kept
	return nil
}

// A part that cannot take part says so: whose states have no values, whose directory cannot be used, or whose checkpoint cannot be read.
func TestPartsThatCannotBegin(t *testing.T) {
	if f, err := Follow(system(model.NodeSpec{Name: "s", Role: model.Server, New: func() model.Node { return &unplain{} }}), nil, Options{}, &stub{number: 1}); err == nil || f != nil {
		t.Errorf("with states of no values: %v", err)
	}
	begun := &faulty.FS{}
	explore(t, turning(), Options{files: begun, Checkpoint: kept, MaxStates: 20}, never(1))
	damaged := &faulty.FS{}
	files := begun.Files()
	for name := range files {
		if name != filepath.Join(kept, checkpoint.Name) {
			files[name] = files[name][:len(files[name])/2]
		}
	}
	damaged.Put(files)
	for name, disk := range map[string]*faulty.FS{"not usable": {At: 1, Fault: faulty.Refused}, "damaged": damaged} {
		s := &stub{number: 1}
		f, err := Follow(turning(), []model.Claim{never(1)}, pure(Options{Checkpoint: kept, files: disk}), s)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.by(0, parts.Begin, written(beginning{Resume: true})); got[0] != stores {
			t.Errorf("%s: %q", name, got)
		}
		if f.Close(); len(disk.Left()) > 0 {
			t.Errorf("%s: files are left open: %v", name, disk.Left())
		}
	}
}

// unplain is a node whose states have no values.
type unplain struct{ C chan int }

func (*unplain) Start(model.Env) {}

// A part that leaves a search has what it was asked stop, and waits for it.
func TestWhoLeavesStops(t *testing.T) {
	s, f := following(t, system(server("s", scripted{})), Options{}, never(1))
	s.by(0, parts.Begin, written(beginning{}))
	c, asked, stopped, left := f.x.parts, make(chan struct{}), make(chan bool), make(chan struct{})
	go c.answered(func() ([]byte, error) {
		close(asked)
		for began := time.Now(); !c.x.stop.Load() && time.Since(began) < 10*time.Second; {
			time.Sleep(time.Millisecond)
		}
		select {
		case <-left:
			t.Error("it leaves before it has answered")
		default:
		}
		stopped <- c.x.stop.Load()
		return nil, nil
	})
	<-asked
	go func() {
		c.leave()
		close(left)
	}()
	if !<-stopped {
		t.Error("what it was asked goes on")
	}
	<-left
}

// States are sent until as many are gone as were asked for, or a few more; what all workers of a part saw put to the test is told, and nothing
// is counted twice in the next layer.
func TestWhatAPartGivesAway(t *testing.T) {
	s, f := following(t, turning(), Options{Workers: 2}, never(1), never(2))
	taken := int64(0)
	s.answer = func(what parts.Kind, question []byte) ([]byte, error) {
		if taken++; what != parts.Take {
			t.Errorf("it asks %d", what)
		}
		return answering(func() ([]byte, error) { return nil, nil }), nil
	}
	s.by(0, parts.Begin, written(beginning{}))
	x := f.x
	x.workers[1].Initial()
	v := slices.Clone(x.workers[1].vectors)
	x.workers[0].Refresh()
	for k := range uint64(10_000) {
		must(x.workers[1].next.Add(fingerprint.Print{A: k + 1, B: k}, v))
	}
	x.fresh.Store(10_000)
	if got := s.by(0, parts.Send, written([]parts.Transfer{{To: 0, States: 1}})); got[0] != done || taken != 1 || x.found() == 0 || x.found() == 10_000 {
		t.Errorf("%q: sent %d times, %d states are left", got, taken, x.found())
	}
	if got := s.by(0, parts.Send, written([]parts.Transfer{{To: 0, States: 3000}})); got[0] != done || taken < 3 || x.found() == 0 {
		t.Errorf("%q: sent %d times, %d states are left", got, taken, x.found())
	}
	x.workers[0].witnessed[0], x.workers[1].witnessed[1] = true, true
	left, sum := x.found(), summary{}
	if got := s.by(0, parts.Settle, nil); read(got[1:], &sum) != nil || !slices.Equal(sum.Witnessed, []bool{true, true}) || x.fresh.Load() != 0 || x.states != left {
		t.Errorf("put to the test %v, %d are new, %d met, of %d", sum.Witnessed, x.fresh.Load(), x.states, left)
	}
}

// A part that begins a search again keeps checkpoints where it did before.
func TestAPartBeginsAgain(t *testing.T) {
	disk := &faulty.FS{}
	s, _ := following(t, turning(), Options{Checkpoint: kept, files: disk}, never(1))
	for range 2 {
		if got := s.by(0, parts.Begin, written(beginning{})); got[0] != done {
			t.Fatalf("it does not begin: %q", got)
		}
		if got := s.by(0, parts.Keep, nil); got[0] != done || disk.Files()[filepath.Join(kept, checkpoint.Name)] == nil {
			t.Errorf("it keeps nothing: %q", got)
		}
	}
}
