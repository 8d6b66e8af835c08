package centralized_test

import (
	"flag"
	"slices"
	"testing"

	"contend/checker"
	"contend/impl/centralized"
	"contend/model"
)

var full = flag.Bool("full", false, "catch the mutant that takes seconds, too")

func Test(t *testing.T) {
	p := *centralized.Protocol
	if !*full {
		p.Variants = slices.DeleteFunc(slices.Clone(p.Variants), func(v model.Variant) bool { return v.Name == "journal-overflows" })
	}
	checker.Test(t, &p)
}
