package fuzzing

import (
	"encoding/binary"
	"errors"
	"slices"
)

// A Corpus has the states of nodes that inputs of a target reached, perhaps in several processes, and the inputs
// that reached a new state. The zero value is empty.
type Corpus struct {
	states map[uint64]bool
	inputs [][]byte

	fresh       []uint64 // new states of the last call of Target.Inputs
	freshInputs [][]byte
}

// Inputs returns the number of inputs that reached a new state.
func (f *Corpus) Inputs() int { return len(f.inputs) }

// The limits of a corpus.
const (
	MostCorpus = 512 << 10 // maximum size of the result of Corpus.Fresh, in bytes
	mostStates = 1 << 20   // maximum number of states
	mostInputs = 1 << 14
)

// corpusVersion is the first byte of the result of Corpus.Fresh.
const corpusVersion = 1

// Fresh returns the additions of the last call of [Target.Inputs], for [Corpus.Add]; nil if there are none. It
// omits additions beyond [MostCorpus] bytes.
func (f *Corpus) Fresh() []byte {
	if len(f.fresh) == 0 {
		return nil
	}
	states := f.fresh[:min(len(f.fresh), MostCorpus/4/8)]
	b := binary.AppendUvarint([]byte{corpusVersion}, uint64(len(states)))
	for _, s := range states {
		b = binary.BigEndian.AppendUint64(b, s)
	}
	for _, data := range slices.Backward(f.freshInputs) { // the last inputs reached states that the others do not
		if len(b)+binary.MaxVarintLen64+len(data) > MostCorpus {
			break
		}
		b = append(binary.AppendUvarint(b, uint64(len(data))), data...)
	}
	return b
}

// Add adds results of [Corpus.Fresh], in their order. It omits invalid results, and then returns an error. The
// bytes need not be trusted.
func (f *Corpus) Add(all ...[]byte) (err error) {
	if f.states == nil {
		f.states = map[uint64]bool{}
	}
	for _, data := range all {
		states, inputs, ok := readCorpus(data)
		if !ok {
			err = errors.New("what inputs found is damaged, or of a later version")
			continue
		}
		for _, s := range states {
			if len(f.states) < mostStates {
				f.states[s] = true
			}
		}
		f.inputs = append(f.inputs, inputs...)
	}
	f.inputs = f.inputs[max(0, len(f.inputs)-mostInputs):]
	return err
}

// readCorpus decodes a result of [Corpus.Fresh].
func readCorpus(data []byte) (states []uint64, inputs [][]byte, ok bool) {
	if len(data) == 0 || len(data) > MostCorpus || data[0] != corpusVersion {
		return nil, nil, false
	}
	data = data[1:]
	count, n := binary.Uvarint(data)
	if n <= 0 || count > uint64(len(data)-n)/8 {
		return nil, nil, false
	}
	for data = data[n:]; count > 0; count-- {
		states, data = append(states, binary.BigEndian.Uint64(data)), data[8:]
	}
	for len(data) > 0 {
		size, n := binary.Uvarint(data)
		if n <= 0 || size > uint64(len(data)-n) {
			return nil, nil, false
		}
		inputs, data = append(inputs, slices.Clone(data[n:n+int(size)])), data[n+int(size):]
	}
	slices.Reverse(inputs)
	return states, inputs, true
}
