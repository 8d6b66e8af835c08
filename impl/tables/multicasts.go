package tables

import (
	"contend/impl/multicast"
	"contend/impl/multicast/unordered"
	"contend/model"
)

// multicasts is the matrix of what each multicast gives. A row is a [group] and a word in [All].
var multicasts = &model.Table{
	Name: "multicasts", Title: "Multicasts and their properties", Matrix: true,
	About: `Which of the lecture's properties each multicast has: on reliable channels, where one message may be lost, and where one
process may crash, the sender half-way through its sending, too. *Yes* says that it is so in all runs of the configurations
that the commands below the matrices give, which are small; *no* that it is not, with the number of steps of a shortest run
at the first of these configurations that has one. = stands where the lecture says the same, ≠ where it says something
else, and neither where it says nothing. Claims are put to the test also where what they assume is not met
(` + "`--assume-anyway`" + `).`,
}

// The conditions.
const (
	reliable = "reliable channels"
	lossy    = "one message is lost"
	crashing = "one process crashes"
)

// asked are the properties, in the order of the columns.
var asked = []string{
	multicast.Integrity, multicast.Validity, multicast.Agreement, multicast.UniformAgreement,
	multicast.FIFOOrder, multicast.CausalOrder, multicast.TotalOrder, multicast.UniformTotalOrder,
}

// A group is how a multicast is put to the test.
type group struct {
	protocol *model.Protocol
	// Says is what the lecture says, by condition and property; Differs is why it is not so.
	says    map[string]map[string]bool
	differs map[string]map[string]string
	// Variants are the options that are put to the test instead, by condition.
	variants map[string]string
	// Least are sizes for each condition, and more those that take longer; few has only the
	// least of them.
	few bool
}

// A size is that of a group: its processes, the senders, and the messages of each.
type size struct{ n, senders, messages int }

var (
	smallest = []size{{2, 1, 2}, {2, 2, 1}}
	small    = []size{{2, 1, 2}, {2, 2, 1}, {3, 2, 1}}
	larger   = []size{{2, 2, 2}}
)

// row is the line of a multicast.
func (g group) row() *model.Comparison {
	c := &model.Comparison{Name: g.protocol.Name, Title: g.protocol.Name, Protocol: g.protocol, Source: lecture, Size: model.Size{Name: "N"}}
	for _, when := range []string{reliable, lossy, crashing} {
		for _, name := range asked {
			c.Properties = append(c.Properties, g.cell(when, name))
		}
	}
	return c
}

func (g group) cell(when, name string) model.PrintedProperty {
	sizes, more := small, larger
	if g.few {
		sizes, more = smallest, []size{{3, 2, 1}}
	}
	all := g.checks(when, sizes)
	p := model.PrintedProperty{
		Name: name, When: when, Claims: []string{name}, Differs: g.differs[when][name],
		Check: all[0], Also: all[1:], More: g.checks(when, more),
	}
	if holds, says := g.says[when][name]; says {
		p.Text, p.Holds = yesNo(holds), holds
	}
	return p
}

// checks are those of a condition.
func (g group) checks(when string, sizes []size) []model.Check {
	var all []model.Check
	for _, z := range sizes {
		all = append(all, z.check(g.variants[when], map[string]model.Faults{lossy: {Loss: 1}, crashing: {Crashes: 1}}[when]))
	}
	return all
}

func (z size) check(variant string, f model.Faults) model.Check {
	c := failing(z.n, f, multicast.Senders.Is(z.senders), multicast.Messages.Is(z.messages))
	c.Variant = variant
	return c
}

// reliably and orderly are what the lecture says of some properties.
func saying(holds bool, names ...string) map[string]bool {
	says := map[string]bool{}
	for _, name := range names {
		says[name] = holds
	}
	return says
}

// unorderedMulticast has what channels give: "messages might arrive in different order at different nodes".
var unorderedMulticast = group{
	protocol: unordered.Protocol,
	says: map[string]map[string]bool{
		reliable: saying(false, multicast.FIFOOrder, multicast.CausalOrder, multicast.TotalOrder),
	},
	variants: map[string]string{crashing: "one-at-a-time"},
}.row()
