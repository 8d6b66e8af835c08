package committee

import (
	"contend/examples/dbft/payload"

	"github.com/nspcc-dev/dbft"
)

// A Disk is the state that a validator writes before it sends its Commit. The library itself writes nothing
// and has no function that restores a context. Hence restore sets the exported fields of the library's
// context.
type Disk struct {
	View            byte
	Number          uint64
	Request, Commit dbft.ConsensusPayload[payload.Hash]
}

// write stores the validator's commitment immediately before its Commit is sent.
func (v *Validator) write(p payload.Payload) {
	if _, commits := p.Body.(payload.Commitment); commits {
		d := v.Core
		v.Disk = &Disk{View: d.ViewNumber, Number: d.Nonce, Request: d.PreparationPayloads[d.PrimaryIndex], Commit: p}
	}
}

// restore restores the state of a validator that has sent its Commit.
func (v *Validator) restore() {
	if v.Disk == nil {
		return
	}
	d := v.Core
	d.ViewNumber, d.PrimaryIndex, d.MyIndex = v.Disk.View, d.GetPrimaryIndex(v.Disk.View), v.Index
	d.Timestamp, d.Nonce = 0, v.Disk.Number
	d.PreparationPayloads[d.PrimaryIndex], d.CommitPayloads[d.MyIndex] = v.Disk.Request, v.Disk.Commit
}
