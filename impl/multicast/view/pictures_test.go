package view_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl/multicast"
	"contend/impl/multicast/view"
	"contend/model"
	"contend/model/world"
)

// p, q and r are the processes of the pictures, in the fourth of which q joins.
const (
	p model.NodeID = iota
	r
	q
	service
)

// A scene is a run of a picture.
type scene struct {
	t    *testing.T
	w    *world.World
	logs map[model.NodeID][]string // what each process delivers, and which views it installs
}

func newScene(t *testing.T, variant string, joiners int) *scene {
	config := model.Config{N: 3, Faults: model.Faults{Crashes: 1}}.
		With(multicast.Senders.Is(1), view.Joiners.Is(joiners))
	s, err := view.Protocol.System(variant, config)
	require.NoError(t, err)
	w, err := world.New(s, nil, world.Options{})
	require.NoError(t, err)
	return &scene{t, w, map[model.NodeID][]string{}}
}

// happens executes the first event of a kind at a node. For a delivery, the sender is from.
func (s *scene) happens(kind model.EventKind, node, from model.NodeID) {
	s.t.Helper()
	moves := s.w.Moves()
	at := slices.IndexFunc(moves, func(m world.Move) bool {
		return m.Event != nil && m.Kind == kind && m.Event.Node == node && (kind != model.Deliver || m.Event.From == from)
	})
	require.GreaterOrEqual(s.t, at, 0, "nothing like that is pending")
	s.take(moves[at])
}

func (s *scene) take(m world.Move) {
	s.t.Helper()
	record, err := s.w.Step(m, s.w.Now, nil)
	require.NoError(s.t, err)
	for _, o := range record.Observations {
		switch value := o.Value.(type) {
		case multicast.Message:
			if o.Kind == model.Delivered {
				s.logs[o.Node] = append(s.logs[o.Node], "m")
			}
		case view.Installed:
			s.logs[o.Node] = append(s.logs[o.Node], fmt.Sprint("view ", value.View.Members))
		}
	}
}

func (s *scene) multicasts()                   { s.happens(model.Invoke, p, -1) }
func (s *scene) aCopyLeaves()                  { s.happens(model.Timeout, p, -1) }
func (s *scene) arrives(at, from model.NodeID) { s.happens(model.Deliver, at, from) }
func (s *scene) crashes()                      { s.take(world.Move{Kind: model.Crash, Node: p}) }
func (s *scene) isFoundOut()                   { s.happens(model.Suspect, service, -1) }

// ends executes the remaining events, except messages between the held pairs of nodes.
func (s *scene) ends(held ...[2]model.NodeID) {
	for range 100 {
		moves := s.w.Moves()
		at := slices.IndexFunc(moves, func(m world.Move) bool {
			return m.Event != nil && !m.Kind.Adversarial() && !slices.Contains(held, [2]model.NodeID{m.Event.From, m.Event.Node})
		})
		if at < 0 {
			return
		}
		s.take(moves[at])
	}
	s.t.Fatal("there is no end")
}

// says compares the deliveries and views of a process, in order.
func (s *scene) says(id model.NodeID, log ...string) {
	s.t.Helper()
	assert.Equal(s.t, log, s.logs[id], s.w.System.Name(id))
}

// "p crashes before m reaches any other process: none of them delivers m".
func TestFirstPicture(t *testing.T) {
	s := newScene(t, "", 0)
	s.multicasts()
	s.crashes()
	s.ends()
	s.says(q, "view [1 2]")
	s.says(r, "view [1 2]")
}

// A copy that is under way as p crashes may still arrive, and then both deliver m: it is not enough for
// the first picture that m has reached nobody at that moment.
func TestACopyUnderWay(t *testing.T) {
	s := newScene(t, "", 0)
	s.multicasts()
	s.aCopyLeaves()
	s.crashes()
	s.arrives(r, p)
	s.ends()
	s.says(q, "m", "view [1 2]")
	s.says(r, "m", "view [1 2]")
}

// "m has reached at least 1 process when p crashes: both q and r deliver first m and then the view".
func TestSecondPicture(t *testing.T) {
	s := newScene(t, "", 0)
	s.multicasts()
	s.aCopyLeaves()
	s.arrives(r, p)
	s.crashes()
	s.ends()
	s.says(q, "m", "view [1 2]")
	s.says(r, "m", "view [1 2]")
}

// "Not allowed for any process to deliver first the view (q, r) and then m": when m arrives at r, r already
// knows that p is not a member. The mutant still delivers m.
func TestThirdPicture(t *testing.T) {
	for variant, log := range map[string][]string{"": {"view [1 2]"}, "view-then-message": {"view [1 2]", "m"}} {
		s := newScene(t, variant, 0)
		s.multicasts()
		s.aCopyLeaves()
		s.crashes()
		s.isFoundOut()
		s.ends([2]model.NodeID{p, r})
		s.arrives(r, p)
		s.ends()
		s.says(r, log...)
		s.says(q, "view [1 2]")
	}
}

// "q must not deliver delayed messages from the previous view before it joined": r forwards m to q. It may
// arrive before q's first view or after it. The mutant delivers it.
func TestFourthPicture(t *testing.T) {
	for variant, log := range map[string][]string{"": {"view [0 1 2]"}, "delivers-before-joining": {"m", "view [0 1 2]"}} {
		s := newScene(t, variant, 1)
		s.multicasts()
		s.aCopyLeaves()
		s.arrives(r, p)
		s.happens(model.Invoke, q, -1)
		s.arrives(service, q)
		s.arrives(r, service)
		s.happens(model.Timeout, r, -1) // m to p, but p already has it
		s.happens(model.Timeout, r, -1) // m to q
		s.arrives(q, r)
		s.ends()
		s.says(q, log...)
		s.says(p, "m", "view [0 1 2]")
		s.says(r, "m", "view [0 1 2]")
	}
}
