package tables

import (
	"contend/impl/multicast"
	"contend/impl/multicast/agreed"
	"contend/impl/multicast/basic"
	"contend/impl/multicast/causal"
	"contend/impl/multicast/fifo"
	"contend/impl/multicast/nack"
	"contend/impl/multicast/sequencer"
	"contend/impl/multicast/unordered"
	"contend/impl/multicast/view"
	"contend/model"
	"contend/model/printed"
)

// multicasts is the matrix of multicasts and their properties. A row is a [group] and an entry of [All].
var multicasts = &printed.Table{
	Name: "multicasts", Title: "Multicasts and their properties", Matrix: true, Missing: "no views",
	About: `Which of the lecture's properties each multicast has. *Yes*: the property holds in all runs of the configurations in the folded
list. *No, N*: a shortest run of N steps breaks it, at the first of these configurations that has one. = marks what the
lecture says too, and ≠ what it says differently. A sender may crash half-way through its sending.`,
}

// The conditions.
const (
	reliable = "reliable channels"
	lossy    = "one message is lost"
	crashing = "one process crashes"
)

// asked are the properties in the order of the columns.
var asked = []string{
	multicast.Integrity, multicast.Validity, multicast.Agreement, multicast.UniformAgreement,
	multicast.FIFOOrder, multicast.CausalOrder, multicast.TotalOrder, multicast.UniformTotalOrder,
}

// virtualSynchrony is a property of multicasts with views.
const virtualSynchrony = "virtual synchrony"

// A group is a multicast, and how it is tested.
type group struct {
	protocol *model.Protocol
	// says has the lecture's verdicts by condition and property. For a verdict that is false, differs has the reason.
	says    map[string]map[string]bool
	differs map[string]map[string]string
	// variants are the options that are tested instead of the protocol, by condition.
	variants map[string]string
	// views is true if members join and leave, so that virtual synchrony applies.
	views bool
}

// A size is the size of a group: its processes, its senders, and the messages of each sender.
type size struct{ n, senders, messages int }

var (
	smallest = []size{{2, 1, 2}, {2, 2, 1}}
	small    = []size{{2, 1, 2}, {2, 2, 1}, {3, 2, 1}}
	larger   = []size{{2, 2, 2}}
)

// row returns the row of a multicast.
func (g group) row() *printed.Comparison {
	c := &printed.Comparison{Name: g.protocol.Name, Title: g.protocol.Name, Protocol: g.protocol, Source: lecture, Size: printed.Size{Name: "N"}}
	for _, when := range []string{reliable, lossy, crashing} {
		for _, name := range asked {
			c.Properties = append(c.Properties, g.cell(when, name))
		}
		if g.views {
			c.Properties = append(c.Properties, g.cell(when, virtualSynchrony))
		}
	}
	return c
}

func (g group) cell(when, name string) printed.Property {
	sizes, more := small, larger
	if name == virtualSynchrony {
		sizes, more = []size{{3, 1, 1}}, []size{{3, 2, 1}}
	}
	all := g.checks(when, sizes)
	p := printed.Property{
		Name: name, When: when, Claims: []string{name}, Differs: g.differs[when][name],
		Check: all[0], Also: all[1:], More: g.checks(when, more),
	}
	if name == virtualSynchrony { // views must change
		p.Check.Config = p.Check.Config.With(view.Joiners.Is(1))
		p.More[0].Config = p.More[0].Config.With(view.Joiners.Is(1))
	}
	if holds, says := g.says[when][name]; says {
		p.Text, p.Holds = yesNo(holds), holds
	}
	return p
}

// checks returns the checks of a condition.
func (g group) checks(when string, sizes []size) []model.Check {
	var all []model.Check
	for _, z := range sizes {
		all = append(all, z.check(g.variants[when], map[string]model.Faults{lossy: {Loss: 1}, crashing: {Crashes: 1}}[when]))
	}
	return all
}

func (z size) check(variant string, f model.Faults) model.Check {
	c := faulty(z.n, f, multicast.Senders.Is(z.senders), multicast.Messages.Is(z.messages))
	c.Variant = variant
	return c
}

// verdict returns the same verdict for some properties.
func verdict(holds bool, names ...string) map[string]bool {
	says := map[string]bool{}
	for _, name := range names {
		says[name] = holds
	}
	return says
}

// Values that several rows share: properties that the lecture names together, and variants for crashes.
var (
	delivered = []string{multicast.Integrity, multicast.Validity, multicast.Agreement}
	oneByOne  = map[string]string{crashing: "one-at-a-time"}
)

const inNoOrder = "views are ordered, but messages of one view are not: two members may deliver different ones first. In the variant ordered one member of a view sends for all"

// The rows. The lecture claims of a multicast only the properties for which it is made.
var (
	// "messages might arrive in different order at different nodes"
	unorderedMulticast = group{
		protocol: unordered.Protocol, variants: oneByOne,
		says: map[string]map[string]bool{reliable: verdict(false, multicast.FIFOOrder, multicast.CausalOrder, multicast.TotalOrder)},
	}
	// "assuming that processes do not fail and do not join/leave the group"; messages may be lost; and for FIFO ordering
	// "See 'basic reliable multicast' for details".
	basicMulticast = group{
		protocol: basic.Protocol, variants: oneByOne,
		says: map[string]map[string]bool{
			reliable: verdict(true, append(delivered, multicast.FIFOOrder)...),
			lossy:    verdict(true, append(delivered, multicast.FIFOOrder)...),
		},
		differs: map[string]map[string]string{lossy: {multicast.Agreement: "the loss of a sender's last message goes unnoticed, and the lecture's sender does nothing about missing acknowledgements. The variant resend sends again"}},
	}
	// "use sequence numbers but reduce the number of feedback messages to sender"
	nackMulticast = group{
		protocol: nack.Protocol, variants: oneByOne,
		says: map[string]map[string]bool{
			reliable: verdict(true, append(delivered, multicast.FIFOOrder)...),
			lossy:    verdict(true, append(delivered, multicast.FIFOOrder)...),
		},
		differs: map[string]map[string]string{lossy: {multicast.Agreement: "the loss of a sender's last message goes unnoticed, and a lost NACK is not sent again. The variant session announces the numbers and repeats NACKs"}},
	}
	fifoMulticast = group{
		protocol: fifo.Protocol,
		says:     map[string]map[string]bool{reliable: verdict(true, multicast.FIFOOrder)},
	}
	// "Causal ordering implies FIFO ordering"
	causalMulticast = group{
		protocol: causal.Protocol,
		says:     map[string]map[string]bool{reliable: verdict(true, multicast.FIFOOrder, multicast.CausalOrder)},
	}
	// The sequencer sends to many processes, so it may crash half-way.
	sequencerMulticast = group{
		protocol: sequencer.Protocol, variants: map[string]string{crashing: "crash-half-way"},
		says: map[string]map[string]bool{reliable: verdict(true, multicast.TotalOrder)},
	}
	agreedMulticast = group{
		protocol: agreed.Protocol,
		says:     map[string]map[string]bool{reliable: verdict(true, multicast.TotalOrder)},
	}
	// "Guarantee that a message is delivered to either all processes or none at all", of which the next sentence has "only
	// the … non-faulty members": that is agreement. "Deliver messages in the same order to all processes and any process
	// can fail"
	viewMulticast = group{
		protocol: view.Protocol, views: true,
		says: map[string]map[string]bool{
			reliable: verdict(true, append(delivered, multicast.TotalOrder, virtualSynchrony)...),
			crashing: verdict(true, append(delivered, multicast.TotalOrder, virtualSynchrony)...),
		},
		differs: map[string]map[string]string{
			reliable: {multicast.TotalOrder: inNoOrder},
			crashing: {
				multicast.TotalOrder: inNoOrder,
			},
		},
	}
)
