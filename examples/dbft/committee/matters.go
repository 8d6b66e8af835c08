package committee

import (
	"fmt"
	"reflect"

	"contend/examples/dbft/payload"

	"github.com/nspcc-dev/dbft"
)

// Matters returns the name of a validator's state, without the fields that the library does not read any
// more.
//
// After the block is accepted, these are all fields but the block. After its Commit a validator stays in its
// view and waits for Commits of this view. Its other fields only go into recovery messages, if it sends any.
// Before its Commit it may need the set of validators that it has heard in this view. It needs the set only
// if a time-out is pending, or while it requests a view change.
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
		return fmt.Appendf(out, "committed %q", commitsOf(d.CommitPayloads, d.ViewNumber))
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

// commitsOf returns the Commits of a view, and which validators have committed in other views: the library rejects
// a second Commit of a validator.
func commitsOf(all []dbft.ConsensusPayload[payload.Hash], view byte) []string {
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

// cached returns the payloads of later views that the library has stored, by type and validator. The fields'
// types have no exported names.
func (v *Validator) cached() []byte {
	mail := reflect.ValueOf(v.Core).Elem().FieldByName("cache").FieldByName("mail")
	inbox := mail.MapIndex(reflect.ValueOf(uint32(height)))
	if !inbox.IsValid() {
		return nil
	}
	return fmt.Appendf(nil, "%v\n", inbox.Elem())
}
