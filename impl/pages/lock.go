package pages

import (
	"slices"

	"contend/model"
	"contend/model/claims"
)

// Lock is a lock with at most one holder.
var Lock = &model.Protocol{
	Name: "lock", Title: "a lock: who has it leaves before another enters", Source: "a page",
	Params: []model.Parameter{nodes},
	Build: func(c model.Config) (*model.System, error) {
		return system("lock", c, []any{Enters{}, Leaves{}, Crashes{}}, func() model.Node { return &lock{n: c.N} }), nil
	},
}

// The notes of the lock.
type (
	Enters  struct{ Who model.NodeID }
	Leaves  struct{ Who model.NodeID }
	Crashes struct{ Who model.NodeID } // a crash in the section is an exit
)

// lock is the node of the page.
type lock struct {
	n   int
	Has model.Optional[model.NodeID]
}

func (*lock) Start(env model.Env) { wake(env) }

func (l *lock) Timeout(env model.Env, _ any) {
	wake(env)
	who := choose(env, l.n)
	inside := l.Has == model.Some(who)
	switch act := env.Choose(3); {
	case act == 0 && !l.Has.Known:
		l.Has = model.Some(who)
		env.Note(Enters{who})
	case act == 1 && inside:
		l.Has = nobody
		env.Note(Leaves{who})
	case act == 2:
		if inside {
			l.Has = nobody
		}
		env.Note(Crashes{who})
	}
}

var nobody model.Optional[model.NodeID]

// RefinesLock claims that critical sections refine a [Lock]. An operation with a release enters when it returns. A node
// that crashes leaves the section. At least one operation of the system must have a release. Otherwise no node is seen
// to leave, and the second entry would violate the claim.
func RefinesLock(assumes ...model.Assumption) model.Claim {
	c := claims.Refines(Lock, func(o model.Observation) (model.Observation, bool) {
		switch o.Kind {
		case model.Returned:
			return note(Enters{o.Node})
		case model.Released:
			return note(Leaves{o.Node})
		case model.Crashed:
			return note(Crashes{o.Node})
		}
		return model.Observation{}, false
	})
	c.Assumes = assumes
	c.Refinement.At = func(s *model.System) model.Check {
		if !slices.ContainsFunc(s.Nodes, leaves) {
			model.Misused("no operation of the system has a release, so nobody is seen to leave the lock")
		}
		return check(s)
	}
	return c
}

// leaves reports whether the script of a node has a release.
func leaves(n model.NodeSpec) bool {
	return slices.ContainsFunc(n.Script, func(o model.Op) bool { return o.Release != nil })
}
