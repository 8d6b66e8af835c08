package minimize

import (
	"cmp"
	"slices"

	"contend/model"
)

// smaller reports whether a run is smaller than the best. It compares the number of steps, the configuration,
// the faults, the lies, and then the simplicity of the rest.
func (m *minimizer) smaller(r *result) bool {
	mine, best := m.size(r), m.size(m.best)
	first := 3 // steps, configuration, faults
	if c := slices.Compare(mine[:first], best[:first]); c != 0 {
		return c < 0
	}
	if c := cmp.Compare(m.honesty(r).lies, m.honesty(m.best).lies); c != 0 {
		return c < 0
	}
	return slices.Compare(mine[first:], best[first:]) < 0
}

// size returns the numbers by which runs are compared, the most important first.
func (m *minimizer) size(t *result) []int64 {
	var faults, answers, lies, late int64
	instants := map[int64]bool{}
	for i, r := range t.records {
		if r.Move.Kind.Adversarial() {
			faults++
		}
		lies += int64(t.places[i+1].index)
		for _, c := range r.Choices {
			answers += int64(c.Is)
		}
		instants[int64(r.At)] = true
		late += int64(r.At) / t.parts
	}
	for _, b := range t.world.Boot {
		answers += int64(b.Is)
	}
	return []int64{int64(len(t.records)), m.extent(t.stage), faults, int64(len(t.stage.watched)), lies, answers, int64(len(instants)), t.parts, late}
}

// extent returns the sum of a configuration's parameters and budgets.
func (m *minimizer) extent(st *stage) (sum int64) {
	c := m.protocol.Spelled(st.system.Config)
	for _, s := range c.Settings() {
		sum += s.Value
	}
	f := c.Faults
	sum += int64(c.N + c.B + c.Drift + f.Crashes + f.Restarts + f.Loss + f.Duplication + f.Suspicions + f.Partitions)
	if c.Beyond {
		sum++
	}
	return sum
}

// injectedFaults returns the faults that occurred in a run.
func (t *result) injectedFaults() (f model.Faults) {
	budget, left := t.stage.system.Faults, t.world.Budget()
	return model.Faults{Loss: budget.Loss - left.Loss, Duplication: budget.Duplication - left.Duplication, Crashes: budget.Crashes - left.Crashes,
		Restarts: budget.Restarts - left.Restarts, Suspicions: budget.Suspicions - left.Suspicions, Partitions: budget.Partitions - left.Partitions}
}
