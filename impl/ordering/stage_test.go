package ordering

import (
	"testing"

	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/value"
)

// A stage is a client or a server alone, with an environment that records the actions of its handlers.
type stage[N any] struct {
	model.Env // for what handlers must not use
	testing.TB
	cfg   *Config
	codec *value.Codec
	id    model.NodeID
	node  *N

	answers []int // to Choose and Draw; 0 once they are used up
	asked   []int // among how many Choose and Draw chose
	sent    []parcel
	notes   []any
	results []any
	armed   int
}

type parcel struct {
	to model.NodeID
	m  any
}

// staged creates a stage with a node of a system of this size.
func staged[N any](t testing.TB, c model.Config, id model.NodeID, node func(*Config) *N) *stage[N] {
	t.Helper()
	s, err := Protocol.System("", c)
	require.NoError(t, err)
	codec, err := value.New(s)
	require.NoError(t, err)
	st := &stage[N]{TB: t, cfg: setup(s), codec: codec, id: id}
	st.node = codec.Fresh(node(st.cfg)).(*N)
	return st
}

// The systems in tests of handlers: without liars, where b+1 is one, and with one liar.
var (
	honest = model.Config{N: 3}
	lying  = model.Config{N: 7, B: 1}
)

// onClient returns a stage with the first client.
func onClient(t testing.TB, c model.Config) *stage[Client] {
	t.Helper()
	return staged(t, c, model.NodeID(c.N), func(cfg *Config) *Client { return &Client{cfg: cfg} })
}

// onServer returns a stage with the first server.
func onServer(t testing.TB, at Server) *stage[Server] {
	t.Helper()
	return staged(t, honest, 0, func(cfg *Config) *Server { at.cfg = cfg; return &at })
}

// handle runs a handler on a copy of the node, and replaces the node by the copy. It deletes the record of earlier
// handlers.
func (s *stage[N]) handle(run func(n *N, env model.Env)) {
	s.sent, s.notes, s.results, s.asked, s.armed = nil, nil, nil, nil, 0
	next := s.codec.Fresh(s.node).(*N)
	run(next, s)
	s.node = s.codec.Fresh(next).(*N)
}

func (s *stage[N]) Self() model.NodeID { return s.id }

func (s *stage[N]) Send(to model.NodeID, m any) { s.sent = append(s.sent, parcel{to, s.codec.Copy(m)}) }

func (s *stage[N]) Broadcast(to []model.NodeID, m any) {
	for _, id := range to {
		s.Send(id, m)
	}
}

func (s *stage[N]) After(key any, w model.Window) {
	require.Equal(s, contended{}, key)
	require.Equal(s, model.Anytime(), w)
	s.armed++
}

func (s *stage[N]) Note(label any) { s.notes = append(s.notes, s.codec.Copy(label)) }

func (s *stage[N]) Return(result any) { s.results = append(s.results, result) }

func (s *stage[N]) Choose(n int) int { return s.Draw(n) }

func (s *stage[N]) Draw(n int) int {
	s.asked = append(s.asked, n)
	if len(s.answers) == 0 {
		return 0
	}
	is := s.answers[0]
	s.answers = s.answers[1:]
	return is
}

// to returns one message to several servers, counted from 0.
func to(m any, servers ...model.NodeID) []parcel {
	var out []parcel
	for _, u := range servers {
		out = append(out, parcel{u, m})
	}
	return out
}
