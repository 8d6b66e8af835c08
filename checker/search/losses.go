package search

import (
	"cmp"
	"errors"

	"contend/checker/search/decide"
	"contend/checker/search/parts"
	"contend/checker/search/storage"
)

// A part is lost when its process dies, or when nothing is heard of it any more. Then all parts begin again from the last
// checkpoint that all of them kept, or from the beginning.

// gather has the crew, if there is one, start the other parts.
func (o *Options) gather(lost error) (err error) {
	if o.Crew != nil {
		o.Exchange, o.Store, err = o.Crew.Gather(lost)
	}
	return err
}

// losses counts how often a part was lost since the last checkpoint.
type losses struct {
	layer int
	since int
}

// mostLosses are borne without a checkpoint between them: what loses a part again and again, as a lack of memory, is
// not healed by beginning again.
const mostLosses = 3

// goOn starts the parts again, and returns the checkpoint to go on from, or nil for the beginning.
func (l *losses) goOn(x *explorer, o *Options, lost parts.Lost) (*saved, error) {
	if x.outside() != "" {
		return nil, lost
	}
	if err := o.gather(lost); err != nil {
		return nil, errors.Join(lost, err)
	}
	again := *o
	again.Resume = true
	if o.Checkpoint == "" {
		again.Store = nil
	}
	from, err := again.takeUpAgain(x.files)
	if err != nil {
		return nil, err
	}
	if layer := from.layer(); layer > l.layer {
		*l = losses{layer: layer}
	}
	if l.since++; l.since > mostLosses {
		return nil, lost
	}
	return from, nil
}

// takeUpAgain is what all parts kept last, if anything.
func (o *Options) takeUpAgain(d *storage.Directory) (*saved, error) {
	if o.Store == nil {
		return nil, nil
	}
	return o.takeUpWhole(d)
}

// layer is that of a checkpoint; of none it is 0.
func (c *saved) layer() int {
	if c == nil {
		return 0
	}
	return c.header.Layer
}

// PartLost is the limit of a search that lost one of its parts and does not get it back.
const PartLost = "part lost"

// cutOff is the result of a search that lost one of its parts for good.
func (x *explorer) cutOff(why error) *Result {
	r := x.res
	r.States, r.Transitions, r.HandlerCalls, r.Complete, r.Profile = x.states, x.generated.Load(), x.Calls, false, x.profile
	r.Limit = decide.Limited(cmp.Or(x.outside(), PartLost))
	r.Notes = append(r.Notes, why.Error())
	if x.opt.Checkpoint != "" && !x.opt.Transient {
		r.Notes = append(r.Notes, "it goes on from the last checkpoint of all parts with --resume")
	}
	return r
}
