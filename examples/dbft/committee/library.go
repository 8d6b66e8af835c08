package committee

import (
	"contend/examples/dbft/payload"
	"contend/model"

	"github.com/nspcc-dev/dbft"
)

// height is the height of the block that the validators agree on. At this height the primaries of the views
// 0, 1, 2 are cn0, cn3, cn2.
const height = 4

func (c *Config) validator(index int) *Validator {
	v := &Validator{cfg: c, Index: index, Timeouts: c.Timeouts[index]}
	v.boot()
	return v
}

// recovered returns a validator that recovers from a crash. It has the crashed validator's disk, and initial
// values for the rest of its state.
func (c *Config) recovered(crashed *Validator) *Validator {
	v := &Validator{
		cfg: c, Index: crashed.Index, Timeouts: crashed.Timeouts, Starts: crashed.Starts, Disk: crashed.Disk,
		Block: crashed.Block, At: crashed.At,
	}
	if v.Block == "" {
		v.boot()
	}
	return v
}

// boot makes the library's object.
func (v *Validator) boot() {
	core, err := dbft.New(
		dbft.WithTimer[payload.Hash](timer{}),
		dbft.WithGetKeyPair[payload.Hash](func([]dbft.PublicKey) (int, dbft.PrivateKey, dbft.PublicKey) {
			if v.restoring {
				return -1, payload.Key(v.Index), payload.Key(v.Index) // no validator yet, so that Start proposes nothing
			}
			return v.Index, payload.Key(v.Index), payload.Key(v.Index)
		}),
		dbft.WithGetValidators[payload.Hash](func(...dbft.Transaction[payload.Hash]) []dbft.PublicKey { return v.cfg.keys() }),
		dbft.WithCurrentHeight[payload.Hash](func() uint32 { return height - 1 }),
		dbft.WithCurrentBlockHash[payload.Hash](func() payload.Hash { return "" }),
		dbft.WithVerifyPrepareRequest[payload.Hash](func(p dbft.ConsensusPayload[payload.Hash]) error { return v.cfg.Verify(v, p.(payload.Payload)) }),
		dbft.WithBroadcast[payload.Hash](v.broadcast),
		dbft.WithProcessBlock[payload.Hash](v.accept),
		dbft.WithNewBlockFromContext[payload.Hash](func(ctx *dbft.Context[payload.Hash]) dbft.Block[payload.Hash] {
			return v.cfg.Block(payload.Block{Height: ctx.BlockIndex, Number: ctx.Nonce, Primary: ctx.PrimaryIndex})
		}),
		dbft.WithNewConsensusPayload[payload.Hash](newPayload),
		dbft.WithNewPrepareRequest[payload.Hash](v.propose),
		dbft.WithNewPrepareResponse[payload.Hash](func(to payload.Hash) dbft.PrepareResponse[payload.Hash] { return payload.Response{To: to} }),
		dbft.WithNewChangeView[payload.Hash](func(to byte, why dbft.ChangeViewReason, _ uint64) dbft.ChangeView {
			return payload.Change{New: to, Why: why}
		}),
		dbft.WithNewCommit[payload.Hash](func(sign []byte) dbft.Commit { return payload.Commitment{Sign: string(sign)} }),
		dbft.WithNewRecoveryRequest[payload.Hash](func(uint64) dbft.RecoveryRequest { return payload.Query{} }),
		dbft.WithNewRecoveryMessage[payload.Hash](func() dbft.RecoveryMessage[payload.Hash] { return &payload.Recovery{} }),
	)
	model.Assert(err == nil, "dbft.New: %v", err)
	v.Core = core
}

// propose replaces the library's function that draws a random nonce and reads the clock. Both are fixed here.
func (v *Validator) propose(uint64, uint64, []payload.Hash) dbft.PrepareRequest[payload.Hash] {
	v.Core.Timestamp, v.Core.Nonce = 0, number(int(v.Core.ViewNumber), v.Starts)
	return payload.Request{Number: v.Core.Nonce}
}

// number returns the nonce of the block that a correct primary proposes in a view. It differs after each
// start.
func number(view, starts int) uint64 { return uint64(10*(view+1) + starts) }

// newPayload makes a payload, signed. A recovery message is a pointer while the library fills it.
func newPayload(ctx *dbft.Context[payload.Hash], _ dbft.MessageType, body any) dbft.ConsensusPayload[payload.Hash] {
	if r, is := body.(*payload.Recovery); is {
		body = *r
	}
	me := uint16(ctx.MyIndex)
	return payload.Payload{From: me, Signer: me, Block: ctx.BlockIndex, View: ctx.ViewNumber, Body: body}
}

// omit are the fields of a validator that are configuration.
var omit = []string{"cfg", "Core.Config", "Core.Context.Config"}
