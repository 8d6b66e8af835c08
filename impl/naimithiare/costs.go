package naimithiare

import (
	"contend/impl/mutex"
	"contend/model"
)

// costed are the numbers of the text, "0 when a process holds the token and n in the other case", and the common costs
// of locks. Each process enters once, because timestamps make many states of two entries.
var costed = once(mutex.TokenCosts("Naimi–Thiare, conclusion", mutex.TokenBehalf[REQ, TOKEN]))

func once(all []*model.Cost) []*model.Cost {
	for _, c := range all {
		c.Check.Config = mutex.Of(3, 1)
	}
	return all
}
