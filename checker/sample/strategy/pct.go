package strategy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"contend/model"
)

// PCT is probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010).
// Its threads are channels here: the messages from one node to another, and what a node does by itself. Each thread
// draws a priority, and the oldest event of the thread that comes first happens. At d−1 steps, drawn
// among the first n, the thread that comes first comes behind all others from then on.
//
// A bug of depth d is one that d events show as soon as they happen in a certain order. The paper proves that a schedule of at most n
// steps and w threads finds it with probability at least 1/(w·nᵈ⁻¹). It holds here if the events of each thread happen in their
// order, as messages on FIFO channels do; elsewhere this strategy never overtakes within a channel, and [PCTCP] does.
//
// The depth of each schedule is drawn from 1 to [Depths], which divides the probability by Depths; n is estimated from the
// schedules before. The environment is not among the threads: the bound is for schedules without faults and
// lies, and for time that is not kept.
type PCT struct{ estimate }

// Depths is the largest depth that is drawn.
const Depths = 5

// Schedule begins a schedule.
func (p *PCT) Schedule(_ int, seed uint64) (Scheduler, Choices) {
	threads := channels{}
	return p.begin(seed, &threads)
}

// channels are the threads of PCT, by their number.
type channels map[[2]model.NodeID]int

func (c *channels) chain(e Event) int {
	at := [2]model.NodeID{e.From, e.Node}
	if _, known := (*c)[at]; !known {
		(*c)[at] = len(*c)
	}
	return (*c)[at]
}

func (*channels) took(Step) {}

// A partition puts events into chains, whose events follow each other.
type partition interface {
	// chain is asked once about each event, and returns the number of its chain: a new one is the
	// number of those before.
	chain(e Event) int
	took(s Step)
}

// estimate is what the schedules before tell of the length of one, and of its chains.
type estimate struct {
	steps, chains float64
	learned       int
	others        bool // something else than events was chosen
}

// usual is the estimate of the length of a schedule before there was one.
const usual = 64

// Learn takes the longest of the schedules before for the length of the next; it is forgotten by and
// by, so that a single one that was far longer than all others does not count for ever.
func (x *estimate) Learn(_ int, s Scheduler, _ Outcome) {
	r := s.(*ranked)
	const slowly = 1 - 1.0/128
	x.steps = max(float64(r.steps), x.steps*slowly)
	x.chains = max(float64(len(r.priorities)), x.chains*slowly)
	x.learned++
	x.others = x.others || r.rest.chosen
}

// begin makes a scheduler with d−1 steps at which priorities change.
func (x *estimate) begin(seed uint64, by partition) (Scheduler, Choices) {
	r, rest := drawn(seed)
	s := &ranked{rand: r, rest: &counted{from: rest}, by: by}
	n := max(int(math.Ceil(x.steps)), 1)
	if x.learned == 0 {
		n = usual
	}
	for range r.IntN(Depths) {
		s.changes = append(s.changes, r.IntN(n))
	}
	return s, s.rest
}

// notes say what the guarantee comes to, where it holds.
func (x *estimate) notes(chains, steps string) []string {
	if x.learned == 0 || x.others {
		return nil
	}
	c, n := math.Ceil(x.chains), math.Ceil(x.steps)
	var needs []string
	for d := 1; d <= 3; d++ {
		needs = append(needs, fmt.Sprintf("%.0f of depth %d", rounded(math.Log(20)*Depths*c*math.Pow(n, float64(d-1))), d))
	}
	return []string{fmt.Sprintf("a schedule has at most %.0f %s and %.0f %s; a bug is found with probability 95%% by this many of them: %s",
		c, chains, n, steps, strings.Join(needs, ", "))}
}

// rounded is a number rounded up to two digits.
func rounded(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return math.Ceil(x/unit) * unit
}

// Notes says what the guarantee comes to, unless something else than events was chosen.
func (p *PCT) Notes() []string { return p.notes("channels", "steps") }

// ranked is a scheduler that always takes the chain of the highest priority.
type ranked struct {
	rand       *rand.Rand
	rest       *counted
	by         partition
	chains     []int     // by number of event, from 1; 0: not yet in one
	priorities []float64 // by chain: from 0 to 1, and below 0 once it was put behind the others
	changes    []int     // the steps at which one is; the later in the list, the further behind
	steps      int
}

func (r *ranked) Next(events []Event) int {
	for _, e := range events {
		r.place(e)
	}
	for i, at := range r.changes {
		if at == r.steps {
			first := events[r.first(events)]
			r.priorities[r.chains[first.ID]-1] = -float64(i + 1)
		}
	}
	r.steps++
	return r.first(events)
}

// place puts an event into a chain, the first time that it is seen.
func (r *ranked) place(e Event) {
	r.chains = grown(r.chains, int(e.ID))
	if r.chains[e.ID] == 0 {
		c := r.by.chain(e)
		r.chains[e.ID] = c + 1
		for c >= len(r.priorities) {
			r.priorities = append(r.priorities, r.rand.Float64())
		}
	}
}

// first is the oldest event of the chain of the highest priority.
func (r *ranked) first(events []Event) (at int) {
	best := math.Inf(-1)
	for i, e := range events {
		if p := r.priorities[r.chains[e.ID]-1]; p > best {
			best, at = p, i
		}
	}
	return at
}

func (r *ranked) Took(s Step) { r.by.took(s) }
