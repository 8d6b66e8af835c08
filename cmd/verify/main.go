// Verify checks the claims of the protocols in [contend/impl]. Run verify --help.
package main

import (
	"contend/checker/verify"
	"contend/impl"
)

// figures are about what was measured: see docs/performance.md for the machine.
var figures = []verify.Figure{
	{Verb: "check", Takes: "a minute on two cores"},
	{Verb: "mutants", Takes: "a minute on two cores"},
}

func main() { verify.Main(impl.Suite, figures...) }
