// Verify checks the claims of the protocols in [contend/impl]. Run verify --help.
package main

import (
	"contend/checker/verify"
	"contend/impl"
	"contend/impl/tables"
)

// more has the tool's additions to the suite. The figures show measurements: see docs/performance.md for the
// machine.
var more = []verify.Addition{
	verify.Figure{Verb: "check", Duration: "a minute on two cores"},
	verify.Figure{Verb: "mutants", Duration: "two minutes on two cores"},
	verify.Tables(tables.All),
}

func main() { verify.Main(impl.Suite, more...) }
