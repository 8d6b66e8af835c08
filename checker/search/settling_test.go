package search

import (
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"contend/checker/search/checkpoint"

	"contend/checker/search/storage/faulty"
	"contend/model"
)

// unlikeAtFirst is a system of three servers that only their first step tells apart: all that comes
// later commutes with renaming them.
func unlikeAtFirst() *model.System {
	s := scripted{
		start: func(_ *scripted, env model.Env) {
			if env.Send(0, "hello"); env.Self() == 1 {
				env.Send(0, "hello again")
			}
		},
		receive: func(n *scripted, env model.Env, _ model.NodeID, _ any) { n.S++ },
	}
	c := scripted{receive: func(_ *scripted, env model.Env, from model.NodeID, _ any) { env.Send(from, "welcome") }}
	return system(client("c", c), server("s1", s), server("s2", s), server("s3", s))
}

// settlesOneByOne has a search look after each result whether it is to stop.
func settlesOneByOne(t *testing.T, least int) {
	some, was := someRenamings, settledAtLeast
	t.Cleanup(func() { someRenamings, settledAtLeast = some, was })
	someRenamings, settledAtLeast = 1, least
}

// Wherever a search is interrupted while it checks that renaming commutes, what it keeps has been
// checked, or is checked by the search that goes on from it.
func TestInterruptedWhileSymmetryIsChecked(t *testing.T) {
	settlesOneByOne(t, settledAtLeast)
	s, claims := unlikeAtFirst(), []model.Claim{never(9)}
	whole := explore(t, s, Options{}, claims...)
	disk, tells, at := &faulty.FS{}, 0, 0
	stop := make(chan struct{})
	run := func(resume bool) (*Result, error) {
		now := time.Unix(0, 0)
		return Run(s, claims, pure(Options{Symmetry: true, Checkpoint: kept, Resume: resume, files: disk, every: 1, Interrupt: stop,
			Now: func() time.Time { now = now.Add(1); return now },
			Progress: func(Progress) {
				if tells++; tells == at {
					close(stop)
				}
			}}))
	}
	interrupted, resumed := 0, 0
	for at = 1; interrupted == at-1; at++ {
		disk, tells, stop = &faulty.FS{}, 0, make(chan struct{})
		r, err := run(false)
		if err != nil {
			t.Fatal(err)
		}
		if r.Limit.String() == Interrupted {
			interrupted++
		}
		if r.Complete == (!r.Limit.None()) {
			t.Errorf("interrupted at look %d: complete %v, limit %q", at, r.Complete, r.Limit)
		}
		tells, stop = at, nil
		if r, err = run(true); err != nil {
			continue // nothing was kept
		}
		resumed++
		if notes := fmt.Sprint(r.Notes); !strings.Contains(notes, "symmetry of servers is refused") || r.States != whole.States {
			t.Errorf("interrupted at look %d, and resumed: %s; %d states, of %d", at, notes, r.States, whole.States)
		}
	}
	if interrupted < 10 || resumed < 3 || resumed == interrupted {
		t.Errorf("interrupted %d times, resumed %d times", interrupted, resumed)
	}
}

// A search that comes to the end of its memory while it checks that renaming commutes stops there,
// and is not complete: not at the end, either, when all states are known.
func TestMemoryRunsOutWhileSymmetryIsChecked(t *testing.T) {
	settlesOneByOne(t, math.MinInt/2)
	answer := scripted{receive: func(n *scripted, env model.Env, from model.NodeID, _ any) { n.S++; env.Send(from, n.S) }}
	c := scripted{
		invoke:  func(_ *scripted, env model.Env, _ any) { env.Broadcast([]model.NodeID{1, 2, 3}, 0); env.Return(nil) },
		receive: func(n *scripted, _ model.Env, _ model.NodeID, _ any) { n.S++ },
	}
	s := system(client("c", c, "go"), server("s1", answer), server("s2", answer), server("s3", answer))
	tells, at, late := 0, 0, 0
	run := func() (r *Result) {
		tells = 0
		var held []byte
		runtime.GC()
		r = explore(t, s, Options{Symmetry: true, MaxMemory: 32 << 20, table: 2 << 20, Progress: func(Progress) {
			if tells++; tells == at {
				held = make([]byte, 16<<20)
				runtime.GC()
			}
		}}, never(9))
		runtime.KeepAlive(held)
		return r
	}
	all := run().States
	looks := tells
	for at = 1; at < looks; at++ {
		r := run()
		if r.Complete == (!r.Limit.None()) {
			t.Errorf("memory taken at look %d of %d: complete %v, limit %q", at, looks, r.Complete, r.Limit)
		}
		if slices.Contains(r.Notes, unsettled) && r.States == all && r.Limit.String() == "memory: 32 MiB" {
			late++
		}
	}
	if late < 10 {
		t.Errorf("all states were met %d times", late)
	}
}

// A search that a limit stops leaves unchecked that renaming commutes with what it did not finish.
func TestLimitsEndWithoutTheRest(t *testing.T) {
	settlesOneByOne(t, -20)
	x := explored(t, unlikeAtFirst(), nil, Options{Symmetry: true, MaxStates: 6})
	if x.res.Limit.None() || !x.groups().Unsettled() {
		t.Errorf("limit %q, unsettled %v", x.res.Limit, x.groups().Unsettled())
	}
}

// That nodes are interchangeable is checked to the end before a search is complete, however it reads time: where it is left for the
// end, it is found out there.
func TestSymmetryIsCheckedToTheEnd(t *testing.T) {
	settlesOneByOne(t, math.MinInt/2)
	for name, opt := range map[string]Options{"untimed": {}, "on the grid": {Timed: true}, "in dense time": {Timed: true, Dense: true}} {
		s := unlikeLater(1)
		opt.Symmetry = true
		r := explore(t, s, opt, never(9))
		if !r.Complete || !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.HasPrefix(n, "symmetry of servers is refused") }) || len(r.Reductions) > 0 {
			t.Errorf("%s: complete %v, notes %q, reductions %q", name, r.Complete, r.Notes, r.Reductions)
		}
	}
}

// unlikeLater is a system of three servers of which one answers otherwise than the others. They begin with so many values.
func unlikeLater(values int) *model.System {
	s := scripted{
		start: func(n *scripted, env model.Env) { n.S = 2 * env.Choose(values) },
		receive: func(n *scripted, env model.Env, _ model.NodeID, _ any) {
			if n.S++; env.Self() == 2 {
				n.S++
				env.Note(mark{1})
			}
		},
	}
	c := scripted{start: func(_ *scripted, env model.Env) { env.Broadcast([]model.NodeID{1, 2, 3}, "hello") }}
	sys := system(client("c", c), server("s1", s), server("s2", s), server("s3", s))
	sys.Network.Delay = model.By(2)
	return sys
}

// What is found in a layer in which symmetry is refused is left: the search that begins again finds it once more.
func TestNothingIsConfirmedWhereSymmetryIsRefused(t *testing.T) {
	confirmed := 0
	r := explore(t, unlikeLater(1), Options{Symmetry: true, Confirm: func(c Candidate) (Confirmation, error) { confirmed++; return Real, nil }}, never(1))
	if violated := r.Claims[0].Violated != nil; !violated || confirmed != 1 || len(r.Notes) != 1 {
		t.Errorf("violated %v, %d times confirmed, notes %q", r.Violated(), confirmed, r.Notes)
	}
}

// A search that a limit stops in a layer in which symmetry is refused keeps nothing of it: it begins again, and keeps what it comes to then.
func TestNothingRefusedIsKept(t *testing.T) {
	settlesOneByOne(t, math.MinInt/2)
	again := 0
	s := unlikeLater(12)
	for most := int64(400); most < 1600; most += 100 {
		disk := &faulty.FS{}
		r := explore(t, s, Options{Symmetry: true, MaxStates: most, Checkpoint: kept, files: disk, every: time.Hour, Now: func() time.Time { return time.Unix(0, 0) }}, never(9))
		written := 0
		for n := 1; n <= disk.Calls(); n++ {
			if disk.Call(n) == "rename "+filepath.Join(kept, checkpoint.Name) {
				written++
			}
		}
		if refused := strings.Contains(fmt.Sprint(r.Notes), "symmetry of servers is refused"); refused && !r.Complete {
			again++
		}
		if written > 1 || written == 0 && !r.Complete {
			t.Errorf("at most %d states: a checkpoint was written %d times; notes %q", most, written, r.Notes)
		}
	}
	if again == 0 {
		t.Error("no search that was stopped had begun again")
	}
}
