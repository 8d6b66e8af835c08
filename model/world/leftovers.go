package world

import (
	"contend/model/guard"
	"contend/model/purity"
)

// leftovers are what handlers may have left behind of their runs, in all worlds of a setting: goroutines, and an Env that is in use.
type leftovers struct {
	strays guard.Strays
	counts []guard.Census // of nodes and, after them, monitors
}

// strays are told who uses an Env that is not its own. Worlds whose handlers run twice have them together.
func (w *World) strays() *guard.Strays {
	if w.opt.Purity != nil {
		return &w.opt.Purity.strays
	}
	return &w.setting.left.strays
}

// lend lends a handler its Env. Where handlers run twice it is looked at who uses it.
func (w *World) lend() *guard.Loan { return guard.Lend(w.opt.Purity != nil, w.strays()) }

// called runs a handler of a node or a monitor, whose number it is given. It panics with a [purity.Impure] if the handler leaves a
// goroutine behind.
func (w *World) called(number int, n any, handler string, r *guard.Running, run func()) (failed *guard.Failure) {
	at := w.setting.left.counts[number].Call(func() { failed = w.opt.Running.Call(r, run) })
	w.strays().MustBeNone()
	if at != "" {
		panic(purity.Started(n, handler, at))
	}
	return failed
}
