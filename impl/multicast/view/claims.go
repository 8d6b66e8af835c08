package view

import (
	"slices"

	"contend/impl/multicast"
	"contend/model"
	"contend/model/claims"
)

const (
	source = "SDX lecture, atomic multicast"
	page   = "docs/proofs/multicast-view.md#"
)

// Group reads the operations and the deliveries of the protocol.
var Group = claims.Group{
	Join:    func(call any) bool { _, is := call.(Join); return is },
	Leave:   func(call any) bool { _, is := call.(Leave); return is },
	First:   func(s *model.System) []model.NodeID { return setup(s).Founders },
	Message: multicast.Named,
}

// Views reads the views.
var Views = claims.Views{
	Group: Group,
	Installed: func(note any) (claims.View, bool) {
		is, ok := note.(Installed)
		return claims.View{Number: is.View.Number, Members: is.View.Members}, ok
	},
	Transmitted: func(note any) bool { _, is := note.(Transmitted); return is },
}

var (
	// failures are those that the text speaks of: members crash, and that is known; messages arrive.
	failures = []model.Assumption{model.NoLoss, model.NoSuspicion}
	// whatever is what needs no assumption besides that no memory is lost.
	whatever []model.Assumption
)

var claimed = slices.Concat([]model.Claim{
	claims.From(Views.VirtualSynchrony(), source+`: "virtual synchrony"`, page+"virtual-synchrony", failures...),
	claims.From(Views.UniformVirtualSynchrony(), source+`: "virtual synchrony"`, page+"uniform-virtual-synchrony", failures...),
	claims.From(Views.ViewAgreement(), source+`: "agree on the current group membership"`, page+"views", whatever...),
	claims.From(Views.ViewOrder(), source+`: "delivered to members in total order"`, page+"views", whatever...),
	claims.From(Views.SelfInclusion(), source+`: "only to the current non-faulty members"`, page+"views", whatever...),
	claims.From(Views.SendingView(), source+`: "associated with a group view"`, page+"sending-view-delivery", whatever...),
	claims.From(Views.NothingFromBefore(), source+", fourth picture", page+"sending-view-delivery", whatever...),
	multicast.Claim(Group, multicast.Integrity, "SDX lecture, reliable multicast", page+"integrity", whatever...),
	multicast.Claim(Group, multicast.Validity, "SDX lecture, reliable multicast", page+"validity", failures...),
	multicast.Claim(Group, multicast.Agreement, "SDX lecture, reliable multicast", page+"agreement", failures...),
	multicast.Claim(Group, multicast.UniformAgreement, source+`: "either all processes or none at all"`, page+"uniform-agreement", failures...),
})

func setup(s *model.System) *Config { return s.Setup.(*Config) }
