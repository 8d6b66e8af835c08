package component

import (
	"contend/model"
	"contend/model/describe"
)

// A running describes a running handler. It reads nothing that the search writes, so that another goroutine may
// call Describe.
type running struct {
	st       *Store
	slot     int16
	proto    any
	state    string // encoded
	argument string // encoded
	what     string
}

func (st *Store) running(slot int16, from uint32, what string) running {
	return running{st, slot, st.Protos[slot], st.Locals.Items[from].Bytes, st.Values.Items[st.argument], what}
}

// Describe returns the handler, its argument and its node's state as a text.
func (r running) Describe() string {
	n, names := r.st.Codec.DecodeNode(r.proto, []byte(r.state)), r.st.Sys.Name
	v, _ := r.st.Codec.TurnedAny([]byte(r.argument), 0)
	return describe.Call(r.what, r.st.Who(r.slot), v, "", n, names)
}

// Who returns the name of a node, or of a monitor's claim.
func (st *Store) Who(slot int16) string {
	if int(slot) < len(st.Sys.Nodes) {
		return st.Sys.Name(model.NodeID(slot))
	}
	return "claim " + st.ClaimOf(slot).Name
}
