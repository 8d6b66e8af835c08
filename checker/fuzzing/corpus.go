package fuzzing

import (
	"encoding/binary"
	"errors"
	"slices"
)

// Corpus is what inputs of a fuzz target found, perhaps in several processes: the states that nodes came to, and the inputs that led to
// them. The zero value is of a target of which none ran.
type Corpus struct {
	states map[uint64]bool
	inputs [][]byte

	fresh       []uint64 // states since the inputs that run last began
	freshInputs [][]byte
}

// Inputs counts those that led a node to a new state.
func (f *Corpus) Inputs() int { return len(f.inputs) }

// Bounds on what is told and kept.
const (
	MostCorpus = 512 << 10 // bytes that Corpus.Fresh returns
	mostStates = 1 << 20   // states that are known
	mostInputs = 1 << 14
)

// corpusVersion begins what Corpus.Fresh returns.
const corpusVersion = 1

// Fresh is what [Target.Inputs] found besides, for [Corpus.Add]; nil is nothing. What is more than [MostCorpus] bytes is left out.
func (f *Corpus) Fresh() []byte {
	if len(f.fresh) == 0 {
		return nil
	}
	states := f.fresh[:min(len(f.fresh), MostCorpus/4/8)]
	b := binary.AppendUvarint([]byte{corpusVersion}, uint64(len(states)))
	for _, s := range states {
		b = binary.BigEndian.AppendUint64(b, s)
	}
	for _, data := range slices.Backward(f.freshInputs) { // the last led to what the others do not
		if len(b)+binary.MaxVarintLen64+len(data) > MostCorpus {
			break
		}
		b = append(binary.AppendUvarint(b, uint64(len(data))), data...)
	}
	return b
}

// Add adds what inputs found elsewhere, in their order. The bytes may be a stranger's: then the error says so, and these are left out.
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
