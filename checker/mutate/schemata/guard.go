package schemata

import (
	_ "embed"
	"fmt"
	"strings"
)

// guardFile is the name of the file with what the edits ask.
const guardFile = "contend_mutants.go"

//go:embed guard.txt
var guardText string

// guard is the file with what the edits ask, for mutants of these numbers.
func guard(pkg string, first, last int) []byte {
	return []byte(strings.NewReplacer("package guard", "package "+pkg, "contendFirst = 0", fmt.Sprintf("contendFirst = %d", first),
		"contendLast = 0", fmt.Sprintf("contendLast = %d", last)).Replace(guardText))
}
