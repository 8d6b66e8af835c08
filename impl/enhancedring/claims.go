package enhancedring

import (
	"contend/impl/election"
	"contend/model"
)

const (
	properties = "SDX lecture, desired properties for election algorithms"
	algorithm  = "SDX lecture, enhanced ring algorithm"
	proofs     = "docs/proofs/enhancedring.md"
)

// The algorithm can detect which processes respond only if messages arrive within a known time.
var (
	timely   = []model.Assumption{model.Synchronous, model.NoLoss, model.AtMostOnce, model.NoMemoryLoss}
	failFree = append([]model.Assumption{model.NoCrash}, timely...)
)

var claimed = []model.Claim{
	election.Safety(properties+" 1", proofs+"#safety", failFree...),
	election.OneCoordinator("SDX lecture, election algorithms: 'pick a unique coordinator'", proofs+"#safety", timely...),
	election.Liveness(properties+" 2", proofs+"#liveness", failFree...),
	election.Concludes("SDX lecture, election algorithms: 'all the processes agreeing'", proofs+"#liveness", failFree...),
	election.LargestInTheEnd(properties+" 1", proofs+"#liveness", failFree...),
	{
		Name: "elections conclude", Kind: model.Eventually, Done: true, Source: "SDX lecture, election algorithms: 'an election concludes'",
		Proof: proofs + "#liveness", Assumes: failFree,
	},
	supportsFailures(),
	{
		Name: "members known", Kind: model.Eventually, Source: algorithm + ", step e: 'everyone knows … who the members of the new ring are'",
		Proof: proofs + "#members", Assumes: failFree, Monitor: func(s *model.System) model.Monitor { return newMembers(s) },
	},
	election.Told(proofs+"#the-answer", model.Timed),
}

// supportsFailures claims that eventually all processes that are up have decided on the largest of them, no
// matter which have crashed for good.
func supportsFailures() model.Claim {
	c := election.LargestInTheEnd(algorithm+": 'can support failures during the election'", proofs+"#failures-during-the-election", timely...)
	c.Name = "failures supported"
	return c
}

// members claims that after an election was initiated, eventually each process that is up has noted a ring
// with exactly the processes that are up.
type members struct {
	election.Standing
	All map[model.NodeID]uint32 // the ring that each has noted, a bit for each ID
}

func newMembers(s *model.System) *members {
	return &members{Standing: election.NewStanding(s)}
}

func (m *members) Observe(w model.Watch, o model.Observation) {
	m.Follow(o)
	if o.Kind == model.Crashed {
		delete(m.All, o.Node)
	}
	if ring, is := o.Value.(Ring); is && o.Kind == model.Noted {
		w.Witness()
		m.All[o.Node] = 0
		for _, id := range ring.Members {
			m.All[o.Node] |= 1 << id
		}
	}
}

// Reached reports whether all know the ring.
func (m *members) Reached() bool {
	var up uint32
	for id := range m.N {
		if !m.Gone[id] {
			up |= 1 << id
		}
	}
	for id := range m.N {
		if m.Begun && !m.Gone[id] && m.All[id] != up {
			return false
		}
	}
	return true
}
