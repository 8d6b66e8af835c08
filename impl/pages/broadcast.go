package pages

import (
	"cmp"
	"maps"
	"slices"

	"contend/model"
	"contend/model/claims"
)

// Broadcast is atomic broadcast. All nodes deliver one list of the sent messages from the beginning.
var Broadcast = &model.Protocol{
	Name: "atomic-broadcast", Title: "all deliver one list, each from its beginning", Source: "a page",
	Params: []model.Parameter{nodes},
	Build: func(c model.Config) (*model.System, error) {
		types := []any{Sends{}, Delivers{}, claims.Message{}}
		return system("broadcast", c, types, func() model.Node { return &broadcast{n: c.N} }), nil
	},
}

// The operation and the note of the broadcast.
type (
	Sends    struct{ Message claims.Message }
	Delivers struct {
		Who     model.NodeID
		Message claims.Message
	}
)

// broadcast is the node of the page. A message joins the list at its first delivery.
type broadcast struct {
	n    int
	Sent map[claims.Message]bool // sent messages that are not in the list
	List []claims.Message
	At   map[model.NodeID]int // by node: the number of messages of the list that it has delivered
}

func (*broadcast) Start(env model.Env) { wake(env) }

func (b *broadcast) Invoke(env model.Env, m any) {
	b.Sent[m.(Sends).Message] = true
	env.Return(nil)
}

func (b *broadcast) Timeout(env model.Env, _ any) {
	wake(env)
	who := choose(env, b.n)
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

// messages returns the messages of a set in order.
func messages(set map[claims.Message]bool) []claims.Message {
	return slices.SortedFunc(maps.Keys(set), func(a, b claims.Message) int {
		return cmp.Or(cmp.Compare(a.Sender, b.Sender), cmp.Compare(a.Number, b.Number))
	})
}

// RefinesBroadcast claims that operations and deliveries refine atomic [Broadcast]. The k-th operation of a node
// multicasts its k-th message. The checker calls named with each delivered value. It returns the message. After a
// restart, a node may not deliver an earlier message again.
func RefinesBroadcast(named func(delivered any) claims.Message, assumes ...model.Assumption) model.Claim {
	c := claims.Refines(Broadcast, func(o model.Observation) (model.Observation, bool) {
		switch o.Kind {
		case model.Invoked:
			return model.Observation{Kind: model.Invoked, Value: Sends{claims.Message{Sender: o.Node, Number: o.Op + 1}}}, true
		case model.Delivered:
			return note(Delivers{o.Node, named(o.Value)})
		}
		return model.Observation{}, false
	})
	c.Assumes = assumes
	c.Refinement.At = check
	c.Refinement.Hides = func(o model.Observation) bool { return o.Kind == model.Returned }
	return c
}
