package strategy

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// A deviation is a choice, by its number in the schedule, that is not 0.
type deviation struct{ at, is int32 }

// script is a stream of choices that are 0 but for some deviations.
type script struct {
	planned          bool
	deviations, left []deviation
	options          []int32 // of the choices that were made
}

// Choose makes a choice.
func (s *script) Choose(n int) (is int) {
	if n == 1 {
		return 0
	}
	if at := int32(len(s.options)); len(s.left) > 0 && s.left[0].at <= at {
		is = 1 + int(s.left[0].is-1)%(n-1)
		s.left = s.left[1:]
	}
	s.options = append(s.options, int32(n))
	return is
}

// parent is a schedule that was made, with the choices that the schedules with one deviation more may make.
type parent struct {
	deviations []deviation
	from       int32     // the first choice behind the last deviation
	options    []int32   // of each choice from there on
	next       deviation // that the next child has
}

// newParent is a schedule of which only so many choices lead to what no other leads to.
func newParent(s script, choices int) *parent {
	p := &parent{deviations: s.deviations}
	if n := len(p.deviations); n > 0 {
		p.from = p.deviations[n-1].at + 1
	}
	if int(p.from) < choices {
		p.options = slices.Clone(s.options[p.from:choices])
	}
	p.next = deviation{p.from, 1}
	return p
}

// child is the next schedule with one deviation more; nil after the last.
func (p *parent) child() []deviation {
	for int(p.next.at-p.from) < len(p.options) {
		if is := p.next; is.is < p.options[is.at-p.from] {
			p.next.is++
			return append(slices.Clone(p.deviations), is)
		}
		p.next = deviation{p.next.at + 1, 1}
	}
	p.options = nil
	return nil
}

// children is how many there are.
func (p *parent) children() (n int) {
	for _, options := range p.options {
		n += int(options) - 1
	}
	return n
}

// levels plan schedules by how many deviations they have: first one with none, then those with one, and so on. Those with k + 1 are those
// with k and one more behind the last, so each is planned once.
type levels struct {
	plan     plan[[]deviation]
	level    int       // the number of deviations of the schedules planned
	parents  []*parent // schedules of one deviation less, whose children these are
	at       int       // of the parents, the first of which not all children are planned
	children int       // of all parents
	made     []*parent // schedules of this level that were made
}

func firstLevel() levels {
	return levels{plan: plan[[]deviation]{items: [][]deviation{nil}}, children: 1}
}

// ahead is how many schedules are planned at a time. A round has no more.
const ahead = 64

// again plans a schedule of this level again that ended at a violation: now it goes on behind it.
func (l *levels) again(s script) { l.plan.items = append(l.plan.items, s.deviations) }

// keep keeps a schedule of this level, to plan those of the next, if there are any.
func (l *levels) keep(p *parent) {
	if len(p.options) > 0 {
		l.made = append(l.made, p)
	}
}

// plansOne plans one schedule more of this level, unless all are planned.
func (l *levels) plansOne() bool {
	for ; l.at < len(l.parents); l.at++ {
		if child := l.parents[l.at].child(); child != nil {
			l.plan.items = append(l.plan.items, child)
			return true
		}
	}
	return false
}

// rise goes on to the next level, once all schedules of this one were made.
func (l *levels) rise() {
	l.level++
	l.parents, l.at, l.made, l.children = l.made, 0, nil, 0
	for _, p := range l.parents {
		l.children += p.children()
	}
}

// drawDeviations draws, of so many choices, at least so many deviations; twice as many are as likely, and so on.
func drawDeviations(r *rand.Rand, least, choices int) (all []deviation) {
	for k := max(least, 1) << r.IntN(bits.Len(uint(choices))); k > len(all); {
		all = append(all, deviation{int32(r.IntN(choices)), 1 + r.Int32N(1<<30)})
	}
	slices.SortFunc(all, func(a, b deviation) int { return int(a.at - b.at) })
	return all
}

// counting counts in words.
func counting(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}
