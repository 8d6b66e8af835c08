package random

import (
	"reflect"
	"slices"

	"contend/model"
)

// features lists the rarer properties of cases, by name.
var features = []struct {
	name string
	has  func(c Case) bool
}{
	{"loss", func(c Case) bool { return c.System.Faults.Loss > 0 }},
	{"duplication", func(c Case) bool { return c.System.Faults.Duplication > 0 }},
	{"crashes", func(c Case) bool { return c.System.Faults.Crashes > 0 }},
	{"restarts", func(c Case) bool { return c.System.Faults.Restarts > 0 }},
	{"partitions", func(c Case) bool { return c.System.Faults.Partitions > 0 }},
	{"false suspicions", func(c Case) bool { return c.System.Faults.Suspicions > 0 }},
	{"false suspicions, possible from everywhere", func(c Case) bool {
		return c.System.Faults.Suspicions > 0 && c.claims(model.PossibleFromEverywhere)
	}},
	{"two of one fault", func(c Case) bool { return slices.Max(c.budgets()) > 1 }},
	{"two sorts of faults", func(c Case) bool { return sorts(c.budgets()) > 1 }},
	{"a liar", Case.lies},
	{"a liar, partitions", func(c Case) bool { return c.lies() && c.System.Faults.Partitions > 0 }},
	{"a liar, crashes", func(c Case) bool { return c.lies() && c.System.Faults.Crashes+c.System.Faults.Restarts > 0 }},
	{"a detector", func(c Case) bool { return c.System.Detector.Kind != model.NoDetector }},
	{"three alike", func(c Case) bool { return len(c.fellows()) > 2 }},
	{"one unlike the others", func(c Case) bool { return len(c.fellows()) > 0 && c.pact().odd != 0 }},
	{"names in stable fields, restarts", func(c Case) bool { return len(c.fellows()) > 0 && c.System.Faults.Restarts > 0 }},
	{"a group of two crash models", Case.mixes},
	{"windows by message", func(c Case) bool { return c.System.Network.Messages != nil }},
	{"a cut", func(c Case) bool { return len(c.System.Cuts) > 0 }},
	{"begins at boot", func(c Case) bool { return len(c.System.AtBoot()) > 0 }},
	{"a handler may fail", func(c Case) bool { return c.Fails }},
	{"costs", func(c Case) bool { return len(c.Costs) > 0 }},
}

// Features returns the names of all features, in order.
func Features() (names []string) {
	for _, f := range features {
		names = append(names, f.name)
	}
	return names
}

// Features returns the features of a case.
func (c Case) Features() (names []string) {
	for _, f := range features {
		if f.has(c) {
			names = append(names, f.name)
		}
	}
	return names
}

func (c Case) budgets() []int {
	f := c.System.Faults
	return []int{f.Loss, f.Duplication, f.Crashes, f.Restarts, f.Suspicions, f.Partitions}
}

func sorts(budgets []int) (n int) {
	for _, b := range budgets {
		n += min(b, 1)
	}
	return n
}

func (c Case) claims(kind model.Kind) bool {
	return slices.ContainsFunc(c.Claims, func(c model.Claim) bool { return c.Kind == kind })
}

func (c Case) lies() bool { return c.System.Forge != nil }

func (c Case) pact() *pact {
	if a, ok := c.System.Nodes[0].New().(*teller); ok {
		return a.pact
	}
	return nil
}

func (c Case) fellows() []model.NodeID {
	if p := c.pact(); p != nil {
		return p.fellows
	}
	return nil
}

// mixes reports whether faults may strike one server but not another with the same code.
func (c Case) mixes() bool {
	f := c.System.Faults
	strikes := func(n model.NodeSpec) [2]bool {
		return [2]bool{f.Crashes > 0 && n.MayStop(), f.Restarts > 0 && n.MayRecover()}
	}
	var first *model.NodeSpec
	for i, n := range c.System.Nodes {
		switch {
		case n.Byzantine || n.Role != model.Server || len(n.Script) > 0:
		case first == nil:
			first = &c.System.Nodes[i]
		case reflect.TypeOf(n.New()) == reflect.TypeOf(first.New()) && strikes(n) != strikes(*first):
			return true
		}
	}
	return false
}
