package component

import (
	"contend/model"
	"contend/model/describe"
	"contend/model/guard"
	"contend/model/purity"
)

// leftovers are what handlers may have left behind of their runs: goroutines, an Env that is in use, and nodes that are written to.
type leftovers struct {
	strays guard.Strays
	counts map[int16]*guard.Census // of slots
	relics purity.Relics
}

// called runs the handler of a slot, and panics with an [Impure] if it leaves a goroutine behind.
func (st *Store) called(slot int16, n model.Node, what string, run func() *guard.Failure) (failed *guard.Failure) {
	c := st.counts[slot]
	if c == nil {
		c = &guard.Census{}
		st.counts[slot] = c
	}
	at := c.Call(func() { failed = run() })
	st.strays.MustBeNone()
	if at != "" {
		panic(purity.Started(n, what, at))
	}
	return failed
}

// keep keeps a node as a handler left it, and looks at one that was kept before.
func (st *Store) keep(slot int16, n model.Node, what string, left uint32) {
	if st.turn <= LastChecked {
		st.relics.Keep(purity.Relic{Node: n, Handler: what, State: st.Locals.Items[left].Bytes, Slot: int(slot)}, st.mustBeAsLeft)
	}
}

// MustLeaveNothing panics with an [Impure] if something was written to a node after the handler had returned that was given it, as far as
// that node is kept, or if a goroutine used an Env that was not its own.
func (st *Store) MustLeaveNothing() {
	st.strays.MustBeNone()
	st.relics.Each(st.mustBeAsLeft)
}

func (st *Store) mustBeAsLeft(r purity.Relic) {
	if string(st.Codec.Node(r.Node, nil)) != r.State {
		was := st.Codec.DecodeNode(st.Protos[r.Slot], []byte(r.State))
		panic(purity.Touched(r.Node, r.Handler, describe.Difference(was, r.Node, st.Sys.Name)))
	}
}
