package experiment

import (
	"hash/fnv"
	"slices"

	"contend/checker/sample"
	"contend/checker/sample/strategy"
	"contend/checker/verdict"
	"contend/checker/watch"
	"contend/model"
	"contend/model/guard"
	"contend/model/world"
)

// A Reach is the number of states that a strategy visits in a protocol without a seeded bug. A state consists
// of all nodes, without messages. Its JSON is a stable contract.
type Reach struct {
	Schema   int      `json:"schema"`
	Kind     string   `json:"kind"` // "reach"
	Protocol string   `json:"protocol"`
	Time     string   `json:"time"`
	Command  string   `json:"command"` // command line without the strategy
	Strategy string   `json:"strategy"`
	States   int      `json:"of"`      // number of states visited by any strategy
	Seconds  float64  `json:"seconds"` // CPU time of the schedules without counting states; wall time if the system does not measure CPU time
	Points   []States `json:"points"`
}

// A States is the number of states visited by the first schedules.
type States struct {
	Schedules int64 `json:"schedules"`
	States    int   `json:"states"`
}

// share returns the share of all states that the first k schedules visit.
func (r Reach) share(k int64) float64 {
	met := 0
	for _, p := range r.Points {
		if p.Schedules <= k {
			met = p.States
		}
	}
	return float64(met) / float64(max(r.States, 1))
}

// interpolate returns the share for a fractional number of schedules, by linear interpolation.
func (r Reach) interpolate(k float64) float64 {
	before := States{}
	for _, p := range r.Points {
		if float64(p.Schedules) >= k {
			part := (k - float64(before.Schedules)) / float64(p.Schedules-before.Schedules)
			return (float64(before.States) + part*float64(p.States-before.States)) / float64(max(r.States, 1))
		}
		before = p
	}
	return float64(before.States) / float64(max(r.States, 1))
}

// MeasureReach samples the protocol of some mutants, without their bugs, by each strategy with the first
// seed, in the interpreter. The configuration is from the protocol's first sampled check, or from the first
// mutant. The error is about invalid input, a [watch.Endless], or a handler that is not deterministic. After
// an interrupt, MeasureReach returns nil, nil.
func MeasureReach(mutants []Mutant, opt Options) ([]Reach, error) {
	p, c := mutants[0].Protocol, sampledCheck(mutants)
	s, err := p.System("", c.Config)
	if err != nil {
		return nil, err
	}
	all := map[uint64]bool{}
	var first []map[uint64]int64
	var seconds []float64
	for _, name := range opt.Strategies {
		met, took, err := visits(s, c, name, opt)
		if err != nil || met == nil {
			return nil, err
		}
		seconds = append(seconds, took)
		for state := range met {
			all[state] = true
		}
		first = append(first, met)
	}
	var out []Reach
	for i, name := range opt.Strategies {
		out = append(out, Reach{
			Schema: 1, Kind: "reach", Protocol: p.Name, Time: c.Reading.String(), Command: verdict.Command(p, c, s.Config),
			Strategy: name, States: len(all), Seconds: seconds[i], Points: points(first[i], opt.Schedules),
		})
	}
	return out, nil
}

// sampledCheck returns the check whose configuration Reached samples.
func sampledCheck(mutants []Mutant) model.Check {
	p, c := mutants[0].Protocol, mutants[0].Check
	if k := slices.IndexFunc(p.Checks, func(c model.Check) bool { return c.Schedules > 0 && c.Variant == "" }); k >= 0 {
		c = p.Checks[k]
	}
	return model.Check{Config: c.Config, Reading: c.Reading, Schedules: 1}
}

// visits returns the number of the first schedule that visits a state, by the state's hash. It also returns the time of the same schedules without counting.
func visits(s *model.System, c model.Check, name string, opt Options) (map[uint64]int64, float64, error) {
	m := &visitor{first: map[uint64]int64{}}
	stop, _, err := samples(s, c, name, opt, m.step)
	if err != nil || stop == sample.Interrupted {
		return nil, 0, err
	}
	stop, seconds, err := samples(s, c, name, opt, nil)
	if err != nil || stop == sample.Interrupted {
		return nil, 0, err
	}
	return m.first, seconds, nil
}

// samples samples a system by a strategy. Taken, unless nil, is called after every step.
func samples(s *model.System, c model.Check, name string, opt Options, taken func(int, *world.World, world.Record)) (sample.Stop, float64, error) {
	kind, err := strategy.Find(name)
	if err != nil {
		return "", 0, err
	}
	w := &watch.Watch{Interrupt: opt.Interrupt}
	running := w.Cell()
	var r sample.Result
	seconds := stopwatch()
	err = w.Run(func() (err error) {
		r, err = sample.Sample(s, nil, sample.Options{
			Schedules: opt.Schedules, Seed: opt.Seed, Workers: 1, Timed: c.Reading != model.Untimed, Strategy: kind.New(),
			Timeout: opt.Timeout, Interrupt: opt.Interrupt, Running: func(int) *guard.Cell { return running }, Taken: taken,
		})
		return err
	})
	return r.Stop, seconds(), err
}

// A visitor computes the states of schedules.
type visitor struct {
	first    map[uint64]int64
	schedule int
	nodes    []uint64 // hashes of the nodes' states
	sum      uint64   // of the nodes
}

func (m *visitor) step(schedule int, w *world.World, r world.Record) {
	if m.nodes == nil || schedule != m.schedule || r.Node < 0 {
		m.schedule, m.nodes, m.sum = schedule, make([]uint64, len(w.System.Nodes)), 0
		for i := range m.nodes {
			m.look(w, model.NodeID(i))
		}
	} else {
		m.look(w, r.Node)
	}
	if _, met := m.first[m.sum]; !met {
		m.first[m.sum] = int64(schedule) + 1
	}
}

// look updates the hash of a node's state.
func (m *visitor) look(w *world.World, id model.NodeID) {
	h := fnv.New64a()
	h.Write([]byte{byte(id)})
	h.Write(w.Node(id))
	hash := h.Sum64() // mixed first (splitmix64), since sums of these collide
	hash = (hash ^ hash>>30) * 0xbf58476d1ce4e5b9
	hash = (hash ^ hash>>27) * 0x94d049bb133111eb
	hash ^= hash >> 31
	m.sum += hash - m.nodes[id]
	m.nodes[id] = hash
}

// points returns the numbers of states at powers of two.
func points(first map[uint64]int64, cap int) (all []States) {
	for _, k := range counts(cap) {
		n := 0
		for _, schedule := range first {
			if schedule <= k {
				n++
			}
		}
		all = append(all, States{k, n})
	}
	return all
}
