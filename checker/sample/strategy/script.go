package strategy

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// A deviation is a choice other than 0, with its index in the schedule.
type deviation struct{ index, value int32 }

// A script is a stream of choices that are 0, except for some deviations.
type script struct {
	planned          bool
	deviations, left []deviation
	options          []int32 // number of options of each choice so far
}

// Choose returns the next choice.
func (s *script) Choose(n int) (choice int) {
	if n == 1 {
		return 0
	}
	if at := int32(len(s.options)); len(s.left) > 0 && s.left[0].index <= at {
		choice = 1 + int(s.left[0].value-1)%(n-1)
		s.left = s.left[1:]
	}
	s.options = append(s.options, int32(n))
	return choice
}

// A parent is a completed schedule. Its children have one more deviation.
type parent struct {
	deviations []deviation
	from       int32     // first choice after the last deviation
	options    []int32   // number of options of each choice from there on
	next       deviation // of the next child
}

// newParent returns a schedule whose first choices may deviate.
func newParent(s script, choices int) *parent {
	p := &parent{deviations: s.deviations}
	if n := len(p.deviations); n > 0 {
		p.from = p.deviations[n-1].index + 1
	}
	if int(p.from) < choices {
		p.options = slices.Clone(s.options[p.from:choices])
	}
	p.next = deviation{p.from, 1}
	return p
}

// child returns the deviations of the next child; nil after the last.
func (p *parent) child() []deviation {
	for int(p.next.index-p.from) < len(p.options) {
		if d := p.next; d.value < p.options[d.index-p.from] {
			p.next.value++
			return append(slices.Clone(p.deviations), d)
		}
		p.next = deviation{p.next.index + 1, 1}
	}
	p.options = nil
	return nil
}

// children returns the number of children.
func (p *parent) children() (n int) {
	for _, options := range p.options {
		n += int(options) - 1
	}
	return n
}

// A levels plans schedules by their number of deviations: none, one, two and so on. A schedule with k + 1
// deviations extends one with k by a later deviation, so each is planned once.
type levels struct {
	plan       plan[[]deviation]
	level      int       // number of deviations of the planned schedules
	parents    []*parent // schedules with one deviation less
	nextParent int       // index of the first parent with unplanned children
	children   int       // of all parents
	made       []*parent // completed schedules of this level
}

func firstLevel() levels {
	return levels{plan: plan[[]deviation]{items: [][]deviation{nil}}, children: 1}
}

// ahead is the number of schedules that are planned at a time. A round has no more.
const ahead = 64

// repeat plans a schedule again that ended at a violation. The repetition continues beyond it.
func (l *levels) repeat(s script) { l.plan.items = append(l.plan.items, s.deviations) }

// keep stores a completed schedule as a parent of the next level, if it has children.
func (l *levels) keep(p *parent) {
	if len(p.options) > 0 {
		l.made = append(l.made, p)
	}
}

// plansOne plans one more schedule of this level. It returns false if all are planned.
func (l *levels) plansOne() bool {
	for ; l.nextParent < len(l.parents); l.nextParent++ {
		if child := l.parents[l.nextParent].child(); child != nil {
			l.plan.items = append(l.plan.items, child)
			return true
		}
	}
	return false
}

// rise proceeds to the next level. All schedules of this level must be completed.
func (l *levels) rise() {
	l.level++
	l.parents, l.nextParent, l.made, l.children = l.made, 0, nil, 0
	for _, p := range l.parents {
		l.children += p.children()
	}
}

// drawDeviations draws at least least deviations among the first choices. Twice as many are equally likely,
// and so on.
func drawDeviations(r *rand.Rand, least, choices int) (all []deviation) {
	for k := max(least, 1) << r.IntN(bits.Len(uint(choices))); k > len(all); {
		all = append(all, deviation{int32(r.IntN(choices)), 1 + r.Int32N(1<<30)})
	}
	slices.SortFunc(all, func(a, b deviation) int { return int(a.index - b.index) })
	return all
}

// counting formats a number with a noun, in the plural unless it is 1.
func counting(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
