package component

import (
	"contend/model"
	"contend/model/describe"
)

// running names a handler that runs. It reads nothing that the search changes.
type running struct {
	st    *Store
	slot  int16
	proto any
	state string // encoded
	given string // likewise
	what  string
}

func (st *Store) running(slot int16, from uint32, what string) running {
	return running{st, slot, st.Protos[slot], st.Locals.Items[from].Bytes, st.Values.Items[st.given], what}
}

// Describe says which handler it is, what it was given, and in which state.
func (r running) Describe() string {
	n, names := r.st.Codec.DecodeNode(r.proto, []byte(r.state)), r.st.Sys.Name
	v, _ := r.st.Codec.TurnedAny([]byte(r.given), 0)
	return describe.Call(r.what, r.st.Who(r.slot), v, "", n, names)
}

// Who is a node, or the claim of a monitor, for people.
func (st *Store) Who(slot int16) string {
	if int(slot) < len(st.Sys.Nodes) {
		return st.Sys.Name(model.NodeID(slot))
	}
	return "claim " + st.ClaimOf(slot).Name
}
