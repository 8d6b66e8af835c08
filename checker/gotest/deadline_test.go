package gotest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"contend/checker/search"
	"contend/impl/ordering"
	"contend/model"
)

// limited is a test that has some seconds.
type limited struct {
	*recorded
	until time.Time
}

func (l limited) Deadline() (time.Time, bool) { return l.until, true }

// A check ends before the time of go test is over, and says so.
func TestCheckEndsBeforeGoTest(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds, and -short has its own limit")
	}
	tb := &recorded{TB: t}
	TestCheck(limited{tb, time.Now().Add(2 * time.Second)}, ordering.Protocol, model.Check{Config: large, Claims: []string{"Theorem 1"}})
	wantOne(t, tb.errors, "Theorem 1 is undecided: limit interrupted: the time that go test allows is nearly over; to decide it: give it more time (go test -timeout), or make the system smaller; this test alone: ")
}

// ticker is a node whose state grows for ever, which a claim finds at once.
type ticker struct{ N int }

func (e *ticker) Start(env model.Env)          { env.After("tick", model.Exactly(1)) }
func (e *ticker) Timeout(env model.Env, _ any) { e.N++; env.After("tick", model.Exactly(1)) }

// A check does not go on for long when a claim is violated: the other claim is open, and says why.
func TestCheckEndsAfterViolation(t *testing.T) {
	x := usual()
	x.afterViolation = 0
	t.Chdir(t.TempDir())
	is := func(name string, breaks int) model.Claim {
		return model.Claim{Name: name, Kind: model.Always, Invariant: func(nodes []model.Node) error {
			if nodes[0].(*ticker).N == breaks {
				return errors.New("it is")
			}
			return nil
		}}
	}
	p := &model.Protocol{Name: "endless", Claims: []model.Claim{is("not one", 1), is("not minus one", -1)}, Build: func(c model.Config) (*model.System, error) {
		return &model.System{Config: c, Nodes: []model.NodeSpec{{Name: "a", Role: model.Peer, New: func() model.Node { return &ticker{} }}}}, nil
	}}
	tb := &recorded{TB: t}
	x.check(tb, p, model.Check{}, mistakes{})
	all := strings.Join(tb.errors, "\n")
	for _, want := range []string{"not one is violated", "not minus one is undecided: limit " + search.Interrupted + ": another claim is violated, and this search would take much longer; to decide it: mend that first"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not said: %s", want, all)
		}
	}
}
