package search

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/parts"
	"contend/checker/search/portable"
	"contend/checker/search/storage"
	"contend/checker/search/storage/faulty"
	"contend/checker/search/visited"
	"contend/model"
	"contend/model/value"
)

// Each call of the files of another part fails in turn, or of the first one: the search in parts ends with an error that names the file, or
// finds what it would find without files. Nobody waits for what the part that failed does not say any more.
func TestFilesOfPartsFail(t *testing.T) {
	claims := []model.Claim{never(1)}
	want := findings(explore(t, turning(), Options{Exact: true}, claims...))
	// run is a search in three parts, of which one has a disk of its own; what it comes to is told at once if it hangs.
	run := func(failing int, disk *faulty.FS, most int64) (said string, err error) {
		opt := Options{Exact: true, MaxMemory: 1 << 40, table: 1, chunks: 1000}
		o, _, done := inParts(t, 3, turning, claims, opt, func(part int, o *Options) {
			if part == failing {
				o.files = disk
			}
		})
		if failing == 0 {
			o.files = disk
		}
		type outcome struct {
			r   *Result
			err error
		}
		defer func() {
			if left := disk.Left(); len(left) > 0 {
				t.Errorf("part %d, call %d was %s: open files are left: %v", failing, disk.At, disk.Fault, left)
			}
		}()
		ended := make(chan outcome, 1)
		sorted(most, func() {
			tuned(t, 1, 1<<40, func() {
				defer done() // the others may be at it still
				go func() {
					r, err := Run(turning(), claims, pure(o))
					ended <- outcome{r, err}
				}()
				select {
				case e := <-ended:
					if err = e.err; err == nil {
						said = findings(e.r)
					}
				case <-time.After(20 * time.Second):
					t.Fatalf("a search hangs; in part %d call %d was %s: %s", failing, disk.At, disk.Fault, disk.Call(disk.At))
				}
			})
		})
		return said, err
	}
	for part := range 2 {
		for _, most := range []int64{60, 1 << 20}[:few(2, 1)] { // sorted in several stretches, and in one
			var whole faulty.FS
			if said, err := run(part, &whole, most); err != nil || said != want {
				t.Fatalf("%v: %s, want %s", err, said, want)
			}
			calls, failed := whole.Calls(), 0
			for call := 1 + part; call <= calls; call += few(1, 13) {
				disk := &faulty.FS{At: call, Fault: []faulty.Fault{faulty.Full, faulty.Refused}[call%2]}
				said, err := run(part, disk, most)
				if what := fmt.Sprintf("part %d, %s %v: ", part, disk.Call(call), disk.Fault); err == nil && said != want {
					t.Fatalf("%s%s, want %s", what, said, want)
				} else if err != nil {
					if failed++; !errors.As(err, new(Storage)) {
						t.Fatalf("%sthe error is none of files: %v", what, err)
					}
				}
			}
			if t.Logf("part %d: of %d calls %d failed", part, calls, failed); failed < 4 {
				t.Error("too few")
			}
		}
	}
}

// Where a part fails while another one waits for what it claims, that one is told to wait no longer, and the search ends by what failed.
func TestNobodyWaitsForAPartThatFailed(t *testing.T) {
	abandoned := make(chan struct{})
	s := &stub{answer: func(what parts.Kind, _ []byte) ([]byte, error) {
		return answering(func() ([]byte, error) {
			switch what {
			case parts.Far:
				return written(farAt{Spilled: true}), nil
			case parts.Winnow:
				return nil, Storage{errors.New("no")}
			case parts.Abandon:
				close(abandoned)
				return nil, nil
			}
			<-abandoned // it claims nothing any more, and who owns what is claimed waits for it
			return nil, errLeft
		}), nil
	}}
	x := unsearched(t)
	x.set = visited.New(false, 1)
	t.Cleanup(x.set.Close)
	c := newCompany(x, s)
	ended := make(chan any, 1)
	go func() {
		defer func() { ended <- recover() }()
		c.winnow()
	}()
	select {
	case why := <-ended:
		if failed, is := why.(Storage); !is || failed.Err.Error() != "part 2 of 2: no" {
			t.Errorf("it ends by %v", why)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it waits for good")
	}
}

// A part whose search is stopped in the middle of a layer, or whose leader is lost there, leaves no file open.
func TestPartsThatAreLeftCloseTheirFiles(t *testing.T) {
	for _, lost := range []bool{false, true} {
		disk := &faulty.FS{}
		opt := Options{Exact: true, MaxStates: 2500, MaxMemory: 1 << 40, table: 1 << 20, chunks: 100}
		o, w, done := inParts(t, 3, choosing, []model.Claim{never(1)}, opt, func(part int, o *Options) {
			if part == 1 {
				o.files = disk
			}
		})
		settled := 0
		w.fails = func(what parts.Kind) bool {
			if what == parts.Settle {
				settled++
			}
			return lost && what == parts.Settle && settled == 3 // of the second layer
		}
		var r *Result
		var err error
		tuned(t, 1, 1<<40, func() { r, err = Run(choosing(), []model.Claim{never(1)}, pure(o)) })
		done()
		if left := disk.Left(); len(left) > 0 || disk.Calls() == 0 || (err != nil) != lost || !lost && r.Complete {
			t.Errorf("lost %v: %v; after %d calls open files are left: %v", lost, err, disk.Calls(), left)
		}
	}
}

// A part that cannot read its files says so, whatever it is asked that they tell.
func TestPartsThatCannotReadTheirFiles(t *testing.T) {
	claims := []model.Claim{never(1)}
	s, disk := turning(), &faulty.FS{}
	codec, err := value.For(s, claims)
	if err != nil {
		t.Fatal(err)
	}
	x := newExplorer(s, codec, claims, pure(Options{MaxMemory: 1 << 40, table: 1, chunks: 4000}), component.Closing, newGuesses())
	x.files = storage.Temporary(disk)
	x.held.Directory = x.files
	x.set = visited.New(false, 1)
	defer x.files.Close()
	defer x.set.Close()
	defer x.shareMemory()()
	if _, err := x.search(nil); err != nil || x.set.DiskBytes() == 0 {
		t.Fatal(err, x.set.DiskBytes())
	}
	took := func(parts.Kind, []byte) ([]byte, error) { return []byte{done}, nil }
	c := &company{ex: &stub{answer: took}, x: x, of: 1, claims: map[uint64]*gathering{}, writer: portable.NewWriter(x.Engine)}
	s0, v := x.workers[0], x.runTo(x.roots[0]).V
	for k := range uint64(10_000) {
		must(s0.next.Add(fingerprint.Print{A: k + 1}, v))
	}
	asks := map[string]func() error{
		"names": func() error {
			for tag := range uint32(64) { // whose entries are in different blocks
				if _, err := c.named(tag << 25); err != nil {
					return err
				}
			}
			return nil
		},
		"states":    func() error { return c.send([]parts.Transfer{{To: 1, States: 20_000}}) },
		"claimants": func() error { _, err := c.gather(0, stretch{0, 1}, x.roots); return err },
	}
	for what, ask := range asks {
		disk.At, disk.Fault = disk.Calls()+1, faulty.Refused
		if err := ask(); err == nil || disk.Calls() < disk.At {
			t.Errorf("%s: no error, or it reads nothing", what)
		}
		if err := ask(); err != nil { // the next call does not fail
			t.Errorf("%s, again: %v", what, err)
		}
	}
}
