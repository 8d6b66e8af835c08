package committee

import (
	_ "embed" // the traces
	"strings"

	"contend/model"
)

var (
	//go:embed testdata/agreement.json
	agreementRefuted []byte
	//go:embed testdata/validity.json
	validityRefuted []byte
	//go:embed testdata/lock-correct.json
	lockedThemselves []byte
	//go:embed testdata/lock-liar.json
	lockedByLiar []byte
	//go:embed testdata/commits-twice.json
	commitsTwice []byte
)

// findings are the claims that v0.4.0 violates. README.md explains each of them. The traces are runs of the
// unmodified library. A trace that was found without recovery messages is a run of the library with recovery
// messages, too.
var findings = []model.Finding{
	{Name: "unverified-commits", Claim: agreement, Trace: agreementRefuted},
	{Name: "unverified-commits", Claim: validity, Trace: validityRefuted},
	{Name: "locks", Claim: goesOn, Trace: lockedThemselves},
	{Name: "nothing-is-written", Claim: once, Trace: commitsTwice},
	{Name: "unverified-commits", Variant: "unhelped", Claim: agreement, Trace: retag("unhelped", agreementRefuted)},
	{Name: "unverified-commits", Variant: "unhelped", Claim: validity, Trace: retag("unhelped", validityRefuted)},
	{Name: "locks", Variant: "weeded+unhelped+abstract", Claim: goesOn, Trace: retag("weeded+unhelped+abstract", lockedByLiar)},
	{Name: "nothing-is-written", Variant: "unhelped+abstract", Claim: once, Trace: retag("unhelped+abstract", commitsTwice)},
}

// retag returns the trace as a trace of the variant. The run is the same in both.
func retag(variant string, trace []byte) []byte {
	return []byte(strings.Replace(string(trace), `"protocol": "dbft",`, `"protocol": "dbft", "variant": "`+variant+`",`, 1))
}
