package abd

import (
	"contend/model"
	"contend/model/variant"
)

// mutants are bugs, and faults that violate an assumption, each with the claim that it breaks.
var mutants = []model.Variant{
	{
		Name: "no-write-back", Title: "published: a read does not write back: a later read may return an older value",
		Breaks: atomic, Show: model.Check{Config: sized(3, 1, 2, 1)}, Edit: define(noWriteBack{}),
	},
	{
		Name: "one-answer-short", Title: "a query ends when one answer is missing to a quorum",
		Breaks: atomic, Show: show(1, 1), Edit: define(oneAnswerShort{}),
	},
	{
		Name: "one-ack-short", Title: "an update ends when one acknowledgement is missing to a quorum",
		Breaks: atomic, Show: show(1, 1), Edit: define(oneAckShort{}),
	},
	{
		// A replica must receive the update of the first write late.
		Name: "overwrites", Title: "a replica takes any version that it is told, also an old one",
		Breaks: atomic, Show: model.Check{Config: sized(2, 1, 1, 2)}, Edit: define(overwrites{}),
	},
	{
		Name: "any-answer", Title: "a client takes the answer with the earliest tag",
		Breaks: atomic, Show: show(1, 1), Edit: define(anyAnswer{}),
	},
	{
		Name: "no-query", Title: "several writers, and each counts its own writes alone",
		Breaks: atomic, Show: model.Check{Config: sized(1, 2, 1, 2)}, Edit: define(noQuery{}),
	},
	{
		Name: "ties-equal", Title: "tags of one number are equal, whoever the writer is: a replica ignores the later write",
		Breaks: quorum, Show: model.Check{Config: sized(1, 2, 0, 1)}, Edit: define(tiesEqual{}),
	},
	{
		Name: "number-kept", Title: "a write has the number that its query found",
		Breaks: oneTag, Show: model.Check{Config: sized(1, 2, 0, 2)}, Edit: define(numberKept{}),
	},
	{
		Name: "version-forgotten", Title: "versions are not in stable storage",
		Breaks: atomic, Show: model.Check{Config: variant.Faulty(sized(1, 1, 1, 1), model.Faults{Restarts: 1})},
		Edit: replicas(func(r Replica) model.Node { return &versionForgotten{r} }),
	},
	{
		Name: "waits-for-all", Title: "an update ends when all have acknowledged it: a crash blocks it",
		Breaks: returns, Show: model.Check{Config: variant.Faulty(sized(3, 1, 0, 1), model.Faults{Crashes: 1})}, Edit: define(waitsForAll{}),
	},
	{
		Name: "majority-crashes", Title: "one fault beyond: a majority crashes",
		Breaks: returns, Show: model.Check{Config: variant.Faulty(sized(3, 1, 0, 1), model.Faults{Crashes: 2})},
	},
}

func show(writers, readers int) model.Check {
	return model.Check{Config: sized(3, writers, readers, 1)}
}

type noWriteBack struct{ Spec }

// Settled returns true.
func (noWriteBack) Settled(*Config, map[model.NodeID]Version) bool { return true }

type oneAnswerShort struct{ Spec }

// Quorum accepts one answer less.
func (oneAnswerShort) Quorum(cfg *Config, answers int) bool { return 2*(answers+1) > len(cfg.Replicas) }

type oneAckShort struct{ Spec }

// Enough accepts one acknowledgement less.
func (oneAckShort) Enough(cfg *Config, acks int) bool { return 2*(acks+1) > len(cfg.Replicas) }

type overwrites struct{ Spec }

// Newer returns true.
func (overwrites) Newer(Tag, Tag) bool { return true }

// Latest compares tags as [Spec] does.
func (overwrites) Latest(answers map[model.NodeID]Version) Version { return Spec{}.Latest(answers) }

type anyAnswer struct{ Spec }

// Latest returns the version with the earliest tag.
func (s anyAnswer) Latest(answers map[model.NodeID]Version) (earliest Version) {
	first := true
	for _, v := range answers {
		if first || s.Newer(earliest.Tag, v.Tag) {
			earliest, first = v, false
		}
	}
	return earliest
}

type noQuery struct{ Spec }

// Queries returns false.
func (noQuery) Queries(*Config) bool { return false }

type tiesEqual struct{ Spec }

// Newer ignores the writers.
func (tiesEqual) Newer(a, b Tag) bool { return a.Number > b.Number }

type numberKept struct{ Spec }

// Next keeps the number.
func (numberKept) Next(t Tag, writer model.NodeID) Tag { return Tag{t.Number, writer} }

type versionForgotten struct{ Replica }

// Start clears the version.
func (r *versionForgotten) Start(model.Env) { r.Version = Version{} }

type waitsForAll struct{ Spec }

// Enough requires the acknowledgements of all replicas.
func (waitsForAll) Enough(cfg *Config, acks int) bool { return acks == len(cfg.Replicas) }
