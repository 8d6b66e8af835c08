package search

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"contend/checker/search/checkpoint"
	"contend/checker/search/storage"
	"contend/checker/search/storage/faulty"
	"contend/model"
)

// kept is where the searches of these tests keep their checkpoints.
const kept = "/kept"

// turning is a system of three servers that count, each again and again from the beginning: most states are met again in later layers, as
// only the runs in files tell.
func turning() *model.System {
	turn := scripted{
		start:   func(_ *scripted, env model.Env) { env.Send(env.Self(), 1) },
		receive: func(n *scripted, env model.Env, _ model.NodeID, _ any) { n.S = (n.S + 1) % 12; env.Send(env.Self(), 1) },
	}
	s := system(server("a", turn), server("b", turn), server("c", turn))
	s.Types = []any{mark{}, 0}
	return s
}

// stored is a search that keeps nearly everything in files, with a checkpoint now and then.
func stored(t *testing.T, disk *faulty.FS, workers int, resume bool) (*Result, error) {
	t.Helper()
	s, claims := turning(), []model.Claim{never(1), {Name: "a is not last", Kind: model.Always, Invariant: func(nodes []model.Node) error {
		if is := nodes[0].(*scripted).S + nodes[1].(*scripted).S; is == 22 {
			return errors.New("both are")
		}
		return nil
	}}}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	now := time.Unix(0, 0)
	opt := Options{
		Workers: workers, MaxMemory: 1 << 40, table: 1, chunks: 4000, files: disk, Checkpoint: kept, Resume: resume,
		Identity: []checkpoint.Field{{Name: "check", Value: "stored"}}, every: 10,
		Now: func() time.Time { now = now.Add(1); return now },
	}
	type outcome struct {
		r   *Result
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		r, err := Run(s, claims, opt)
		done <- outcome{r, err}
	}()
	select {
	case o := <-done:
		if left := disk.OpenFiles(); len(left) > 0 {
			t.Fatalf("files are open when a search ends, %v; call %d was %s: %v", o.err, disk.At, disk.Fault, left)
		}
		return o.r, o.err
	case <-time.After(2 * time.Minute):
		_ = pprof.Lookup("goroutine").WriteTo(os.Stderr, 2)
		t.Fatalf("a search hangs; call %d was %s", disk.At, disk.Fault)
		return nil, nil
	}
}

// found is what a search must find whatever happened to its files.
func found(r *Result) string {
	return fmt.Sprint(r.size(), r.Widths, r.Complete, r.witnessed(), r.Violated())
}

// parallel lets layers of few states be shared, so that workers meet at every call.
func parallel(t *testing.T) {
	old := atLeast
	atLeast = 8
	t.Cleanup(func() { atLeast = old })
}

// namesFile reports whether an error is one of the files, and names one.
func namesFile(err error) bool {
	var failed *storage.Error
	return (errors.As(err, new(Storage)) || errors.As(err, new(BadCheckpoint))) && errors.As(err, &failed) && failed.Path != "" ||
		errors.As(err, new(BadCheckpoint)) && strings.Contains(err.Error(), kept)
}

// Each call of the search's files fails in turn: there is no more room from then on, half is
// written and then it fails, it fails once, or the power goes out after it. The search finds what
// it would find without files, or ends with an error that names the file. Then it goes on from
// its last checkpoint to the same, whatever was not synced being lost.
func TestEveryCallFails(t *testing.T) {
	parallel(t)
	for _, workers := range []int{1, 2} {
		t.Run(fmt.Sprint("workers=", workers), func(t *testing.T) {
			var whole faulty.FS
			r, err := stored(t, &whole, workers, false)
			if err != nil || r.DiskBytes == 0 {
				t.Fatal(r, err)
			}
			if left := slices.Collect(maps.Keys(whole.Files())); len(left) > 0 {
				t.Fatalf("%v are left behind", left)
			}
			ways := 32
			if *full {
				ways = 8
			}
			want, calls, ended, resumed := found(r), whole.Calls(), 0, 0
			for call := 1; call <= calls; call++ {
				for _, fault := range []faulty.Fault{faulty.Full, faulty.Short, faulty.Refused, faulty.PowerLost} {
					if (call+int(fault))%ways != 0 {
						continue // each call fails in some of the ways, and its neighbours in the others
					}
					disk := &faulty.FS{At: call, Fault: fault}
					r, err := stored(t, disk, workers, false)
					if err == nil {
						if got := found(r); got != want {
							t.Fatalf("%s %v: found %s, want %s", disk.Call(call), fault, got, want)
						}
						continue
					}
					ended++
					if !namesFile(err) {
						t.Fatalf("%s %v: the error names no file: %v", disk.Call(call), fault, err)
					}
					if resumes(t, disk, workers, want, fmt.Sprint(disk.Call(call), " ", fault)) {
						resumed++
					}
				}
			}
			t.Logf("%d calls; %d searches ended with an error, of which %d went on from a checkpoint", calls, ended, resumed)
			if ended*ways*2 < calls*4 || resumed < ended/2 {
				t.Error("too few")
			}
		})
	}
}

// resumes goes on with a search after the power went out; false if there was no checkpoint yet.
func resumes(t *testing.T, disk *faulty.FS, workers int, want, what string) bool {
	complete := completed(disk)
	disk.Restart(disk.At%2 == 0)
	files := disk.Files()
	r, err := stored(t, disk, workers, true)
	if err != nil {
		if complete || files[filepath.Join(kept, checkpoint.Name)] != nil || !namesFile(err) {
			t.Fatalf("%s: a checkpoint was written, but: %v", what, err)
		}
		return false
	}
	if got := found(r); got != want {
		t.Fatalf("%s: it went on to %s, want %s", what, got, want)
	}
	return true
}

// completed reports whether a checkpoint was put in its place, and its directory synced, before
// anything failed.
func completed(disk *faulty.FS) bool {
	renamed := false
	for n := 1; n < disk.At; n++ {
		switch call := disk.Call(n); {
		case call == "rename "+filepath.Join(kept, checkpoint.Name):
			renamed = true
		case call == "sync "+kept && renamed:
			return true
		}
	}
	return false
}

// A full disk ends a search of any number of workers, with a sentence that says what to do.
func TestFullDisk(t *testing.T) {
	parallel(t)
	for _, workers := range []int{1, 2, 4} {
		disk := &faulty.FS{At: 5, Fault: faulty.Full}
		_, err := stored(t, disk, workers, false)
		if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), kept+"/") || !strings.Contains(err.Error(), "make room there") {
			t.Errorf("%d workers: %v", workers, err)
		}
	}
}

// A file that cannot be read while a way is taken again ends the search, and no claim is disputed for it.
func TestWaysThatCannotBeRead(t *testing.T) {
	run := func(disk *faulty.FS, confirm func()) error {
		opt := Options{MaxMemory: 1 << 40, table: 1, chunks: 4000, files: disk, Confirm: func(Candidate) (Confirmation, error) { confirm(); return Real, nil }}
		_, err := Run(turning(), []model.Claim{never(1), {Name: "a is not last", Kind: model.Always, Invariant: func(nodes []model.Node) error {
			if nodes[0].(*scripted).S == 11 && nodes[1].(*scripted).S == 11 {
				return errors.New("both are")
			}
			return nil
		}}}, pure(opt))
		return err
	}
	whole, read := &faulty.FS{}, 0
	if err := run(whole, func() { read = whole.Calls() }); err != nil || read == 0 {
		t.Fatal(read, err)
	}
	for call := read - 3; call <= read; call++ {
		disk, confirmed := &faulty.FS{At: call, Fault: faulty.Refused}, false
		err := run(disk, func() { confirmed = true })
		if is := (Storage{}); !errors.As(err, &is) || confirmed {
			t.Errorf("%s fails: confirmed %v, %v", whole.Call(call), confirmed, err)
		}
	}
}
