package centralized

import (
	"contend/impl/mutex"
	"contend/model"
	"contend/model/claims"
)

const (
	properties = "SDX lecture, desired properties"
	problems   = "SDX lecture, centralized algorithm, problems"
	proofs     = "docs/proofs/centralized.md"
)

var claimed = []model.Claim{
	mutex.Exclusion(properties+" 1", proofs+"#safety", safe...),
	mutex.Linearizable(properties+" 1", proofs+"#safety", safe...),
	mutex.DeadlockFreedom(properties+" 2", proofs+"#liveness", failFree...),
	mutex.Granted(properties+" 2", proofs+"#liveness", failFree...),
	claims.From(claims.BoundedOvertaking(1, queued), properties+" 2", proofs+"#liveness", safe...),
	mutex.HappenedBefore(properties+" 3", proofs+"#happened-before-order", safe...),
	{
		Name: "accuracy", Kind: model.Always, Source: problems, Proof: proofs + "#deny-permission-explicitly",
		Assumes: []model.Assumption{model.Synchronous, model.NoMemoryLoss},
		Monitor: func(*model.System) model.Monitor { return &accuracy{} },
	},
	claims.Vacuous(model.Claim{
		Name: "completeness", Kind: model.Eventually, Source: problems, Proof: proofs + "#deny-permission-explicitly",
		Assumes: []model.Assumption{model.NoLoss, model.NoCrash, model.NoMemoryLoss, model.AtMostOnce},
		Monitor: func(*model.System) model.Monitor { return &completeness{} },
	}, func(s *model.System) bool { return s.Faults.Crashes == 0 }, "nobody crashes"),
	claims.From(claims.RecoverySurvived(), problems+": 'single point of failure'", proofs+"#a-coordinator-that-comes-back", safe...),
}

var (
	// safe is less than the lecture assumes: processes may fail and messages may be lost.
	safe = []model.Assumption{model.AtMostOnce, model.NoMemoryLoss}
	// failFree is "assuming that processes do not fail and message delivery is reliable".
	failFree = []model.Assumption{model.AtMostOnce, model.NoLoss, model.NoCrash, model.NoMemoryLoss}
)

// queued says which process waits from now on: the coordinator has put its request into the queue.
func queued(o model.Observation) (model.NodeID, bool) {
	q, is := o.Value.(Queued)
	return q.Process, is && o.Kind == model.Noted
}

// accuracy says that a process decides that the coordinator has crashed only if it has.
type accuracy struct{ Down bool }

func (a *accuracy) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Crashed && o.Node == coordinator {
		a.Down = true
	}
	if _, suspects := o.Value.(Silent); suspects {
		w.Witness()
		if !a.Down {
			w.Violate("it takes the coordinator for crashed, which is up")
		}
	}
}

// completeness says that when the coordinator has crashed, in the end each process that waits
// for permission has found that out.
type completeness struct {
	Down    bool
	Waiting map[model.NodeID]bool // those who have not found out
}

func (c *completeness) Observe(w model.Watch, o model.Observation) {
	_, suspects := o.Value.(Silent)
	switch {
	case o.Kind == model.Crashed && o.Node == coordinator:
		w.Witness()
		c.Down = true
	case o.Kind == model.Invoked:
		c.Waiting[o.Node] = true
	case o.Kind == model.Returned || o.Kind == model.Crashed || suspects:
		delete(c.Waiting, o.Node)
	}
}

// Reached reports whether nobody waits for a crashed coordinator.
func (c *completeness) Reached() bool { return !c.Down || len(c.Waiting) == 0 }
