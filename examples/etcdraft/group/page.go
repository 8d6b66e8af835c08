package group

import (
	"fmt"
	"regexp"

	"contend/examples/etcdraft/member"
	"contend/model"
	claimed "contend/model/claims"
)

// replicatedLog is the specification of the library, as a protocol of one node. There is one list of entries,
// and it only grows. Each peer applies the list from the beginning, entry by entry. Each term has at most one
// leader. It does not specify how the library implements this.
var replicatedLog = &model.Protocol{
	Name: "replicated-log", Title: "one list of committed entries that only grows, and a leader a term", Source: "a page",
	Params: []model.Parameter{model.N.WithMeaning("peers").WithRange(1, 7), terms, Proposals},
	Build: func(c model.Config) (*model.System, error) {
		return &model.System{
			Config: c, Types: []any{leads{}, applies{}, installs{}, returnsTo{}, breaks{}},
			Nodes: []model.NodeSpec{{Name: "log", Role: model.Server, New: func() model.Node {
				return &replicated{peers: c.N, terms: terms.Of(c), values: Proposals.Of(c)}
			}}},
		}, nil
	},
}

var terms = model.Param[int]{Name: "terms", Meaning: "terms that somebody may lead in", Least: 1, Most: 100, Default: 1}

// What the page shows; breaks it never does.
type (
	leads struct {
		Who  model.NodeID
		Term uint64
	}
	applies struct {
		Who   model.NodeID
		Entry member.Entry
	}
	installs struct {
		Who   model.NodeID
		Index uint64
	}
	returnsTo struct{ Who model.NodeID } // with the state that it had written
	breaks    struct{ How string }
)

// replicated is the node of the page.
type replicated struct {
	peers, terms, values int

	Leaders map[uint64]model.NodeID
	List    []member.Entry
	At      map[model.NodeID]uint64 // number of entries of the list that a peer has applied
}

func (*replicated) Start(env model.Env) { env.After("turn", model.Anytime()) }

func (r *replicated) Timeout(env model.Env, _ any) {
	r.Start(env)
	who := model.NodeID(env.Choose(r.peers))
	switch env.Choose(4) {
	case 0:
		term := uint64(1 + env.Choose(r.terms))
		if _, led := r.Leaders[term]; !led {
			r.Leaders[term] = who
			env.Note(leads{who, term})
		}
	case 1:
		r.apply(env, who)
	case 2: // a snapshot of entries that a peer has applied
		if k := env.Choose(len(r.List) + 1); k > 0 {
			r.At[who] = uint64(k)
			env.Note(installs{who, uint64(k)})
		}
	case 3:
		r.At[who] = uint64(env.Choose(int(r.At[who]) + 1))
		env.Note(returnsTo{who})
	}
}

// apply applies the next entry of the list, or adds one, of no earlier term than the last. That its
// term has a leader is not asked: a group of one elects and applies in one step, and notes that last.
func (r *replicated) apply(env model.Env, who model.NodeID) {
	at := r.At[who]
	if at == uint64(len(r.List)) {
		e := member.Entry{Index: at + 1, Term: uint64(1 + env.Choose(r.terms)), Data: r.data(env)}
		if at > 0 && r.List[at-1].Term > e.Term {
			return
		}
		r.List = append(r.List, e)
	}
	r.At[who] = at + 1
	env.Note(applies{who, r.List[at]})
}

// data returns the data of an entry: a leader's first entry, a value, or other data.
func (r *replicated) data(env model.Env) string {
	switch k := env.Choose(r.values + 2); k {
	case 0:
		return ""
	case r.values + 1:
		return other
	default:
		return fmt.Sprintf("x%d", k)
	}
}

// begins is the index of the snapshot, of term 1, from which every peer begins. The list starts after this
// index.
const begins = 1

// other replaces the data of reads through the log and of changes. The page does not distinguish them.
const other = "…"

var proposed = regexp.MustCompile(`^(x[0-9]+)?$`)

// refinesLog claims that the group refines the page. If the group begins with a leader, nobody saw its
// election. A peer notes this leader when it starts.
var refinesLog = func() model.Claim {
	c := claimed.Refines(replicatedLog, func(o model.Observation) (model.Observation, bool) {
		switch n := o.Value.(type) {
		case member.Elected:
			return page(leads{o.Node, n.Term})
		case member.Applied:
			e := n.Entry
			e.Index -= begins
			if e.Conf || !proposed.MatchString(e.Data) {
				e.Conf, e.Data = false, other
			}
			return page(applies{o.Node, e})
		case member.Installed:
			return page(installs{o.Node, n.Index - begins})
		case member.Strayed:
			return page(breaks{"applies an entry that is not the next"})
		case member.Regressed:
			return page(breaks{"its commit index falls"})
		}
		if o.Kind == model.Recovered {
			return page(returnsTo{o.Node})
		}
		return model.Observation{}, false
	})
	c.Source = doc + ", doc.go"
	c.Refinement.At = func(s *model.System) model.Check {
		c := s.Config
		most := 1 + Led.Of(c) + Candidates.Of(c)*Campaigns.Of(c) + Transfers.Of(c) + c.N*Ticks.Of(c)
		return model.Check{Config: model.Config{N: c.N}.With(terms.Is(most), Proposals.Is(Proposals.Of(c)))}
	}
	return c
}()

func page(label any) (model.Observation, bool) {
	return model.Observation{Kind: model.Noted, Value: label}, true
}
