package committee

import (
	_ "embed" // the kept traces
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

// findings are what v0.4.0 does not keep; README.md tells of each. The runs are of the library as it is, and those that were found without
// recovery messages are runs with them as well.
var findings = []model.Finding{
	{Name: "unverified-commits", Claim: agreement, Trace: agreementRefuted},
	{Name: "unverified-commits", Claim: validity, Trace: validityRefuted},
	{Name: "locks", Claim: goesOn, Trace: lockedThemselves},
	{Name: "nothing-is-written", Claim: once, Trace: commitsTwice},
	{Name: "unverified-commits", Variant: "unhelped", Claim: agreement, Trace: of("unhelped", agreementRefuted)},
	{Name: "unverified-commits", Variant: "unhelped", Claim: validity, Trace: of("unhelped", validityRefuted)},
	{Name: "locks", Variant: "weeded+unhelped+abstract", Claim: goesOn, Trace: of("weeded+unhelped+abstract", lockedByLiar)},
	{Name: "nothing-is-written", Variant: "unhelped+abstract", Claim: once, Trace: of("unhelped+abstract", commitsTwice)},
}

// of is a trace as one of a variant in which the run is the same.
func of(variant string, trace []byte) []byte {
	return []byte(strings.Replace(string(trace), `"protocol": "dbft",`, `"protocol": "dbft", "variant": "`+variant+`",`, 1))
}
