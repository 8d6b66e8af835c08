package component

import (
	"encoding/binary"

	"contend/checker/search/fingerprint"
)

// Past returns a fresh copy of an interned causal past; nil for number 0.
func (st *Store) Past(id uint32) []int32 {
	var p []int32
	for b := st.pasts.Items[id]; len(b) > 0; b = b[4:] {
		p = append(p, int32(binary.LittleEndian.Uint32([]byte(b[:4]))))
	}
	return p
}

// PastID returns the number of a causal past.
func (st *Store) PastID(p []int32) uint32 {
	var b []byte
	for _, x := range p {
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	id := st.pasts.Id(string(b))
	if int(id) == len(st.PastPrints) {
		st.PastPrints = append(st.PastPrints, fingerprint.Of(append([]byte{'A'}, b...)))
	}
	return id
}
