package search

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"contend/checker/search/checkpoint"
	"contend/checker/search/storage"
	"contend/checker/search/storage/faulty"
	"contend/impl/ricartagrawala"
	"contend/model"
)

// longSearch is one that is killed, and its claims.
func longSearch(t *testing.T, dir string) (*model.System, []model.Claim, Options) {
	s, claims := built(t, ricartagrawala.Protocol, "", model.Config{N: 3}.With(model.Ops.Is(2)), safety...)
	return s, claims, Options{Checkpoint: dir, Identity: []checkpoint.Field{{Name: "check", Value: "a long search"}}, Workers: 2, every: 1}
}

// In a process of its own, to be killed.
func TestKilled(t *testing.T) {
	dir := os.Getenv("CONTEND_KILLED")
	if dir == "" {
		t.Skip("only by TestResume")
	}
	s, claims, opt := longSearch(t, dir)
	if small := os.Getenv("CONTEND_SMALL"); small != "" {
		opt.MaxMemory, opt.table, opt.chunks = 1<<40, 1<<16, 1<<14
	}
	opt.Confirm = func(Candidate) (Confirmation, error) { return Real, nil }
	opt.Progress = func(p Progress) {
		if time.Sleep(time.Millisecond); p.Depth > 20 {
			time.Sleep(time.Minute) // until it is killed
		}
	}
	if _, err := Run(s, claims, opt); err != nil {
		t.Fatal(err)
	}
}

// A search that was killed goes on from its last checkpoint to the same counts, and
// leaves nothing behind.
func TestResume(t *testing.T) {
	for _, small := range []string{"", "yes"} {
		if small == "" && !*full {
			continue
		}
		t.Run("small="+small, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "search")
			kill(t, dir, small)
			s, claims, opt := longSearch(t, dir)
			opt.Resume = true
			resumed := -1
			opt.Progress = func(p Progress) {
				if resumed < 0 {
					resumed = p.Depth
				}
			}
			if small != "" {
				opt.MaxMemory, opt.table, opt.chunks = 1<<40, 1<<16, 1<<14
			}
			got := explore(t, s, opt, claims...)
			if resumed < 5 {
				t.Errorf("it goes on from depth %d", resumed)
			}
			want := explore(t, s, Options{}, claims...)
			if a, b := fmt.Sprint(got.size(), got.Widths, got.Complete, got.witnessed()), fmt.Sprint(want.size(), want.Widths, true, want.witnessed()); a != b {
				t.Errorf("resumed %s, whole %s", a, b)
			}
			if _, err := os.Stat(dir); err == nil {
				t.Error("its files are still there")
			}
		})
	}
}

// kill runs TestKilled until it has kept some checkpoints, and kills it.
func kill(t *testing.T, dir, small string) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), "CONTEND_KILLED="+dir, "CONTEND_SMALL="+small)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 30_000 {
		if files, _ := filepath.Glob(filepath.Join(dir, "states-[2-9][0-9]")); len(files) > 0 {
			break // some checkpoints were kept
		}
		time.Sleep(time.Millisecond)
	}
	cmd.Process.Kill()
	if err := cmd.Wait(); err == nil {
		t.Fatalf("it came to its end: %s", &out)
	}
	if _, err := os.Stat(filepath.Join(dir, checkpoint.Name)); err != nil {
		t.Fatalf("%v: %s", err, &out)
	}
}

// A checkpoint that is damaged, or of another check, is refused by name.
func TestBadCheckpoint(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "search")
	kill(t, dir, "")
	path := filepath.Join(dir, checkpoint.Name)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(text)
	damaged[len(damaged)/2]++
	for _, c := range []struct {
		text     []byte
		identity string
		want     string
	}{
		{text[:len(text)/2/4096*4096], "a long search", fmt.Sprintf("resume: read %s: it ends before block %d", path, len(text)/2/4096)},
		{text[:len(text)-1], "a long search", fmt.Sprintf("resume: read %s: it is %d bytes long, which is no number of blocks", path, len(text)-1)},
		{damaged, "a long search", fmt.Sprintf("resume: read %s: block %d is not what was written there", path, len(text)/2/4096)},
		{nil, "a long search", "resume: read " + path + ": it ends before its first block does"},
		{text, "another", "resume: the checkpoint in " + dir + " is of another check: its check is a long search, not another"},
	} {
		if err := os.WriteFile(path, c.text, 0o666); err != nil {
			t.Fatal(err)
		}
		s, claims, opt := longSearch(t, dir)
		opt.Resume, opt.Identity = true, []checkpoint.Field{{Name: "check", Value: c.identity}}
		if _, err := Run(s, claims, opt); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// The first checkpoint is written when it is time for one, and a search that is resumed adds to what was spent on it before.
func TestCheckpointsComeInTime(t *testing.T) {
	disk, now := &faulty.FS{}, time.Unix(0, 0)
	opt := Options{files: disk, Checkpoint: kept, every: 10_000, Now: func() time.Time { now = now.Add(1); return now }}
	if r := explore(t, turning(), opt, never(1)); !r.Complete || int(now.UnixNano()) > 10_000 {
		t.Fatalf("complete %v, at %d", r.Complete, now.UnixNano())
	}
	for n := 1; n <= disk.Calls(); n++ {
		if call := disk.Call(n); call == "rename "+filepath.Join(kept, checkpoint.Name) {
			t.Error("a checkpoint was written before it was time")
		}
	}
	spent := time.Duration(0)
	for opt.MaxStates = 20; opt.MaxStates < 100; opt.MaxStates += 20 {
		before := now
		if r := explore(t, turning(), opt, never(1)); r.Complete {
			t.Fatal("it is complete")
		}
		h, err := checkpoint.Look(disk, kept)
		if took := now.Sub(before); err != nil || h.Spent <= spent || h.Spent > spent+took {
			t.Fatalf("%v is spent, after %v and %v more: %v", h.Spent, spent, took, err)
		}
		spent, opt.Resume = h.Spent, true
	}
}

// To write checkpoints takes up a tenth of the time at most: after one that took long it is longer until the next.
func TestCheckpointsTakeATenthOfTheTime(t *testing.T) {
	for _, c := range []struct {
		took, since time.Duration
		writes      bool
	}{
		{0, checkpointEvery - 1, false}, {0, checkpointEvery, true}, {time.Second, checkpointEvery, true},
		{time.Hour, 10*time.Hour - 1, false}, {time.Hour, 10 * time.Hour, true},
	} {
		x, disk := unsearched(t, never(1)), &faulty.FS{}
		files, err := storage.Keep(disk, kept)
		if err != nil {
			t.Fatal(err)
		}
		x.files, x.held.Directory = files, files
		now := time.Unix(0, 0).Add(c.since)
		x.opt.Checkpoint, x.opt.every, x.opt.Now = kept, checkpointEvery, func() time.Time { return now }
		x.begun, x.discrete().checkpointAt, x.discrete().checkpointTook = time.Unix(0, 0), time.Unix(0, 0), c.took
		x.discrete().keepCheckpoint()
		if wrote := disk.Files()[filepath.Join(kept, checkpoint.Name)] != nil; wrote != c.writes {
			t.Errorf("%v after one that took %v: written %v", c.since, c.took, wrote)
		}
		files.Close()
	}
}

// A directory that cannot be listed may hold the files of another search: nothing is begun there.
func TestUnlistedDirectoriesAreRefused(t *testing.T) {
	begin := func(disk *faulty.FS) error {
		_, err := Run(turning(), []model.Claim{never(1)}, pure(Options{files: disk, Checkpoint: kept, MaxStates: 20}))
		return err
	}
	left, again := &faulty.FS{}, &faulty.FS{}
	if err := begin(left); err != nil {
		t.Fatal(err)
	}
	again.SetFiles(left.Files())
	begin(again)
	lists := 0
	for n := 1; n <= again.Calls(); n++ {
		if strings.HasPrefix(again.Call(n), "list ") {
			lists++
			disk := &faulty.FS{At: n, Fault: faulty.Refused}
			disk.SetFiles(left.Files())
			if err := begin(disk); err == nil || !maps.EqualFunc(disk.Files(), left.Files(), bytes.Equal) {
				t.Errorf("%s fails: %v", again.Call(n), err)
			}
		}
	}
	if lists == 0 {
		t.Error("it is not listed")
	}
}

// There is nothing to go on with where no search was begun.
func TestNothingToGoOnWith(t *testing.T) {
	_, err := Run(turning(), []model.Claim{never(1)}, pure(Options{files: &faulty.FS{}, Checkpoint: kept, Resume: true}))
	if bad := (BadCheckpoint{}); !errors.As(err, &bad) || !strings.Contains(err.Error(), "there is no checkpoint in "+kept) {
		t.Error(err)
	}
}

// A search that is stopped while it compares a layer with files keeps a checkpoint, from which it comes to the same.
func TestStoppedWhileALayerIsWinnowed(t *testing.T) {
	opt := Options{MaxMemory: 1 << 40, table: 1, chunks: 1000, Checkpoint: kept, every: time.Hour, Now: func() time.Time { return time.Unix(0, 0) }}
	sorted(20, func() {
		tells, at := 0, 0
		run := func(disk *faulty.FS, resume bool) *Result {
			stop, o := make(chan struct{}), opt
			o.files, o.Resume, o.Interrupt, tells = disk, resume, stop, 0
			o.Progress = func(Progress) {
				if tells++; tells == at {
					close(stop)
				}
			}
			return explore(t, turning(), o, never(1))
		}
		whole := run(&faulty.FS{}, false)
		for all := tells; at < all; {
			at += few(1, 9)
			disk := &faulty.FS{}
			r, was := run(disk, false), at
			if len(r.Widths) == len(whole.Widths) {
				break // all states were met
			}
			at = 0
			if disk.Files()[filepath.Join(kept, checkpoint.Name)] == nil {
				t.Fatalf("stopped at look %d of %d it keeps nothing: %q", was, all, r.Notes)
			}
			if r := run(disk, true); !r.Complete || r.size() != whole.size() {
				t.Errorf("stopped at look %d of %d and resumed: %+v, not %+v", was, all, r.size(), whole.size())
			}
			at = was
		}
	})
}

// A checkpoint stays until the next one is written, whatever else is left behind; and it is written each minute unless another time is asked for.
func TestTheCheckpointStays(t *testing.T) {
	disk := &faulty.FS{}
	opt := Options{files: disk, Checkpoint: kept, MaxStates: 20}
	explore(t, turning(), opt, never(1))
	opt.Resume = true
	files, later := disk.Files(), filepath.Join(kept, "states-99")
	files[later] = []byte("begun after it")
	disk.SetFiles(files)
	for try := range 3 {
		d, err := storage.Keep(disk, kept)
		if err != nil {
			t.Fatal(err)
		}
		from, err := opt.takeUp(d)
		if d.Close(); err != nil || from == nil || disk.Files()[later] != nil {
			t.Errorf("try %d: %v", try, err)
		}
	}
}
