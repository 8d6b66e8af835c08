package corpus

import (
	"fmt"
	"slices"

	"contend/checker"
	"contend/checker/sample"
	"contend/model"
	"contend/traces"
)

// most is the maximum number of trials for a system.
const most = 20_000

// system returns the choices by which a target picks a trace's system and its interpretation of time.
func system(tg checker.Target, t *traces.Trace) ([]choice, error) {
	parts, err := traces.PartsOf(t.Steps)
	if err != nil {
		return nil, err
	}
	far := func(c sample.Choices) int { return distance(tg, tg.Pick(c), t) }
	picked := nearest(far)
	if picked == nil && tg.Configure != nil {
		picked = first(func(c sample.Choices) bool { return far(c) == 0 })
	}
	if picked == nil {
		name := t.Protocol
		if t.Variant != "" {
			name += "/" + t.Variant
		}
		return nil, fmt.Errorf("config: the target makes no runs of %s with %s", name, t.Config)
	}
	keeps := func(c sample.Choices) bool {
		trial, err := tg.Trial(&prefixed{options(picked), c}, false)
		return err == nil && trial.Reading.Timed == t.Timed() && (!t.Timed() || trial.Reading.Parts%parts == 0)
	}
	timing := first(keeps)
	if timing == nil {
		return nil, fmt.Errorf("at: the steps need %d parts of a tick, or a multiple, but the target's runs have fewer", parts)
	}
	return slices.Concat(picked, timing), nil
}

// nowhere is the distance of another variant, and of an invalid system.
const nowhere = 1 << 20

// distance returns the number of differences between a check's system and a trace's.
func distance(tg checker.Target, check model.Check, t *traces.Trace) int {
	if check.Variant != t.Variant {
		return nowhere
	}
	s, err := tg.Protocol.System(check.Variant, check.Config)
	if err != nil {
		return nowhere
	}
	have, want := traces.New(tg.Protocol, check.Variant, s.Config, t.Timed(), "", "").Config.Model(), t.Config.Model()
	if have == want {
		return 0
	}
	n := 1 // for uncounted differences
	for _, p := range tg.Protocol.Params {
		name := p.Declared().Name
		a, _ := have.Setting(name)
		b, _ := want.Setting(name)
		if a != b {
			n++
		}
	}
	return n
}

// nearest returns choices with distance 0, or nil. It determines one choice after the other: for each it
// tries all options, and retains the one of the smallest distance. It finds parameters that are picked
// independently.
func nearest(distance func(sample.Choices) int) []choice {
	begin := &script{}
	distance(begin)
	options := 1
	if len(begin.made) > 0 {
		options = begin.made[0].n
	}
	for i := range options {
		written := []int{i}
		for {
			s := &script{given: written}
			best := distance(s)
			if best == 0 {
				return append([]choice{}, s.made...)
			}
			at := len(written)
			if best == nowhere || at >= len(s.made) {
				break
			}
			written = append(written, 0)
			for other := 1; other < s.made[at].n; other++ {
				if far := distance(&script{given: append(slices.Clone(written[:at]), other)}); far < best {
					best, written[at] = far, other
				}
			}
		}
	}
	return nil
}

// first returns the first choices, in lexicographic order, that satisfy a predicate; nil if none of the first
// [most] do.
func first(ok func(sample.Choices) bool) []choice {
	var written []int
	for range most {
		s := &script{given: written}
		if ok(s) {
			return append([]choice{}, s.made...)
		}
		last := len(s.made) - 1
		for ; last >= 0 && s.made[last].value == s.made[last].n-1; last-- {
		}
		if last < 0 {
			return nil
		}
		written = options(s.made[:last+1])
		written[last]++
	}
	return nil
}

// A prefixed is a stream of given choices, followed by another stream.
type prefixed struct {
	given []int
	rest  sample.Choices
}

// Choose returns the next choice.
func (a *prefixed) Choose(n int) int {
	if n == 1 || len(a.given) == 0 {
		return a.rest.Choose(n)
	}
	choice := a.given[0]
	a.given = a.given[1:]
	return choice % n
}
