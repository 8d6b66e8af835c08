package naimithiare

import (
	"contend/impl/mutex"
	"contend/model"
)

// costed are the numbers that the text gives, "0 when a process holds the token and n in the
// other case", and those by which locks are compared. They are read where each process enters once:
// timestamps make many states of two entries.
var costed = once(mutex.TokenCosts("Naimi–Thiare, conclusion", mutex.TokenBehalf[REQ, TOKEN]))

func once(all []*model.Cost) []*model.Cost {
	for _, c := range all {
		c.Check.Config = mutex.Of(3, 1)
	}
	return all
}
