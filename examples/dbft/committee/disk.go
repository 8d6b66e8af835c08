package committee

import (
	"contend/examples/dbft/payload"

	"github.com/nspcc-dev/dbft"
)

// A Disk is what a validator has written before its Commit was sent. The library writes nothing, and has no function that reads it back: restore
// sets the exported fields of its context.
type Disk struct {
	View            byte
	Number          uint64
	Request, Commit dbft.ConsensusPayload[payload.Hash]
}

// write keeps what the validator has committed to, when it is about to send its Commit.
func (v *Validator) write(p payload.Payload) {
	if _, commits := p.Body.(payload.Commitment); commits {
		d := v.Core
		v.Disk = &Disk{View: d.ViewNumber, Number: d.Nonce, Request: d.PreparationPayloads[d.PrimaryIndex], Commit: p}
	}
}

// restore has the validator come back as one that has sent its Commit.
func (v *Validator) restore() {
	if v.Disk == nil {
		return
	}
	d := v.Core
	d.ViewNumber, d.PrimaryIndex, d.MyIndex = v.Disk.View, d.GetPrimaryIndex(v.Disk.View), v.Index
	d.Timestamp, d.Nonce = 0, v.Disk.Number
	d.PreparationPayloads[d.PrimaryIndex], d.CommitPayloads[d.MyIndex] = v.Disk.Request, v.Disk.Commit
}
