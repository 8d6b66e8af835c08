package component

import "contend/model"

// Stored returns the part from which a node restarts after a crash in a local state. While the part is pending,
// the node is down and may restart.
func (st *Store) Stored(slot int16, state uint32) uint32 {
	return st.Part(Part{Base: st.Base(Base{Kind: Stored, Slot: slot, Value: st.Value(st.stableState(slot, state))}), Hi: Endless})
}

// stableState returns the stable state of a node that crashes; nil if the node restarts in its first state.
func (st *Store) stableState(slot int16, state uint32) any {
	proto := st.Protos[slot]
	if !st.Codec.HasStable(proto) {
		return nil
	}
	crashed := st.Codec.DecodeNode(proto, []byte(st.Locals.Items[state].Bytes))
	return st.Codec.State(st.Codec.Recovered(proto, crashed))
}

// Reborn returns the local state, before Start, of a node that restarts from a [Store.Stored] part.
func (st *Store) Reborn(part uint32) uint32 {
	b := st.Bases.Items[st.Parts.Items[part].Base]
	n := st.Protos[b.Slot].(model.Node)
	if state := st.Decoded(b.Value); state != nil {
		n = st.Codec.WithState(n, state)
	}
	return st.Local(b.Slot, st.Codec.Node(n, nil))
}
