package group

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"contend/model"
	"contend/model/claims"
	"contend/program"
)

// signing are the claims of a signer.
var signing = append([]model.Claim{
	always("no double sign", func() model.Monitor { return &double{Blocks: map[Step]string{}} }),
	always("a repeated signature is the same", func() model.Monitor { return &again{Signatures: map[Step]string{}} }),
	always("steps never go back", func() model.Monitor { return &back{} }),
	always("a new step is signed", func() model.Monitor { return &refuses{} }),
	always("signatures are valid", func() model.Monitor { return &valid{} }),
}, opening...)

// logging are the claims of a log.
var logging = append([]model.Claim{claims.From(claims.Store{
	Acknowledges: claims.StoreNotes.Acknowledges,
	Shows: func(o model.Observation) (func(any) bool, bool) {
		all, ok := o.Note("shows ")
		words := strings.Fields(all)
		return func(item any) bool {
			return slices.Contains(words, item.(string)) || len(words) > 0 && height(item.(string)) <= height(words[0])
		}, ok
	},
}.Durable(), source, "")}, opening...)

// height returns the height of an item of the log. An item is a height that has ended, "3", or a message of a height, "4.16".
func height(item string) (h int) {
	fmt.Sscan(item, &h)
	return h
}

// opening are the claims that the files open.
var opening = []model.Claim{
	claims.From(program.NoExit(), source, ""),
	claims.From(program.Reopens(func(o model.Observation) bool {
		_, shows := o.Note("shows ")
		return shows || o.Kind == model.Noted && o.Value == "opens"
	}), source, ""),
}

func always(name string, monitor func() model.Monitor) model.Claim {
	return model.Claim{Name: name, Kind: model.Always, Source: source, Monitor: func(*model.System) model.Monitor { return monitor() }}
}

// A Step is a step of a round of a height.
type Step struct {
	Height, Round int
	Step          int // 1: propose, 2: prevote, 3: precommit
}

// asked returns the step and the block of a request.
func asked(request string) (s Step, block string) {
	var step string
	fmt.Sscan(request, &step, &s.Height, &s.Round, &block)
	s.Step = slices.Index([]string{"propose", "prevote", "precommit"}, step) + 1
	return s, block
}

func (s Step) compare(t Step) int {
	return cmp.Or(cmp.Compare(s.Height, t.Height), cmp.Compare(s.Round, t.Round), cmp.Compare(s.Step, t.Step))
}

// double claims that no two blocks are signed in one step.
type double struct{ Blocks map[Step]string }

func (d *double) Observe(w model.Watch, o model.Observation) {
	if request, ok := o.Note("signs "); ok {
		w.Witness()
		step, block := asked(request)
		if was := d.Blocks[step]; was != "" && was != block {
			w.Violate("it signs %s, and has signed %s", request, was)
		}
		d.Blocks[step] = block
	}
}

// again claims that one signature leaves in a step.
type again struct{ Signatures map[Step]string }

func (a *again) Observe(w model.Watch, o model.Observation) {
	if request, ok := o.Note("signs "); ok {
		step, _ := asked(request)
		was, is := a.Signatures[step]
		if is {
			w.Witness()
		}
		if is && was != request {
			w.Violate("it signs %s, and has signed %s", request, was)
		}
		a.Signatures[step] = request
	}
}

// back claims that no signature is for an earlier step than the signature before.
type back struct{ Last Step }

func (b *back) Observe(w model.Watch, o model.Observation) {
	if request, ok := o.Note("signs "); ok {
		w.Witness()
		step, _ := asked(request)
		if step.compare(b.Last) < 0 {
			w.Violate("it signs %s after %v", request, b.Last)
		}
		b.Last = step
	}
}

// refuses claims that a request for a later step than all earlier requests is signed, and the last signed request again.
type refuses struct {
	Asked Step   // the latest
	Again string // the last request that was signed, if no later step was asked for
	New   bool   // the present request must be signed
}

func (r *refuses) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Invoked {
		request := o.Value.(string)
		step, _ := asked(request)
		r.New = step.compare(r.Asked) > 0
		if r.New {
			r.Asked, r.Again = step, ""
		}
		r.New = r.New || request == r.Again
	}
	if request, ok := o.Note("signs "); ok {
		w.Witness()
		r.Again = request[:strings.LastIndex(request, " ")]
	}
	if request, ok := o.Note("refuses "); ok && r.New {
		w.Violate("it refuses %s", request)
	}
}

// valid claims that no signature is invalid.
type valid struct{}

func (*valid) Observe(w model.Watch, o model.Observation) {
	if _, ok := o.Note("signs "); ok {
		w.Witness()
	}
	if request, ok := o.Note("invalid "); ok {
		w.Violate("the signature of %s is invalid", request)
	}
}
