package schemata

import (
	_ "embed"
	"fmt"
	"strings"
)

// guardFile is the name of the file with the function that selects the mutant.
const guardFile = "contend_mutants.go"

//go:embed guard.txt
var guardText string

// guard returns that file for a range of mutants.
func guard(pkg string, first, last int) []byte {
	return []byte(strings.NewReplacer("package guard", "package "+pkg, "contendFirst = 0", fmt.Sprintf("contendFirst = %d", first),
		"contendLast = 0", fmt.Sprintf("contendLast = %d", last)).Replace(guardText))
}
