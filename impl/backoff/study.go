package backoff

import "contend/model"

// study has n = 6 and b = 1, the least system that tolerates a faulty server. Its section is ten times the longest
// delay of a message.
var study = &model.Study{
	Config:   model.Config{N: 6, B: 1}.With(model.Delay.Is(1), Section.Is(10)),
	Variants: []string{"quadratic", "cubic", "enqueue", "safe-retry", "enqueue+safe-retry", "parameterized-granted", "eager-paced"},
	Unit:     func(c model.Config) model.Ticks { return Section.Of(c) + 4*model.Delay.Of(c) },
	UnitName: "Δ+4δ",
	Statements: []model.Statement{
		{
			Name: "contention-free", About: model.OneRoundTrip, Source: "Chockler–Malkhi–Reiter §1",
			Text: "without contention a client waits one round trip, at most 2δ, whatever Δ is",
		},
		{
			Name: "Corollary 1", About: model.LinearMean, Source: source, Proof: "docs/proofs/backoff.md#corollary-1",
			Text: "the expected amortized system response time with t contending clients is O(Δt)",
		},
		{
			Name: "Lemma 2", About: model.LinearLast, Source: source, Proof: "docs/proofs/backoff.md#lemma-2",
			Text: "all contends of t clients return in expected O(Δt) time",
		},
	},
}
