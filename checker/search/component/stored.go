package component

import "contend/model"

// Stored returns the part that says how a node comes back which crashes in a local state. While
// it is in the bag the node is down, and may come back.
func (st *Store) Stored(slot int16, state uint32) uint32 {
	return st.Part(Part{Base: st.Base(Base{Kind: Stored, Slot: slot, Value: st.Value(st.survives(slot, state))}), Hi: Endless})
}

// survives is the state in which a node comes back, or nil if that is as it was made.
func (st *Store) survives(slot int16, state uint32) any {
	proto := st.Protos[slot]
	if !st.Codec.HasStable(proto) {
		return nil
	}
	crashed := st.Codec.DecodeNode(proto, []byte(st.Locals.Items[state].Bytes))
	return st.Codec.State(st.Codec.Recovered(proto, crashed))
}

// Reborn returns the local state of a node that comes back, before Start; part is what was
// [Store.Stored].
func (st *Store) Reborn(part uint32) uint32 {
	b := st.Bases.Items[st.Parts.Items[part].Base]
	n := st.Protos[b.Slot].(model.Node)
	if state := st.Decoded(b.Value); state != nil {
		n = st.Codec.WithState(n, state)
	}
	return st.Local(b.Slot, st.Codec.Node(n, nil))
}
