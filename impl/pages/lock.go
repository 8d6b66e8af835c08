package pages

import (
	"slices"

	"contend/model"
	"contend/model/claims"
)

// Lock is a lock that somebody has or nobody.
var Lock = &model.Protocol{
	Name: "lock", Title: "a lock: who has it leaves before another enters", Source: "a page",
	Params: []model.Parameter{nodes},
	Build: func(c model.Config) (*model.System, error) {
		return alone("lock", c, []any{Enters{}, Leaves{}, Crashes{}}, func() model.Node { return &lock{of: c.N} }), nil
	},
}

// What the lock shows.
type (
	Enters  struct{ Who model.NodeID }
	Leaves  struct{ Who model.NodeID }
	Crashes struct{ Who model.NodeID } // who leaves so, if it is inside
)

// lock is the node of the page.
type lock struct {
	of  int
	Has model.Optional[model.NodeID]
}

func (*lock) Start(env model.Env) { next(env) }

func (l *lock) Timeout(env model.Env, _ any) {
	next(env)
	who := one(env, l.of)
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

// RefinesLock says that critical sections are those of a [Lock]: an operation that has a release
// enters as it returns. A node that crashes is no longer inside. The claim is refused of a system in
// which no operation has a release: nobody is seen to leave, and the second entry would violate it.
func RefinesLock(assumes ...model.Assumption) model.Claim {
	c := claims.Refines(Lock, func(o model.Observation) (model.Observation, bool) {
		switch o.Kind {
		case model.Returned:
			return told(Enters{o.Node})
		case model.Released:
			return told(Leaves{o.Node})
		case model.Crashed:
			return told(Crashes{o.Node})
		}
		return model.Observation{}, false
	})
	c.Assumes = assumes
	c.Refinement.At = func(s *model.System) model.Check {
		if !slices.ContainsFunc(s.Nodes, leaves) {
			model.Misused("no operation of the system has a release, so nobody is seen to leave the lock")
		}
		return beside(s)
	}
	return c
}

// leaves reports whether the script of a node has a release.
func leaves(n model.NodeSpec) bool {
	return slices.ContainsFunc(n.Script, func(o model.Op) bool { return o.Release != nil })
}
