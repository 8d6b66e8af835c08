package component

import (
	"contend/model"
	"contend/model/describe"
	"contend/model/guard"
	"contend/model/purity"
)

// A leftovers detects what handlers leave behind after their runs: goroutines, uses of an Env, and writes to
// nodes.
type leftovers struct {
	strays guard.Strays
	counts map[int16]*guard.Census // of slots
	relics purity.Relics
}

// callHandler runs the handler of a slot. It panics with an [Impure] if the handler leaves a goroutine behind.
func (st *Store) callHandler(slot int16, n model.Node, what string, run func() *guard.Failure) (failed *guard.Failure) {
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

// storeNode stores a node as the handler left it, and checks a node that was stored earlier.
func (st *Store) storeNode(slot int16, n model.Node, what string, left uint32) {
	if st.turn <= LastChecked {
		st.relics.Keep(purity.Relic{Node: n, Handler: what, State: st.Locals.Items[left].Bytes, Slot: int(slot)}, st.mustBeUnchanged)
	}
}

// MustLeaveNothing panics with an [Impure] if a stored node was written to after its handler returned, or if a
// goroutine used an Env after the handler returned.
func (st *Store) MustLeaveNothing() {
	st.strays.MustBeNone()
	st.relics.Each(st.mustBeUnchanged)
}

func (st *Store) mustBeUnchanged(r purity.Relic) {
	if string(st.Codec.Node(r.Node, nil)) != r.State {
		was := st.Codec.DecodeNode(st.Protos[r.Slot], []byte(r.State))
		panic(purity.Touched(r.Node, r.Handler, describe.Difference(was, r.Node, st.Sys.Name)))
	}
}
