package tables

import (
	"slices"
	"strings"

	"contend/impl/multicast"
	"contend/impl/multicast/unordered"
	"contend/model"
	"contend/model/printed"
)

// implications is the matrix of implications between properties.
var implications = &printed.Table{
	Name: "implications", Title: "Which order implies which", Matrix: true, Columns: slices.Concat(unordered.Orders, unordered.Comings),
	About: `Each line is a premise, each column a conclusion, tested on the runs of ` + "`multicast-unordered`" + `. On channels that reorder messages
these are all possible runs of multicasts and deliveries, so what is implied there is implied in every protocol of these sizes
([why](proofs/multicast-unordered.md#implications)); ` + "`--more`" + ` has larger sizes, with the same verdicts. *At every moment*: no prefix
of a run keeps the premise and breaks the conclusion. *In the end*: no complete run does, in which all messages in flight arrive.
NAME is ` + "`\"PREMISE implies CONCLUSION\"`" + `, followed by ` + "`in the end`" + ` if that is meant. The lecture says "Causal ordering
implies FIFO ordering", and "hybrid approaches such as FIFO+total ordering and causal+total ordering are also possible": so total
order alone gives neither FIFO nor causal order, and the two hybrids differ (compared in the first matrix only).`,
}

// A moment is the condition of an implication.
type moment struct {
	when    string
	variant string
	faults  model.Faults
	final   bool
}

var moments = []moment{
	{when: "reliable channels, at every moment"},
	{when: "reliable channels, in the end", final: true},
	{when: "FIFO channels, at every moment", variant: "fifo"},
	{when: "FIFO channels, in the end", variant: "fifo", final: true},
	{when: "a sender delivers its own message at once, in the end", variant: "own-at-once", final: true},
	{when: "two messages are lost, in the end", faults: model.Faults{Loss: 2}, final: true},
	{when: "one process crashes, in the end", variant: "one-at-a-time", faults: model.Faults{Crashes: 1}, final: true},
}

// implicationRows returns the rows, one for each premise.
func implicationRows() []*printed.Comparison {
	var rows []*printed.Comparison
	for _, names := range [][]string{unordered.Orders, unordered.Comings} {
		for _, premise := range names {
			rows = append(rows, implicationRow(premise, names))
		}
	}
	return rows
}

// implicationRow returns the row of a premise.
func implicationRow(premise string, names []string) *printed.Comparison {
	c := &printed.Comparison{
		Name: strings.NewReplacer(" + ", "+", " order", "", " ", "-").Replace(premise) + "-implies", Title: premise, Protocol: unordered.Protocol,
		Source: lecture, Size: printed.Size{Name: "N"},
	}
	for _, m := range moments {
		for _, conclusion := range names {
			comes := premise == multicast.Validity || premise == multicast.Agreement || premise == multicast.UniformAgreement
			if conclusion != premise && (m.final || !comes) {
				c.Properties = append(c.Properties, m.cell(premise, conclusion))
			}
		}
	}
	return c
}

func (m moment) cell(premise, conclusion string) printed.Property {
	p := printed.Property{Name: conclusion, When: m.when, Claims: []string{unordered.Implication(premise, conclusion, m.final)}}
	sizes, more := small, larger
	switch { // the smallest sizes show all failures
	case m.variant == "fifo", m.faults.Loss > 0:
		sizes, more = smallest, []size{{3, 2, 1}, {2, 2, 2}}
	case m.faults.Crashes > 0:
		sizes, more = slices.Concat(smallest, []size{{3, 1, 1}}), []size{{3, 2, 1}, {2, 2, 2}}
	}
	all := m.checks(sizes)
	p.Check, p.Also, p.More = all[0], all[1:], m.checks(more)
	return m.addText(p, premise, conclusion)
}

func (m moment) checks(sizes []size) (all []model.Check) {
	for _, z := range sizes {
		all = append(all, z.check(m.variant, m.faults))
	}
	return all
}

// addText adds the text of the lecture: "Causal ordering implies FIFO ordering". The lecture names hybrids, so total
// order implies neither of their other orders. It names two hybrids, so they differ, though only at a moment.
func (m moment) addText(p printed.Property, premise, conclusion string) printed.Property {
	anything := m.variant == "" && m.faults == (model.Faults{})
	switch [2]string{premise, conclusion} {
	case [2]string{multicast.CausalOrder, multicast.FIFOOrder}:
		p.Text, p.Holds = "Causal ordering implies FIFO ordering", true
	case [2]string{multicast.TotalOrder, multicast.FIFOOrder}, [2]string{multicast.TotalOrder, multicast.CausalOrder}:
		if anything {
			p.Text = "hybrid approaches are also possible"
		}
	case [2]string{unordered.FIFOTotal, unordered.CausalTotal}:
		if anything && !m.final {
			p.Text = "FIFO+total ordering and causal+total ordering"
		}
	}
	return p
}
