package pages

import (
	"cmp"
	"maps"
	"slices"

	"contend/model"
	"contend/model/claims"
)

// Broadcast is atomic broadcast: there is one list of the messages that were sent, and each node
// delivers it from the beginning.
var Broadcast = &model.Protocol{
	Name: "atomic-broadcast", Title: "all deliver one list, each from its beginning", Source: "a page",
	Params: []model.Parameter{nodes},
	Build: func(c model.Config) (*model.System, error) {
		types := []any{Sends{}, Delivers{}, claims.Message{}}
		return alone("broadcast", c, types, func() model.Node { return &broadcast{of: c.N} }), nil
	},
}

// What the broadcast is told, and what it shows.
type (
	Sends    struct{ Message claims.Message }
	Delivers struct {
		Who     model.NodeID
		Message claims.Message
	}
)

// broadcast is the node of the page. A message gets its place in the list when it is first
// delivered.
type broadcast struct {
	of   int
	Sent map[claims.Message]bool // and has no place yet
	List []claims.Message
	At   map[model.NodeID]int // how much of the list a node has delivered
}

func (*broadcast) Start(env model.Env) { next(env) }

func (b *broadcast) Invoke(env model.Env, m any) {
	b.Sent[m.(Sends).Message] = true
	env.Return(nil)
}

func (b *broadcast) Timeout(env model.Env, _ any) {
	next(env)
	who := one(env, b.of)
	at := b.At[who]
	if at == len(b.List) {
		if len(b.Sent) == 0 {
			return
		}
		all := messages(b.Sent)
		m := all[env.Choose(len(all))]
		delete(b.Sent, m)
		b.List = append(b.List, m)
	}
	b.At[who] = at + 1
	env.Note(Delivers{who, b.List[at]})
}

// messages are those of a set, in order.
func messages(set map[claims.Message]bool) []claims.Message {
	return slices.SortedFunc(maps.Keys(set), func(a, b claims.Message) int {
		return cmp.Or(cmp.Compare(a.Sender, b.Sender), cmp.Compare(a.Number, b.Number))
	})
}

// RefinesBroadcast says that operations, each of which multicasts the next message of its node, and
// deliveries are those of atomic [Broadcast]; named is the name of what is delivered. A node that
// comes back may deliver nothing that it has delivered before.
func RefinesBroadcast(named func(delivered any) claims.Message, assumes ...model.Assumption) model.Claim {
	c := claims.Refines(Broadcast, func(o model.Observation) (model.Observation, bool) {
		switch o.Kind {
		case model.Invoked:
			return model.Observation{Kind: model.Invoked, Value: Sends{claims.Message{Sender: o.Node, Number: o.Op + 1}}}, true
		case model.Delivered:
			return told(Delivers{o.Node, named(o.Value)})
		}
		return model.Observation{}, false
	})
	c.Assumes = assumes
	c.Refinement.At = beside
	c.Refinement.Hides = func(o model.Observation) bool { return o.Kind == model.Returned }
	return c
}
