package group

import (
	"fmt"

	"contend/examples/etcdraft/member"
	"contend/model"
)

// workload returns the calls of each peer's application: appends, then reads, then changes of the
// configuration, then transfers. An application makes a call when the previous call has returned, or later.
func workload(c model.Config, changes []member.Change) [][]model.Op {
	scripts := make([][]model.Op, c.N)
	in := actors(c)
	give := func(times int, at func(k int) int, op func(k int) any) {
		for k := range times {
			i := at(k)
			scripts[i] = append(scripts[i], model.Op{Call: op(k), After: model.Anytime()})
		}
	}
	up := func(k int) int { return k % in }
	down := func(k int) int { return in - 1 - k%in }
	give(Proposals.Of(c), down, func(k int) any { return member.Append{Value: fmt.Sprintf("x%d", k+1)} })
	give(Reads.Of(c), up, func(k int) any { return member.Read{ID: fmt.Sprintf("r%d", k+1)} })
	give(LogReads.Of(c), up, func(k int) any { return member.LogRead{ID: fmt.Sprintf("l%d", k+1)} })
	give(Changes.Of(c), func(int) int { return 0 }, func(k int) any { return changes[k%len(changes)] })
	give(Transfers.Of(c), up, func(k int) any { return member.Transfer{To: uint64((up(k)+1)%c.N + 1)} })
	return scripts
}
