package committee

import (
	"fmt"
	"reflect"

	"contend/examples/dbft/payload"

	"github.com/nspcc-dev/dbft"
)

// Matters names a validator without what is not looked at again.
//
// With the block accepted that is all but the block. After its Commit a validator stays in its view and waits for Commits of this view; all else it
// has goes into recovery messages, if it sends any. Before that it may have to know whom it has seen in this view, but
// only when a time-out is to come, or while it asks for another view.
func (v *Validator) Matters() []byte {
	d := v.Core
	out := fmt.Appendf(nil, "%d %q %d %d %v\n", v.Index, v.Block, v.Timeouts, v.Starts, v.Disk)
	if v.Block != "" || d == nil {
		return out
	}
	if len(d.CommitPayloads) == 0 { // not started
		return append(out, "new"...)
	}
	recovers := !v.cfg.Unhelped
	out = fmt.Appendf(out, "view %d nonce %d\n", d.ViewNumber, d.Nonce)
	if d.CommitSent() && !recovers {
		return fmt.Appendf(out, "committed %q", here(d.CommitPayloads, d.ViewNumber))
	}
	out = fmt.Appendf(out, "%q\n%q\n%q\n", d.PreparationPayloads, d.ChangeViewPayloads, d.CommitPayloads)
	if recovers {
		out = fmt.Appendf(out, "%q\n", d.LastChangeViewPayloads)
	}
	if v.Timeouts > 0 || d.ViewChanging() {
		out = fmt.Appendf(out, "%q\n", seenIn(d.LastSeenMessage))
	}
	return append(out, v.cached()...)
}

// here are the Commits of a view. That a validator has committed in another one matters as well: a second Commit of it is rejected.
func here(all []dbft.ConsensusPayload[payload.Hash], view byte) []string {
	out := make([]string, len(all))
	for i, p := range all {
		switch {
		case p != nil && p.ViewNumber() == view:
			out[i] = string(p.Hash())
		case p != nil:
			out[i] = "of another view"
		}
	}
	return out
}

func seenIn(last []*dbft.HeightView) []string {
	all := make([]string, len(last))
	for i, hv := range last {
		if hv != nil {
			all[i] = fmt.Sprint(*hv)
		}
	}
	return all
}

// cached is what the library keeps of views to come: by the type, a payload of each validator. The types of its fields have no names outside the
// library.
func (v *Validator) cached() []byte {
	mail := reflect.ValueOf(v.Core).Elem().FieldByName("cache").FieldByName("mail")
	inbox := mail.MapIndex(reflect.ValueOf(uint32(height)))
	if !inbox.IsValid() {
		return nil
	}
	return fmt.Appendf(nil, "%v\n", inbox.Elem())
}
