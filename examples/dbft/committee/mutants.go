package committee

import (
	"contend/examples/dbft/payload"
	"contend/model"

	"github.com/nspcc-dev/dbft"
)

// The mutants are mistakes in what surrounds the library.
var mutants = []model.Variant{
	{
		Name: "unsigned", Title: "a payload counts for whom it says it is of, whoever has signed it",
		Breaks: prepared, Show: model.Check{Config: lied(0, Views.Is(1), Timeouts.Is(0)), Claims: []string{prepared}},
		Edit: func(s *model.System) {
			setup(s).Unhelped = true
			setup(s).Takes = func(*Validator, payload.Payload, model.NodeID) bool { return true }
		},
	},
	{
		Name: "recovery-unsigned", Title: "what is in a recovery message is taken for genuine",
		Breaks: prepared, Show: model.Check{Config: lied(0, Views.Is(1), Timeouts.Is(0)), Claims: []string{prepared}},
		Edit: func(s *model.System) {
			setup(s).Opens = func(p payload.Payload) payload.Payload {
				p.Signer = p.From
				return p
			}
		},
	},
	{
		Name: "any-signature", Title: "Block.Verify takes any text for a signature of the block",
		Breaks: validity, Show: model.Check{Config: lied(0, Views.Is(1), Timeouts.Is(0)), Claims: []string{validity}},
		Edit: func(s *model.System) {
			weeded(s)
			setup(s).Unhelped = true
			setup(s).Block = func(b payload.Block) dbft.Block[payload.Hash] { return &credulous{b} }
		},
	},
}

// A credulous block accepts any signature as its own.
type credulous struct{ payload.Block }

func (*credulous) Verify(dbft.PublicKey, []byte) error { return nil }
