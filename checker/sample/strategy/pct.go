package strategy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"contend/model"
)

// PCT is probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010). Its
// threads are channels here: the messages from one node to another, and a node's own events. Each thread
// draws a priority. The oldest event of the first thread happens. At d−1 steps, drawn among the first n, the
// first thread moves behind all others.
//
// A bug has depth d if d events show it whenever they happen in a certain order. The paper proves that a
// schedule of at most n steps and w threads finds it with probability at least 1/(w·nᵈ⁻¹). Here this holds if
// the events of each thread happen in order, as on FIFO channels. On other channels this strategy never
// reorders; [PCTCP] does.
//
// The depth of a schedule is drawn from 1 to [Depths]; this divides the probability by Depths. The number n
// is estimated from earlier schedules. The bound is for schedules without faults, lies and time.
type PCT struct{ estimate }

// Depths is the largest drawn depth.
const Depths = 5

// Schedule begins a schedule.
func (p *PCT) Schedule(_ int, seed uint64) (Scheduler, Choices) {
	threads := channels{}
	return p.begin(seed, &threads)
}

// A channels numbers the threads of PCT.
type channels map[[2]model.NodeID]int

func (c *channels) chain(e Event) int {
	at := [2]model.NodeID{e.From, e.Node}
	if _, known := (*c)[at]; !known {
		(*c)[at] = len(*c)
	}
	return (*c)[at]
}

func (*channels) observe(Step) {}

// A partition divides events into chains of consecutive events.
type partition interface {
	// chain is called once for each event. It returns the number of the event's chain. A new chain has the
	// next number.
	chain(e Event) int
	observe(s Step)
}

// An estimate has the expected length of a schedule, and its number of chains.
type estimate struct {
	steps, chains float64
	learned       int
	others        bool // something other than events was chosen
}

// usual is the estimated length of the first schedule.
const usual = 64

// Learn updates the estimate to the longest earlier schedule. Old lengths decay, so that one exceptional
// schedule does not count for ever.
func (x *estimate) Learn(_ int, s Scheduler, _ Outcome) {
	r := s.(*ranked)
	const slowly = 1 - 1.0/128
	x.steps = max(float64(r.steps), x.steps*slowly)
	x.chains = max(float64(len(r.priorities)), x.chains*slowly)
	x.learned++
	x.others = x.others || r.rest.chosen
}

// begin returns a scheduler that changes priorities at d−1 steps.
func (x *estimate) begin(seed uint64, by partition) (Scheduler, Choices) {
	r, rest := streams(seed)
	s := &ranked{rand: r, rest: &counted{from: rest}, partition: by}
	n := max(int(math.Ceil(x.steps)), 1)
	if x.learned == 0 {
		n = usual
	}
	for range r.IntN(Depths) {
		s.changes = append(s.changes, r.IntN(n))
	}
	return s, s.rest
}

// notes formats the guarantee, if it holds.
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

// rounded rounds a number up to two digits.
func rounded(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return math.Ceil(x/unit) * unit
}

// Notes returns the guarantee. It returns nothing if something other than events was chosen.
func (p *PCT) Notes() []string { return p.notes("channels", "steps") }

// A ranked is a scheduler that chooses the chain of the highest priority.
type ranked struct {
	rand       *rand.Rand
	rest       *counted
	partition  partition
	chains     []int     // by event number, from 1; 0 if not yet in a chain
	priorities []float64 // by chain: from 0 to 1, negative after a change
	changes    []int     // steps at which the priority of the first chain changes
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

// place assigns a new event to a chain.
func (r *ranked) place(e Event) {
	r.chains = grown(r.chains, int(e.ID))
	if r.chains[e.ID] == 0 {
		c := r.partition.chain(e)
		r.chains[e.ID] = c + 1
		for c >= len(r.priorities) {
			r.priorities = append(r.priorities, r.rand.Float64())
		}
	}
}

// first returns the index of the oldest event of the first chain.
func (r *ranked) first(events []Event) (at int) {
	best := math.Inf(-1)
	for i, e := range events {
		if p := r.priorities[r.chains[e.ID]-1]; p > best {
			best, at = p, i
		}
	}
	return at
}

func (r *ranked) Observe(s Step) { r.partition.observe(s) }
