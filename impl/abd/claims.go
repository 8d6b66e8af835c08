package abd

import (
	"contend/model"
	"contend/model/claims"
)

const (
	proofs  = "docs/proofs/abd.md#"
	atomic  = "the register is atomic"
	quorum  = "a quorum has what an operation returns"
	oneTag  = "a write has one tag"
	returns = "every operation returns"
)

// The notes of nodes.
type (
	// Updated is noted when a client begins to update a quorum to a version.
	Updated Version
	// Stored is noted when a replica stores a version.
	Stored Version
)

var claimed = []model.Claim{
	{
		Name: atomic, Kind: model.Linearizable, Source: "Attiya–Bar-Noy–Dolev 1995", Proof: proofs + "atomicity",
		Object: model.Object{Name: "register", Init: 0, Step: func(state any, _ model.NodeID, op any) []model.Effect {
			if w, writes := op.(Write); writes {
				return []model.Effect{{State: w.Value, Result: nil}}
			}
			return []model.Effect{{State: state, Result: state}}
		}},
	},
	written(model.Claim{
		Name: quorum, Kind: model.Always, Source: "Attiya–Bar-Noy–Dolev 1995", Proof: proofs + "atomicity",
		Monitor: func(s *model.System) model.Monitor { return &quorums{Replicas: s.Config.N} },
	}),
	written(model.Claim{
		Name: oneTag, Kind: model.Always, Source: "Lynch–Shvartsman 1997", Proof: proofs + "atomicity",
		Monitor: func(*model.System) model.Monitor { return &tags{} },
	}),
	{
		Name: returns, Kind: model.Eventually, Source: "Attiya–Bar-Noy–Dolev 1995: a minority may crash", Proof: proofs + "operations-return",
		Assumes: []model.Assumption{model.NoLoss, model.NoMemoryLoss}, Done: true,
	},
}

// written returns a claim that needs a writer.
func written(c model.Claim) model.Claim {
	return claims.Vacuous(c, func(s *model.System) bool { return Writers.Of(s.Config) == 0 }, "nobody writes")
}

// quorums checks that a quorum of replicas stores the version of an operation, or a later version, once the operation returns.
type quorums struct {
	Replicas int
	Tags     map[int]Tag                          // by value: its first tag
	Latest   map[model.NodeID]Tag                 // by replica: the latest tag that it has stored
	Writes   map[model.NodeID]model.Optional[int] // by client: the value of its write
}

func (q *quorums) Observe(w model.Watch, o model.Observation) {
	switch v := o.Value.(type) {
	case Write:
		q.Writes[o.Node] = model.Some(v.Value)
	case Updated:
		if _, is := q.Tags[v.Value]; !is {
			q.Tags[v.Value] = v.Tag
		}
	case Stored:
		if later(v.Tag, q.Latest[o.Node]) {
			q.Latest[o.Node] = v.Tag
		}
	}
	if o.Kind != model.Returned {
		return
	}
	value, reads := o.Value.(int)
	if !reads {
		value = q.Writes[o.Node].Value
	}
	if value == 0 {
		return // the initial value
	}
	w.Witness()
	tag, have := q.Tags[value], 0
	for _, latest := range q.Latest {
		if !later(tag, latest) {
			have++
		}
	}
	if 2*have <= q.Replicas {
		w.Violate("its operation on value %d returns, and %d of %d replicas have stored that version or a later version", value, have, q.Replicas)
	}
}

// later reports whether tag a is later than b. It is separate from [Spec], which it judges.
func later(a, b Tag) bool {
	if a.Number != b.Number {
		return a.Number > b.Number
	}
	return a.Writer > b.Writer
}

// tags checks that clients update with one tag for a value, and with one value for a tag. Each write has its own value.
type tags struct {
	Tags   map[int]Tag // by value
	Values map[Tag]int
}

func (t *tags) Observe(w model.Watch, o model.Observation) {
	v, is := o.Value.(Updated)
	if !is {
		return
	}
	w.Witness()
	if tag, is := t.Tags[v.Value]; is && tag != v.Tag {
		w.Violate("it updates to value %d with another tag than before", v.Value)
	}
	if value, is := t.Values[v.Tag]; is && value != v.Value {
		w.Violate("it updates to value %d with the tag of value %d", v.Value, value)
	}
	t.Tags[v.Value], t.Values[v.Tag] = v.Tag, v.Value
}
