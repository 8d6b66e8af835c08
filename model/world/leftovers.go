package world

import (
	"contend/model/guard"
	"contend/model/purity"
)

// leftovers detects what handlers leave behind, in all worlds of a setting: goroutines, and Envs that are used
// later.
type leftovers struct {
	strays guard.Strays
	counts []guard.Census // of nodes, then monitors
}

// strays returns the strays of the world. Worlds with one [Purity] share them.
func (w *World) strays() *guard.Strays {
	if w.opt.Purity != nil {
		return &w.opt.Purity.strays
	}
	return &w.setting.leftovers.strays
}

// lend begins a loan of an Env. If handlers run twice, the loan checks the goroutine.
func (w *World) lend(l *guard.Loan) { l.Begin(w.opt.Purity != nil, w.strays()) }

// callHandler calls a handler of the node or monitor with the given index. It panics with a [purity.Impure] if
// the handler leaves a goroutine behind.
func (w *World) callHandler(number int, n any, handler string, r *guard.Running, run func()) (failed *guard.Failure) {
	place := w.setting.leftovers.counts[number].Call(func() { failed = w.opt.Running.Call(r, run) })
	w.strays().MustBeNone()
	if place != "" {
		panic(purity.Started(n, handler, place))
	}
	return failed
}
