package corpus

import (
	"fmt"
	"slices"

	"contend/checker"
	"contend/checker/sample"
	"contend/model"
	"contend/traces"
)

// most is how many ways to pick a system are tried.
const most = 20_000

// system finds the choices by which a target picks the system of a trace, and its reading of time.
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
		trial, err := tg.Trial(&after{options(picked), c}, false)
		return err == nil && trial.Reading.Timed == t.Timed() && (!t.Timed() || trial.Reading.Parts%parts == 0)
	}
	timing := first(keeps)
	if timing == nil {
		return nil, fmt.Errorf("at: the steps need %d parts of a tick, or a multiple, and no run of the target has so many", parts)
	}
	return slices.Concat(picked, timing), nil
}

// nowhere is the distance of another variant, or of what is no system.
const nowhere = 1 << 20

// distance is in how many respects the system of a check differs from that of a trace.
func distance(tg checker.Target, check model.Check, t *traces.Trace) int {
	if check.Variant != t.Variant {
		return nowhere
	}
	s, err := tg.Protocol.System(check.Variant, check.Config)
	if err != nil {
		return nowhere
	}
	is, want := traces.New(tg.Protocol, check.Variant, s.Config, t.Timed(), "", "").Config.Model(), t.Config.Model()
	if is == want {
		return 0
	}
	n := 1 // for all that is not counted here
	for _, p := range tg.Protocol.Params {
		name := p.Declared().Name
		a, _ := is.Setting(name)
		b, _ := want.Setting(name)
		if a != b {
			n++
		}
	}
	return n
}

// nearest returns choices with which a distance is 0, or nil: with each option of the first choice it goes on to the next,
// and keeps of each the option that comes nearest. So it finds what differs in numbers that are each picked by
// themselves, as those of a protocol's parameters are.
func nearest(distance func(sample.Choices) int) []choice {
	begin := &script{}
	distance(begin)
	options := 1
	if len(begin.asked) > 0 {
		options = begin.asked[0].n
	}
	for i := range options {
		written := []int{i}
		for {
			s := &script{written: written}
			best := distance(s)
			if best == 0 {
				return append([]choice{}, s.asked...)
			}
			at := len(written)
			if best == nowhere || at >= len(s.asked) {
				break
			}
			written = append(written, 0)
			for other := 1; other < s.asked[at].n; other++ {
				if far := distance(&script{written: append(slices.Clone(written[:at]), other)}); far < best {
					best, written[at] = far, other
				}
			}
		}
	}
	return nil
}

// first returns the first choices with which something comes to be true, in the order of the numbers that they
// write; nil if there are none among the first [most].
func first(is func(sample.Choices) bool) []choice {
	var written []int
	for range most {
		s := &script{written: written}
		if is(s) {
			return append([]choice{}, s.asked...)
		}
		last := len(s.asked) - 1
		for ; last >= 0 && s.asked[last].is == s.asked[last].n-1; last-- {
		}
		if last < 0 {
			return nil
		}
		written = options(s.asked[:last+1])
		written[last]++
	}
	return nil
}

// after makes choices as written, then those of another stream.
type after struct {
	written []int
	rest    sample.Choices
}

// Choose makes the next choice.
func (a *after) Choose(n int) int {
	if n == 1 || len(a.written) == 0 {
		return a.rest.Choose(n)
	}
	is := a.written[0]
	a.written = a.written[1:]
	return is % n
}
