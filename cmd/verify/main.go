// Verify checks the claims of the protocols in [contend/impl]. Run verify --help.
package main

import (
	"contend/checker/verify"
	"contend/impl"
)

// figures are what README and docs/performance.md say.
var figures = []verify.Figure{
	{Verb: "check", Takes: "a minute on two cores"},
	{Verb: "mutants", Takes: "half a minute on two cores"},
}

func main() { verify.Main(impl.Suite, figures...) }
