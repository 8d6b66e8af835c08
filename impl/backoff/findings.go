package backoff

import (
	_ "embed" // the kept traces

	"contend/model"
)

// findings are what the paper leaves open, and what became of the plain readings of §5:
// see docs/findings.md.
var findings = []model.Finding{
	{Name: "instability", Variant: "asynchronous", Claim: "Instability, adaptive", Trace: instabilityRefuted},
	{Name: "enqueuing", Variant: "enqueue", Claim: "Lemma 1", Trace: enqueueRefuted},
	{Name: "enqueuing", Variant: "enqueue-fresh", Claim: "Lemma 1", Trace: enqueueFreshRefuted},
	{Name: "disregarding-late-answers", Variant: "finite+safe", Claim: "Corollary 2", Trace: safeRefuted},
	{Name: "disregarding-late-answers", Variant: "finite+enqueue+safe", Claim: "Corollary 2", Trace: enqueueSafeRefuted},
	{Name: "whose-delta", Variant: "parameterized", Claim: "Lemma 1", Trace: parameterizedRefuted},
	{Name: "an-eager-client", Variant: "finite+eager", Claim: "Corollary 2", Trace: eagerRefuted},
}

var (
	//go:embed findings/instability.json
	instabilityRefuted []byte
	//go:embed findings/enqueue.json
	enqueueRefuted []byte
	//go:embed findings/enqueue-fresh.json
	enqueueFreshRefuted []byte
	//go:embed findings/safe.json
	safeRefuted []byte
	//go:embed findings/enqueue-safe.json
	enqueueSafeRefuted []byte
	//go:embed findings/parameterized.json
	parameterizedRefuted []byte
	//go:embed findings/eager.json
	eagerRefuted []byte
)
