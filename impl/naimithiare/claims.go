package naimithiare

import (
	"fmt"
	"slices"

	"contend/impl/mutex"
	"contend/model"
)

const (
	source = "Naimi–Thiare, correctness"
	proofs = "docs/proofs/naimithiare.md#"
)

// The paper does not number its lemmas. Here they are numbered in the paper's order.
var claimed = []model.Claim{
	mutex.Exclusion(source+", first theorem", proofs+"mutual-exclusion", mutex.Kept...),
	mutex.Linearizable(source+", first theorem", proofs+"mutual-exclusion", mutex.Kept...),
	mutex.OneToken(source+", proof of the first theorem", proofs+"mutual-exclusion"),
	{
		Name: "Lemma 1", Kind: model.Always, Source: source + ", first lemma",
		Proof: proofs + "lemma-1", Assumes: mutex.Kept, Invariant: each(lemma1),
	},
	{
		Name: "Lemma 2", Kind: model.Always, Source: source + ", second lemma",
		Proof: proofs + "lemma-2", Assumes: mutex.Kept, Invariant: each(lemma2),
	},
	{
		Name: "Lemma 2, couples", Kind: model.Always, Source: source + ", proof of the second lemma",
		Proof: proofs + "lemma-2", Assumes: mutex.Kept, Invariant: each(couples),
	},
	{
		Name: "the queue waits", Kind: model.Always, Source: source + ", used by the proofs of the theorems",
		Proof: proofs + "the-invariant", Assumes: append([]model.Assumption{model.NoCrash}, mutex.Kept...), Invariant: queueWaits,
	},
	lemma3,
	mutex.HappenedBefore(source+", second theorem", proofs+"happened-before-order", mutex.Kept...),
	mutex.DeadlockFreedom("Naimi–Thiare, abstract: 'liveness'", proofs+"liveness", mutex.FailFree...),
	mutex.Granted("Naimi–Thiare, introduction: 'starvation-free'", proofs+"liveness", mutex.FailFree...),
	mutex.Overtaking("Naimi–Thiare, abstract: 'fairness'", proofs+"bounded-overtaking", mutex.Kept...),
}

// processes returns the processes of all nodes, also of variants. A crashed node has nil.
func processes(nodes []model.Node) []*Process {
	up := make([]*Process, len(nodes))
	for i, n := range nodes {
		if n != nil {
			up[i] = n.(interface{ process() *Process }).process()
		}
	}
	return up
}

func (p *Process) process() *Process { return p }

// HasToken reports whether the process holds the token, and whether it is in the section.
func (p *Process) HasToken() (holds, inside bool) { return p.HT, p.InCS }

// each returns an invariant of all processes that are up. It calls f for each such process in each state. An error of f
// is a violation.
func each(f func(i int, p *Process) error) func([]model.Node) error {
	return func(nodes []model.Node) error {
		for i, p := range processes(nodes) {
			if p == nil {
				continue
			}
			if err := f(i, p); err != nil {
				return fmt.Errorf("p%d: %w", i+1, err)
			}
		}
		return nil
	}
}

// lemma1 checks "R_i[i] ≤ T[i]+1". Only P_i changes T[i], when it leaves, so P_i has the current value.
func lemma1(i int, p *Process) error {
	if p.R[i] > p.T[i]+1 {
		return fmt.Errorf("its R[i] is %d, and T[i] is %d", p.R[i], p.T[i])
	}
	return nil
}

// lemma2 checks "0 ≤ |Q_i| ≤ n".
func lemma2(_ int, p *Process) error {
	if len(p.Q) > len(p.R) {
		return fmt.Errorf("its Q has %d requests", len(p.Q))
	}
	return nil
}

// couples checks a premise of the proof of Lemma 2: Q_i has at most one couple of each process.
func couples(_ int, p *Process) error {
	for at, c := range p.Q {
		if holds(p.Q[:at], c.J) {
			return fmt.Errorf("its Q has two requests of p%d", c.J+1)
		}
	}
	return nil
}

// queueWaits checks the queue of the token's holder. It has only requests of other, waiting processes. It is empty
// while the holder is idle. So a process that receives the token enters.
func queueWaits(nodes []model.Node) error {
	all := processes(nodes)
	for i, p := range all {
		if p == nil || !p.HT {
			continue
		}
		if len(p.Q) > 0 && !p.InCS {
			return fmt.Errorf("p%d is idle and keeps the token although its queue is not empty", i+1)
		}
		for _, c := range p.Q {
			if k := all[c.J]; k != nil && (int(c.J) == i || !k.Waiting) {
				return fmt.Errorf("p%d has p%d in its queue, but p%[2]d does not wait for the token", i+1, c.J+1)
			}
		}
	}
	return nil
}

// lemma3 claims "All requests in waiting queue Q respect the causal ordering", for the queue of the token's holder. No
// request is behind a request that it happened before.
var lemma3 = model.Claim{
	Name: "Lemma 3", Kind: model.Always, Source: source + ", third lemma",
	Proof: proofs + "lemma-3", Assumes: mutex.Kept,
	Monitor: func(*model.System) model.Monitor { return &queueOrder{} },
	Causal:  func(o model.Observation) bool { return o.Kind == model.Invoked },
}

type queueOrder struct {
	Behind  map[model.NodeID][]int32 // by waiting process: the number of each process's requests that happened before its own
	Entered map[model.NodeID]int32
}

func (q *queueOrder) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Invoked:
		q.Behind[o.Node] = slices.Clone(o.Past)
	case model.Returned:
		q.Entered[o.Node]++
		delete(q.Behind, o.Node)
	case model.Noted:
		for at, later := range o.Value.(mutex.Waiting).Queue {
			for _, first := range o.Value.(mutex.Waiting).Queue[:at] {
				q.compare(w, first, later)
			}
		}
	}
}

// compare checks two requests in the order of the queue.
func (q *queueOrder) compare(w model.Watch, first, later model.NodeID) {
	behind, waits := q.Behind[first]
	if !waits || q.Behind[later] == nil {
		return
	}
	w.Witness()
	if behind[later] > q.Entered[later] {
		w.Violate("its queue has a request before one that happened before it")
	}
}
