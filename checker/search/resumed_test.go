package search

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"contend/checker/search/checkpoint"
	"contend/checker/search/storage/faulty"
	"contend/model"
)

// resumedAnywhere searches a system with a checkpoint at each layer, loses power after each of
// them in turn, and goes on from there.
func resumedAnywhere(t *testing.T, s *model.System, opt Options, claims []model.Claim, each func(checkpoint int, r *Result)) {
	t.Helper()
	run := func(disk *faulty.FS, resume bool) (*Result, error) {
		now := time.Unix(0, 0)
		opt.Checkpoint, opt.Resume, opt.files, opt.every = kept, resume, disk, 1
		opt.Now = func() time.Time { now = now.Add(1); return now }
		return Run(s, claims, pure(opt))
	}
	var whole faulty.FS
	if _, err := run(&whole, false); err != nil {
		t.Fatal(err)
	}
	for call, n := 1, 0; call < whole.Calls(); call++ {
		if whole.Call(call) != "rename "+filepath.Join(kept, checkpoint.Name) {
			continue
		}
		n++
		disk := &faulty.FS{At: call + 1, Fault: faulty.PowerLost} // the directory is synced
		if _, err := run(disk, false); err == nil {
			continue // nothing was left to write
		}
		disk.Restart(false)
		r, err := run(disk, true)
		if err != nil {
			t.Fatal(err)
		}
		each(n, r)
	}
}

// What was absorbed before a checkpoint is still checked after it: messages that did nothing, and
// echoes, that matter in a state which only the resumed search meets.
func TestAbsorbedAndResumed(t *testing.T) {
	sleeper := func() *model.System {
		s := scripted{receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
			switch {
			case m == "tick":
				if n.S++; n.S < 6 {
					env.Send(1, "tick")
				}
			case n.S == 6:
				env.Note(mark{1})
			}
		}}
		c := scripted{invoke: func(_ *scripted, env model.Env, _ any) { env.Send(1, wants{1}); env.Send(1, "tick"); env.Return(nil) }}
		sys := system(client("c", c, "go"), server("s", s))
		sys.Types = []any{mark{}, wants{}}
		return sys
	}
	noted := func(_ *scripted, env model.Env, _ any) { env.Note(mark{1}) }
	for name, s := range map[string]*model.System{
		"a message":          sleeper(),
		"an echo":            late{onGranted: change, after: noted}.system(model.Bag),
		"an answer":          late{onGranted: func(_ *scripted, env model.Env) { env.After("later", model.Anytime()) }}.system(model.Bag),
		"a step before":      changesEarly(),
		"an echo in a queue": late{onGranted: change, after: noted}.system(model.FIFO),
	} {
		t.Run(name, func(t *testing.T) {
			if err := s.Validate(); err != nil {
				t.Fatal(err)
			}
			claims := []model.Claim{never(1), never(0)}
			tried := 0
			resumedAnywhere(t, s, Options{Stale: true}, claims, func(n int, r *Result) {
				tried++
				if r.verdict(0) != refuted || len(r.broken(0).Steps) == 0 || r.verdict(1) == refuted {
					t.Errorf("resumed after checkpoint %d: %s", n, verdicts(claims, r))
				}
				if notes := fmt.Sprint(r.Notes); !strings.Contains(notes, "stale absorption is off") {
					t.Errorf("resumed after checkpoint %d: the notes are %s", n, notes)
				}
			})
			if tried < 4 {
				t.Errorf("it was resumed %d times", tried)
			}
		})
	}
}

// Wherever a search goes on from, it says what the whole says: which reductions took something
// away, and how likely a state was omitted; though what was absorbed, and the servers that were
// tied, all lie before that.
func TestResumedSaysWhatTheWholeDoes(t *testing.T) {
	ticks := scripted{receive: func(n *scripted, env model.Env, from model.NodeID, m any) {
		if n.S++; m == "tick" && n.S < 6 {
			env.Send(env.Self(), "tick")
		}
	}}
	c := scripted{invoke: func(_ *scripted, env model.Env, _ any) {
		env.Send(1, "for nobody")
		env.Send(2, "tick")
		env.Return(nil)
	}}
	s := system(client("c", c, "go"), server("nobody", scripted{}), server("s", ticks), server("t", ticks), server("u", ticks))
	opt := Options{Symmetry: true, Stale: true}
	claims := []model.Claim{never(9)}
	whole, tried := explore(t, s, opt, claims...), 0
	if !slices.Contains(whole.Reductions, "stale absorption") {
		t.Fatalf("nothing is absorbed: %q", whole.Reductions)
	}
	resumedAnywhere(t, s, opt, claims, func(n int, r *Result) {
		tried++
		if !slices.Equal(r.Reductions, whole.Reductions) || r.Omission != whole.Omission {
			t.Errorf("resumed after checkpoint %d: %q, %g; the whole: %q, %g", n, r.Reductions, r.Omission, whole.Reductions, whole.Omission)
		}
	})
	if tried < 5 {
		t.Errorf("it was resumed %d times", tried)
	}
}

// That a handler failed before a checkpoint is known after it: claims that would hold if it had not
// stay open, and its run is shown.
func TestFailedAndResumed(t *testing.T) {
	ticks := scripted{receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
		switch {
		case m == "fail" && n.S == 0:
			panic("early")
		case m == "tick" && n.S < 6:
			n.S++
			env.Send(0, "tick")
		}
	}, start: func(_ *scripted, env model.Env) { env.Send(0, "fail"); env.Send(0, "tick") }}
	s := system(server("s", ticks))
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	claims, tried := []model.Claim{never(9), reach(model.Sometimes, 9)}, 0
	resumedAnywhere(t, s, Options{}, claims, func(n int, r *Result) {
		if tried++; n == 1 {
			return // the first handler fails in the layer after it
		}
		if fails := r.Claims[len(claims)].Violated != nil; !fails || r.Claims[0].Limit.String() != Failure || r.Claims[1].Limit.String() != Failure {
			t.Errorf("resumed after checkpoint %d: violated %v, undecided %v", n, r.Violated(), r.open())
		}
	})
	if tried < 5 {
		t.Errorf("it was resumed %d times", tried)
	}
}

// A search that keeps exact parents keeps them when it goes on: it need not begin again to show a run.
func TestExactAndResumed(t *testing.T) {
	for _, until := range []int64{0, 1 << 40} {
		was := exactUntil
		exactUntil = until
		disk, s := &faulty.FS{}, counting(9)
		opt := Options{Exact: until == 0, Checkpoint: kept, files: disk, MaxStates: 5, Confirm: func(Candidate) (Confirmation, error) { return Real, nil }}
		explore(t, s, opt, never(1), never(9))
		opt.Resume, opt.MaxStates = true, 0
		if r := explore(t, s, opt, never(1), never(9)); r.verdict(0) != refuted || len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "it went on from layer ") {
			t.Errorf("exact until %d states: %+v, notes %q", until, r.verdict(0), r.Notes)
		}
		exactUntil = was
	}
}

// A search that is stopped twice in one layer counts what it did once.
func TestStoppedTwiceInALayer(t *testing.T) {
	whole := explore(t, turning(), Options{}, never(1))
	opt := Options{files: &faulty.FS{}, Checkpoint: kept}
	var r *Result
	for _, opt.MaxStates = range []int64{40, 41, 1 << 40} {
		r = explore(t, turning(), opt, never(1))
		opt.Resume = true
	}
	if r.size() != whole.size() || !slices.Equal(r.Widths, whole.Widths) {
		t.Errorf("%+v, %v; want %+v, %v", r.size(), r.Widths, whole.size(), whole.Widths)
	}
}
