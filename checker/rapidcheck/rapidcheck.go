// Package rapidcheck lets rapid (pgregory.net/rapid) drive the runs of a protocol, step by
// step, and shrink those that fail. One line of a test file is enough:
//
//	func TestByRapid(t *testing.T) { rapidcheck.Test(t, mylock.Protocol) }
//
// It is a package of its own because rapid adds its flags, such as -rapid.checks and -rapid.seed, to
// any program that it is part of: import it from test files only.
package rapidcheck

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"contend/checker"
	"contend/checker/kept"
	"contend/checker/sample"
	"contend/model"
	"contend/model/world"
)

// Test lets rapid drive a protocol: in a hundred runs it picks one of the protocol's checks, how
// much larger than that the system is, what happens next and when, and the faults that the check
// allows. A run that violates a claim, or in which a handler does not do the same twice,
// fails; rapid looks for a shorter one, prints its choices, and keeps them in testdata/rapid. A run that violates a claim is then made
// smaller still, printed, and kept under testdata/contend in a directory of the test's name, where it is replayed first
// from then on.
func Test(t *testing.T, p *model.Protocol) {
	t.Helper()
	Run(t, checker.Target{Protocol: p}, nil)
}

// An Account is kept of what a run does, beside the claims of its protocol. It is told of every
// step, and calls t.Fatalf when something is wrong.
type Account func(t *rapid.T, step world.Record)

// Run is [Test] for a target. Unless account is nil it is called at the beginning of each run,
// and may return nil where there is nothing to keep account of.
func Run(t *testing.T, target checker.Target, account func(*checker.Trial) Account) {
	t.Helper()
	if err := target.Ready(); err != nil {
		t.Fatal(err)
	}
	if fixed := target.Fixed(); len(fixed) > 0 {
		t.Logf("not enlarged: %s", strings.Join(fixed, "; "))
	}
	if kept.Own(t, target.Protocol) {
		return
	}
	var last *checker.Broken // what rapid ran last when it fails is the shortest run that it found
	defer func() {
		if t.Failed() && last != nil {
			t.Log(last.Keep(t.Name(), "rapid's shortest run"))
		}
	}()
	test := t
	// A run is one value that rapid draws: it would print a line for each choice, before it tells what is wrong.
	run := rapid.Custom(func(t *rapid.T) string {
		m, err := newMachine(t, target)
		if err != nil {
			t.Fatal(err)
		}
		m.test, m.broken = test, &last
		if account != nil {
			m.account = account(m.trial)
		}
		m.repeat(t)
		return fmt.Sprintf("%d steps", len(m.steps))
	})
	rapid.Check(t, func(t *rapid.T) { run.Draw(t, "a run") })
}

// draws lets rapid make the choices, so that it also shrinks them.
type draws struct{ t *rapid.T }

// Choose draws a number in [0, n).
func (d draws) Choose(n int) int { return rapid.IntRange(0, n-1).Draw(d.t, "choice") }

// machine drives a world, without the runner that sampling and fuzzing share.
type machine struct {
	test    *testing.T // around all runs
	trial   *checker.Trial
	w       *world.World
	c       sample.Choices
	steps   []world.Record
	account Account
	broken  **checker.Broken // the last run that violates a claim
}

func newMachine(t *rapid.T, target checker.Target) (*machine, error) {
	c := draws{t}
	trial, err := target.Trial(c, true)
	if err != nil {
		return nil, err
	}
	return &machine{trial: trial, w: trial.World, c: c}, nil
}

func (m *machine) repeat(t *rapid.T) {
	t.Repeat(map[string]func(*rapid.T){
		"protocol": func(t *rapid.T) {
			for range 1 + m.c.Choose(4*len(m.w.System.Nodes)) {
				m.step(t, m.moves(func(k model.EventKind) bool { return !k.Adversarial() }))
			}
		},
		"deliver": func(t *rapid.T) { m.step(t, m.moves(func(k model.EventKind) bool { return k == model.Deliver })) },
		"adversary": func(t *rapid.T) {
			m.step(t, append(m.moves(model.EventKind.Adversarial), m.w.Forgeries()...))
		},
	})
}

func (m *machine) moves(keep func(model.EventKind) bool) []world.Move {
	var moves []world.Move
	for _, mv := range m.w.Moves() {
		if keep(mv.Kind) {
			moves = append(moves, mv)
		}
	}
	return moves
}

// step takes one of the moves at an instant of its window, if there is any.
func (m *machine) step(t *rapid.T, moves []world.Move) {
	if len(moves) == 0 {
		return
	}
	mv := moves[m.c.Choose(len(moves))]
	r, err := m.w.Step(mv, m.instant(mv), func(n int, _ string) int { return m.c.Choose(n) })
	if errors.As(err, new(world.ErrCut)) {
		return
	}
	if wrong := model.Refusal(nil); errors.As(err, &wrong) {
		m.test.Fatal(wrong) // not t.Fatal: another run, or a shorter one, says no more
	}
	if err != nil {
		t.Fatal(m.trial.Failed(m.steps, err))
	}
	m.steps = append(m.steps, r)
	if err := m.trial.Violated(m.steps); errors.As(err, m.broken) {
		t.Fatal((*m.broken).Sentence())
	} else if err != nil {
		t.Fatal(err)
	}
	if m.account != nil {
		m.account(t, r)
	}
}

// span is how long a run waits at most, in ticks, for what may happen at any time.
const span = 10

func (m *machine) instant(mv world.Move) world.Time {
	if mv.Kind.Adversarial() {
		return m.w.Now
	}
	lo, hi, _ := m.w.Fires(mv.Event)
	hi = min(hi, lo+span*world.Time(m.trial.Reading.Parts))
	return lo + world.Time(m.c.Choose(int(hi-lo)+1))
}
