package suzukikasami

import (
	"fmt"

	"contend/impl/mutex"
	"contend/model"
)

const (
	source = "Naimi–Thiare, Suzuki–Kasami's algorithm"
	proofs = "docs/proofs/suzukikasami.md#"
)

var claimed = []model.Claim{
	mutex.Exclusion(source, proofs+"mutual-exclusion", mutex.Kept...),
	mutex.Linearizable(source, proofs+"mutual-exclusion", mutex.Kept...),
	mutex.OneToken(source+": 'A single process has the privilege'", proofs+"mutual-exclusion"),
	{
		Name: "request numbers", Kind: model.Always, Source: source + ": 'if RN[j] = LN[j]+1, it means that a node j has sent a request'",
		Proof: proofs + "request-numbers", Assumes: mutex.Kept, Invariant: requestNumbers,
	},
	mutex.DeadlockFreedom(source, proofs+"liveness", mutex.FailFree...),
	mutex.Granted("Naimi–Thiare, introduction: 'starvation-free'", proofs+"liveness", mutex.FailFree...),
	mutex.Overtaking("Naimi–Thiare, introduction: 'fairness'", proofs+"bounded-overtaking", mutex.Kept...),
	mutex.HappenedBefore("SDX lecture, desired property 3", proofs+"happened-before-order", mutex.Kept...),
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
func (p *Process) HasToken() (holds, inside bool) { return p.Holds, p.Inside }

// requestNumbers checks the counts RN and LN. No process knows a request of P_j before P_j makes it. The holder's LN[j]
// is the number of P_j's latest request, or one less while P_j waits or is in the section.
func requestNumbers(nodes []model.Node) error {
	up := processes(nodes)
	for i, p := range up {
		for j, of := range up {
			if p == nil || of == nil {
				continue
			}
			if own := of.RN[j]; p.RN[j] > own {
				return fmt.Errorf("RN of p%d has %d for p%d, but p%[3]d has made %[4]d requests", i+1, p.RN[j], j+1, own)
			} else if p.Holds && (p.LN[j] > own || p.LN[j] < own-1 || p.LN[j] == own && of.Asking) {
				return fmt.Errorf("LN has %d for p%d, which has made %d requests", p.LN[j], j+1, own)
			}
		}
	}
	return nil
}
