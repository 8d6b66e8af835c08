package search

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"contend/checker/search/storage/faulty"
	"contend/model"
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
		for _, most := range []int64{1 << 20, 60} {
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
