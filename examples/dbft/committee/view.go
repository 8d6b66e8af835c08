package committee

import (
	"contend/examples/dbft/payload"
	"contend/model"
	"contend/model/foreign"
)

// A View is the part of a validator's state that people, the cut and the adversary see.
type View struct {
	View     int          // number
	Request  payload.Hash // the block that the primary of the view has proposed, if known
	Commits  int          // payloads of this view
	Changing bool         // it asks for the next view, and has not committed
	Commit   bool         // it has sent a Commit
	Block    payload.Hash // that is accepted
	Timeouts int          // that are left
}

func view(v *Validator) View {
	w := View{View: int(v.At), Block: v.Block, Timeouts: v.Timeouts}
	d := v.Core
	if d == nil || len(d.CommitPayloads) == 0 {
		return w
	}
	w.View, w.Commit = int(d.ViewNumber), d.CommitSent()
	w.Changing = !w.Commit && d.ViewChanging()
	if d.RequestSentOrReceived() {
		w.Request = payload.Name(d.PrimaryIndex, d.Nonce)
	}
	for _, p := range d.CommitPayloads {
		if p != nil && p.ViewNumber() == d.ViewNumber {
			w.Commits++
		}
	}
	return w
}

// seen returns the view of a node that is up.
func seen(n model.Node) View { return n.(*foreign.Node[View]).View }
