package claims_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
)

// A tiny is a node of a test protocol: its handlers are configuration, and its fields have a meaning in each
// protocol.
type tiny struct {
	start   func(n *tiny, env model.Env)
	invoke  func(n *tiny, env model.Env, op any)
	receive func(n *tiny, env model.Env, from model.NodeID, m any)
	timeout func(n *tiny, env model.Env, key any)
	Number  int
	Queue   []model.NodeID
	Counts  map[model.NodeID]int
	Held    []packet
}

func (n *tiny) Start(env model.Env) {
	if n.start != nil {
		n.start(n, env)
	}
}

func (n *tiny) Invoke(env model.Env, op any) {
	if n.invoke != nil {
		n.invoke(n, env, op)
	}
}

func (n *tiny) Receive(env model.Env, from model.NodeID, m any) {
	if n.receive != nil {
		n.receive(n, env, from, m)
	}
}

func (n *tiny) Timeout(env model.Env, key any) {
	if n.timeout != nil {
		n.timeout(n, env, key)
	}
}

// A scene is a tiny protocol.
type scene struct {
	nodes   []model.NodeSpec
	channel model.Channel
	faults  model.Faults
	reading model.Reading
}

func (s scene) protocol(claim model.Claim) *model.Protocol {
	return &model.Protocol{
		Name: "tiny", Claims: []model.Claim{claim},
		Build: func(model.Config) (*model.System, error) {
			return &model.System{
				Nodes: s.nodes, Network: model.Network{Delay: model.Anytime(), Channel: s.channel},
				Types: []any{packet{}, told{}, keeps{}, drop{}, has{}, acquire{}, release{}, join{}, leave{}, cast{}, propose{}, enters{}, transmits{}, model.NodeID(0)},
			}, nil
		},
	}
}

// node returns the i-th node, p1 onwards, with a script of calls.
func node(i int, n tiny, calls ...any) model.NodeSpec {
	spec := model.NodeSpec{Name: "p" + string(rune('1'+i)), Role: model.Peer, New: func() model.Node { c := n; return &c }}
	for _, call := range calls {
		op := model.Op{Call: call, After: model.Anytime()}
		if call == (acquire{}) {
			op.Release, op.Stay = release{}, model.Anytime()
		}
		spec.Script = append(spec.Script, op)
	}
	return spec
}

// server returns a node without a script.
func server(n tiny) model.NodeSpec {
	s := node(0, n)
	s.Name, s.Role = "s", model.Server
	return s
}

type (
	acquire struct{}
	release struct{}
	join    struct{}
	leave   struct{}
	cast    struct{}
	propose struct{ Value int }
	// A packet is a multicast message.
	packet struct {
		Sender model.NodeID
		Number int
		Clock  map[model.NodeID]int
	}
	// A told is a message that is neither of these.
	told struct {
		What string
		Who  model.NodeID
		N    int
	}
)

// A verdict is a protocol with the expected verdict on a claim.
type verdict struct {
	name  string
	scene scene
	claim model.Claim
	want  checker.Verdict
}

// decide checks each case by an exhaustive search. A claim that holds must be witnessed.
func decide(t *testing.T, all []verdict) {
	for _, c := range all {
		t.Run(c.name+", "+c.claim.Name, func(t *testing.T) {
			check := model.Check{Config: model.Config{Faults: c.scene.faults}, Reading: c.scene.reading}
			rows, err := checker.Check(c.scene.protocol(c.claim), check, checker.Options{MaxStates: 400_000, Workers: 1})
			require.NoError(t, err)
			is := rows[0].Claims[0]
			require.Equal(t, c.want, is.Verdict, "%s %s; %d states, %v", is.Limit, is.Text, rows[0].States, rows[0].Notes)
			require.True(t, is.Witnessed || is.Kind != model.Always.String(), "it was put to the test")
			t.Logf("%d states, %v %v", rows[0].States, rows[0].Reductions, rows[0].Notes)
		})
	}
}

// say returns a message that names no node.
func say(what string) told { return told{What: what, Who: -1} }
