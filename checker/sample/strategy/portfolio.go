package strategy

import (
	"fmt"
	"slices"
	"strings"
)

// Portfolio divides the schedules among other strategies, in fixed shares. A bug that a strategy finds within
// n schedules is found within n divided by its share.
type Portfolio struct {
	members []member
	turns   []turn // of one cycle
}

// A member is a strategy of a portfolio.
type member struct {
	name  string
	share int
	Strategy
}

// A turn has the member whose schedule is next, and the schedule's index among the member's in this cycle.
type turn struct{ member, rank int }

// A share is a strategy's number of schedules in a cycle.
type share struct {
	name      string
	schedules int
}

// NewPortfolio returns the portfolio of shares.
func NewPortfolio() *Portfolio {
	p := &Portfolio{}
	for _, s := range shares {
		k, err := Find(s.name)
		if err != nil {
			panic(err)
		}
		p.members = append(p.members, member{s.name, s.schedules, k.New()})
	}
	p.turns = spread(p.members)
	return p
}

// spread distributes the turns of the members evenly over a cycle. The first member begins.
func spread(members []member) (turns []turn) {
	total := 0
	for _, m := range members {
		total += m.share
	}
	ranks := make([]int, len(members))
	for at := range total {
		most, next := 0, 0
		for i, m := range members {
			if owed := m.share*(at+1) - ranks[i]*total; owed > most {
				most, next = owed, i
			}
		}
		turns = append(turns, turn{member: next})
		ranks[next]++
	}
	first := slices.IndexFunc(turns, func(t turn) bool { return t.member == 0 })
	turns = slices.Concat(turns[first:], turns[:first])
	clear(ranks)
	for i, t := range turns {
		turns[i].rank = ranks[t.member]
		ranks[t.member]++
	}
	return turns
}

// assign returns the member that makes a schedule, and the schedule's number among the member's.
func (p *Portfolio) assign(number int) (m member, own int) {
	t := p.turns[number%len(p.turns)]
	m = p.members[t.member]
	return m, number/len(p.turns)*m.share + t.rank
}

// Maker returns the name of the strategy that makes a schedule.
func (p *Portfolio) Maker(number int) string {
	m, _ := p.assign(number)
	return m.name
}

// Schedule begins a schedule of the member whose turn it is.
func (p *Portfolio) Schedule(number int, seed uint64) (Scheduler, Choices) {
	m, own := p.assign(number)
	return m.Schedule(own, seed)
}

// Learn calls Learn of the member that made the schedule.
func (p *Portfolio) Learn(number int, s Scheduler, o Outcome) {
	m, own := p.assign(number)
	m.Learn(own, s, o)
}

// Notes returns the shares, and the members' notes.
func (p *Portfolio) Notes() []string {
	var list, all []string
	for _, m := range p.members {
		list = append(list, fmt.Sprintf("%s %d", m.name, m.share))
		if n, has := m.Strategy.(Noter); has {
			for _, text := range n.Notes() {
				all = append(all, m.name+": "+text)
			}
		}
	}
	shares := fmt.Sprintf("of %d schedules: %s", len(p.turns), strings.Join(list, ", "))
	return append([]string{shares}, all...)
}
