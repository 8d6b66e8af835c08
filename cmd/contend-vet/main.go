// Command contend-vet finds, in the source of a protocol, what its handlers may not do. Run it by
//
//	go vet -vettool=$(which contend-vet) ./...
//
// after go install ./cmd/contend-vet in this repository. Package contend/checker/vet says what it reports.
package main

import (
	"golang.org/x/tools/go/analysis/unitchecker"

	"contend/checker/vet"
)

func main() { unitchecker.Main(vet.Analyzer) }
