package election

import (
	"fmt"
	"maps"

	"contend/model"
	"contend/model/claims"
)

// Safety claims that "a participant is either non-decided or decided with the non-crashed process with the largest ID".
// The monitor checks this when a process decides: its coordinator must be the largest process that is up.
func Safety(source, proof string, assumes ...model.Assumption) model.Claim {
	return claims.From(model.Claim{Name: "safety", Kind: model.Always, Monitor: func(s *model.System) model.Monitor {
		return &safety{NewStanding(s)}
	}}, source, proof, assumes...)
}

// OneCoordinator claims that no two processes that are up consider themselves the coordinator at
// the same time: "pick a unique coordinator".
func OneCoordinator(source, proof string, assumes ...model.Assumption) model.Claim {
	return claims.From(model.Claim{Name: "one coordinator", Kind: model.Always, Monitor: func(s *model.System) model.Monitor {
		return &unique{NewStanding(s)}
	}}, source, proof, assumes...)
}

// Liveness claims that "all processes eventually participate & either decide on a elected coordinator or crash". After
// an election begins, every process that is up decides at some time.
func Liveness(source, proof string, assumes ...model.Assumption) model.Claim {
	return eventually("liveness", source, proof, (*Standing).settled, assumes)
}

// Concludes claims that an election "concludes with all the processes agreeing on who the new coordinator is". At the
// end of a run, every process that is up has decided on the same coordinator.
func Concludes(source, proof string, assumes ...model.Assumption) model.Claim {
	return eventually("agreement", source, proof, func(s *Standing) bool { return s.settled() && s.agree() }, assumes)
}

// LargestInTheEnd claims [Safety] for the end of a run. Every process that is up has then decided on the largest
// process that is up.
func LargestInTheEnd(source, proof string, assumes ...model.Assumption) model.Claim {
	return eventually("largest in the end", source, proof, func(s *Standing) bool { return s.settled() && s.largest() }, assumes)
}

func eventually(name, source, proof string, reached func(*Standing) bool, assumes []model.Assumption) model.Claim {
	return claims.From(model.Claim{Name: name, Kind: model.Eventually, Monitor: func(s *model.System) model.Monitor {
		return &goal{reached: reached, Standing: NewStanding(s)}
	}}, source, proof, assumes...)
}

// Standing stores the noted coordinator of each process. Monitors embed it and update it.
type Standing struct {
	N     model.NodeID                  // the number of processes
	Begun bool                          // an election was initiated
	Gone  map[model.NodeID]bool         // the processes that are down
	On    map[model.NodeID]model.NodeID // by process that has decided: its coordinator
}

// NewStanding returns the initial state: processes that are [Down] are gone, and no process has decided.
func NewStanding(s *model.System) Standing {
	is := Standing{N: model.NodeID(len(s.Nodes)), Gone: map[model.NodeID]bool{}, On: map[model.NodeID]model.NodeID{}}
	for id := model.NodeID(Up(s.Config)); id < is.N; id++ {
		is.Gone[id] = true
	}
	return is
}

// Follow applies an observation. It reports whether the process decides.
func (s *Standing) Follow(o model.Observation) (decides bool) {
	switch o.Kind {
	case model.Crashed:
		s.Gone[o.Node] = true
		delete(s.On, o.Node)
	case model.Recovered:
		delete(s.Gone, o.Node)
	case model.Noted:
		switch note := o.Value.(type) {
		case Begun:
			s.Begun = true
		case Undecided:
			delete(s.On, o.Node)
		case Decided:
			s.On[o.Node] = note.Coordinator
			return true
		}
	}
	return false
}

// Largest returns the process with the largest ID among the processes that are up, if any.
func (s *Standing) Largest() (id model.NodeID, ok bool) {
	for id = s.N - 1; id >= 0; id-- {
		if !s.Gone[id] {
			return id, true
		}
	}
	return 0, false
}

// settled reports whether no election was initiated, or every process that is up has decided.
func (s *Standing) settled() bool { return !s.Begun || len(s.On)+len(s.Gone) == int(s.N) }

// agree reports whether all decided processes have the same coordinator.
func (s *Standing) agree() bool {
	on := map[model.NodeID]bool{}
	for id := range maps.Values(s.On) {
		on[id] = true
	}
	return len(on) < 2
}

// largest reports whether the coordinator of all decided processes is the largest process that is up.
func (s *Standing) largest() bool {
	largest, _ := s.Largest()
	for on := range maps.Values(s.On) {
		if on != largest {
			return false
		}
	}
	return true
}

type safety struct{ Standing }

func (s *safety) Observe(w model.Watch, o model.Observation) {
	if !s.Follow(o) {
		return
	}
	w.Witness()
	if largest, ok := s.Largest(); ok && s.On[o.Node] != largest {
		w.Violate("it decides on a process that is not the largest that is up")
	}
}

type unique struct{ Standing }

func (u *unique) Observe(w model.Watch, o model.Observation) {
	if !u.Follow(o) || u.On[o.Node] != o.Node {
		return
	}
	w.Witness()
	others := 0
	for id, on := range u.On {
		if id == on && id != o.Node {
			others++
		}
	}
	if others > 0 {
		w.Violate("it takes itself for the coordinator while another does")
	}
}

// goal has the goal that reached returns true. The checker calls reached in each state.
type goal struct {
	reached func(*Standing) bool
	Standing
}

func (g *goal) Observe(w model.Watch, o model.Observation) {
	if g.Follow(o) {
		w.Witness()
	}
}

// Reached reports whether reached returns true.
func (g *goal) Reached() bool { return g.reached(&g.Standing) }

// Misses returns a line for each undecided process that is up. If there is none, it returns the coordinator of each
// process.
func (g *goal) Misses(name func(model.NodeID) string) (undecided []string) {
	var on []string
	for id := range g.N {
		coordinator, decided := g.On[id]
		switch {
		case g.Gone[id]:
		case !decided:
			undecided = append(undecided, name(id)+" is up and has not decided")
		case g.Gone[coordinator]:
			on = append(on, fmt.Sprintf("%s has decided on %s, which is down", name(id), name(coordinator)))
		default:
			on = append(on, fmt.Sprintf("%s takes %s for the coordinator", name(id), name(coordinator)))
		}
	}
	if len(undecided) > 0 {
		return undecided
	}
	return on
}
