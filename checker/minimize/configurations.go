package minimize

import (
	"slices"

	"contend/model"
	"contend/traces"
)

// maxConfigurations is the maximum number of smaller configurations to search in one minimization.
const maxConfigurations = 48

// reduceConfiguration searches smaller configurations for a run that breaks the claim. It minimizes such a
// run there, and replaces the best run if the new one is easier to read. The new run is not a part of the
// best run: the first steps of the best run may be all that prevented a smaller configuration.
func (m *minimizer) reduceConfiguration() (taken bool) {
	if m.opt.AnyRun == nil || m.opt.KeepConfig || m.trace.Cost != nil || m.stopped != "" {
		return false
	}
	header := *m.trace
	header.Steps, header.Boot, header.Loop, header.NoReturn, header.Picture = nil, nil, 0, nil, nil
	for _, c := range m.smallerConfigs(header.Config.Model()) {
		for _, one := range m.open(c) {
			st, err := m.settled(header, one)
			if err != nil || m.violatesAssumption(st) || m.extent(st) >= m.maxExtent() {
				continue
			}
			if key := st.header.Config.String(); !m.searched[key] && len(m.searched) < maxConfigurations && m.timeRemains() {
				m.searched[key] = true
				if m.searchIn(st.header) {
					return true
				}
			}
		}
	}
	return false
}

// maxExtent returns the extent of the best run's configuration.
func (m *minimizer) maxExtent() int64 {
	st, err := m.stage(*m.trace)
	if err != nil {
		return 0
	}
	return m.extent(st)
}

// timeRemains reports whether the limits allow a further search. Their end does not affect the best run's
// minimality.
func (m *minimizer) timeRemains() bool {
	over := m.expired()
	m.stopped = ""
	return !over
}

// searchIn searches for a run in a configuration, and reports whether it replaced the best run.
func (m *minimizer) searchIn(header traces.Trace) (taken bool) {
	if m.opt.Progress != nil {
		m.opt.Progress(Progress{Pass: "another run with " + header.Config.String(), Steps: len(m.trace.Steps), Tried: m.report.Tried})
	}
	found, err := m.opt.AnyRun(&header)
	m.report.States, m.report.Schedules, m.steps = m.report.States+found.States, m.report.Schedules+found.Schedules, m.steps+found.Steps
	if err != nil || found.Trace == nil {
		return false // a failed search counts as no run
	}
	other, err := begin(m.protocol, found.Trace, m.opt)
	if err != nil {
		return false
	}
	other.deadline, other.steps, other.stages = m.deadline, m.steps, m.stages
	other.fixpoint()
	m.steps, m.report.Tried = other.steps, m.report.Tried+other.report.Tried
	if other.stopped != "" || !other.readsBetter(m) {
		return false
	}
	m.best, m.trace, m.judge = other.best, other.trace, other.judge
	m.report.Locally = other.report.Locally
	m.report.Another = &Another{Config: found.Trace.Config, Steps: len(found.Trace.Steps), By: found.By}
	return true
}

// readsBetter reports whether a run is easier to read than another: it has fewer steps times nodes, or as
// many in a smaller configuration. A run longer than the original is never easier.
func (m *minimizer) readsBetter(than *minimizer) bool {
	if len(m.trace.Steps) > than.report.From {
		return false
	}
	return slices.Compare([]int{m.area(), int(m.maxExtent())}, []int{than.area(), int(than.maxExtent())}) < 0
}

// area returns the number of steps times the number of nodes.
func (m *minimizer) area() int {
	st, err := m.stage(*m.trace)
	if err != nil {
		return 0
	}
	return len(m.trace.Steps) * len(st.system.Nodes)
}

// smallerConfigs returns configurations with one quantity less, the most effective first: fewer liars with
// each number of servers; fewer servers, clients and operations; fewer faults; smaller other parameters.
func (m *minimizer) smallerConfigs(c model.Config) (all []model.Config) {
	if s, err := m.protocol.System(m.trace.Variant, c); err == nil {
		c = s.Config
	}
	for b := range c.B {
		for n := 1; n <= c.N; n++ {
			fewer := c
			fewer.N, fewer.B = n, b
			all = append(all, fewer)
		}
	}
	first := []string{model.N.Name, model.Clients.Name, model.Ops.Name}
	for _, name := range first {
		all = append(all, m.lesser(c, name)...)
	}
	all = append(all, fewerFaults(c)...)
	for _, p := range m.protocol.Params {
		if name := p.Declared().Name; !slices.Contains(first, name) && name != model.B.Name {
			all = append(all, m.lesser(c, name)...)
		}
	}
	return all
}

// lesser returns configurations with smaller values of a parameter.
func (m *minimizer) lesser(c model.Config, name string) (all []model.Config) {
	d, _ := m.protocol.Declared(name)
	value, set := m.protocol.Spelled(c).Setting(name)
	if !set {
		return nil
	}
	for _, v := range valuesBelow(minimum(d), value) {
		all = append(all, c.With(model.Setting{Name: name, Value: v}))
	}
	return all
}

// fewerFaults returns configurations with none or one less of a kind of fault, and one without drift.
func fewerFaults(c model.Config) (all []model.Config) {
	for _, field := range []func(*model.Config) *int{
		func(c *model.Config) *int { return &c.Faults.Crashes }, func(c *model.Config) *int { return &c.Faults.Restarts },
		func(c *model.Config) *int { return &c.Faults.Loss }, func(c *model.Config) *int { return &c.Faults.Duplication },
		func(c *model.Config) *int { return &c.Faults.Suspicions }, func(c *model.Config) *int { return &c.Faults.Partitions },
		func(c *model.Config) *int { return &c.Drift },
	} {
		for less := range *field(&c) {
			if less == 0 || less == *field(&c)-1 {
				fewer := c
				*field(&fewer) = less
				all = append(all, fewer)
			}
		}
	}
	return all
}
