package tokenring

import (
	"contend/impl/mutex"
	"contend/model"
	"contend/model/costs"
)

const table = "SDX lecture, token ring algorithm, table"

// costed are the lecture's metrics. No run ends by itself, so nothing is read at the end of one.
var costed = append([]*model.Cost{bandwidth()}, delays()...)

// bandwidth are the messages of an entry and the exit before it: "1 (all enter) to ∞ (none enter)".
func bandwidth() *model.Cost {
	c := costs.BetweenEntries()
	c.Source, c.Most = table, 64
	return c
}

// delays are how far the token has to go for an entry: "0 (token just received) to N-1 (token
// just departed)", where one process asks; and from an exit to the next entry, of a process that
// waited at the exit: "1 (successor will access) to N-1 (predecessor will access)".
func delays() []*model.Cost {
	all := []*model.Cost{costs.ClientDelay(), costs.SynchronizationDelay()}
	all = append(all, costs.DelaysInTime()...)
	for i, c := range all {
		c.Source, c.Most = table, 64
		c.Check.Config = mutex.Of(4, 2).With(mutex.Asking.Is(1 + i%2))
	}
	return all
}
