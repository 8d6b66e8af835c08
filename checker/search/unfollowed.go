package search

import "contend/model"

// leaveUnfollowed leaves claims open whose monitor met a limit in some state, beyond which it does
// not follow what the claim speaks of. It looks at all states of monitors that were made, so that a
// search which went on from a checkpoint finds those of before.
func (x *explorer) leaveUnfollowed() {
	for slot := x.N; slot < len(x.Protos); slot++ {
		if _, follows := x.Protos[slot].(model.Follower); !follows {
			continue
		}
		for _, l := range x.Locals.Items[1:] {
			if int(l.Slot) != slot {
				continue
			}
			at := x.Codec.DecodeNode(x.Protos[slot], []byte(l.Bytes))
			if limit := at.(model.Follower).Limit(); limit != "" {
				x.res.Undecided[x.claimOf[slot-x.N]] = limit
				break
			}
		}
	}
}
