package committee

import (
	"slices"

	"contend/examples/dbft/payload"
	"contend/model"
)

var variants = slices.Concat(options, mutants)

// The options.
var options = []model.Variant{
	{
		Name: "weeded", Joins: true,
		Title: "VerifyPrepareRequest drops the Commits which came before the PrepareRequest and do not sign its block, as updateExistingPayloads is there to do",
		Edit:  weeded, Show: small(model.Faults{}),
	},
	{
		Name: "steadfast", Joins: true,
		Title: "a validator that asks for another view takes no PrepareRequest, unless more than F others have committed or are lost: as in upstream's TLA+ models",
		Edit:  func(s *model.System) { setup(s).Takes = (*Validator).steadfast }, Show: small(model.Faults{}),
	},
	{
		Name: "persisted", Joins: true, Title: "what a validator has when it sends its Commit is written first, and is there after a crash",
		Edit: func(s *model.System) { setup(s).Writes = true }, Show: small(model.Faults{Restarts: 2}),
	},
	{
		Name: "unhelped", Joins: true, Title: "no RecoveryMessage is sent, as in upstream's TLA+ models, where nothing is lost and nobody asks again",
		Edit: func(s *model.System) { setup(s).Unhelped = true }, Show: small(model.Faults{}),
	},
	{
		Name: "fifo", Joins: true, Title: "the messages of one validator to another arrive in the order sent",
		Edit: func(s *model.System) { s.Network.Channel = model.FIFO }, Show: small(model.Faults{}),
	},
	{
		Name: "abstract", Joins: true, Title: "states are named by what a validator may look at again: see Matters",
		Edit: func(s *model.System) { setup(s).Abstract = true }, Show: small(model.Faults{}),
	},
}

// small returns a check of three validators in one view.
func small(f model.Faults) model.Check {
	return model.Check{Config: model.Config{N: 3, Faults: f}.With(Views.Is(1), Timeouts.Is(0))}
}

func setup(s *model.System) *Config { return s.Setup.(*Config) }

func weeded(s *model.System) { setup(s).Verify = (*Validator).weed }

// weed drops the Commits of this view that came before the PrepareRequest, and do not sign its block.
func (v *Validator) weed(request payload.Payload) error {
	block := payload.Name(uint(request.From), request.Body.(payload.Request).Number)
	for i, p := range v.Core.CommitPayloads {
		if p != nil && p.ViewNumber() == request.View && string(p.GetCommit().Signature()) != payload.Sign(payload.Key(i), block) {
			v.Core.CommitPayloads[i] = nil
		}
	}
	return nil
}

// steadfast accepts signed payloads, except a PrepareRequest while it requests a view change.
func (v *Validator) steadfast(p payload.Payload, from model.NodeID) bool {
	if _, asks := p.Body.(payload.Request); asks && v.Core.NotAcceptingPayloadsDueToViewChanging() {
		return false
	}
	return v.signed(p, from)
}
