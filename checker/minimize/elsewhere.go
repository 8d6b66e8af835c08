package minimize

import (
	"slices"

	"contend/model"
	"contend/traces"
)

// mostElsewhere is how many smaller configurations are looked at in one minimisation.
const mostElsewhere = 48

// elsewhere looks in one smaller configuration after another for a run that breaks the claim, makes it smaller there, and takes it in
// place of the best if less is to be read then. Another run it is, not a part of the best: what kept the passes in a
// configuration may be nothing but the steps that its run begins with.
func (m *minimizer) elsewhere() (taken bool) {
	if m.opt.Elsewhere == nil || m.opt.KeepConfig || m.trace.Cost != nil || m.stopped != "" {
		return false
	}
	header := *m.trace
	header.Steps, header.Boot, header.Loop, header.NoReturn, header.Picture = nil, nil, 0, nil, nil
	for _, c := range m.smallerConfigs(header.Config.Model()) {
		for _, one := range m.open(c) {
			st, err := m.settled(header, one)
			if err != nil || m.worse(st) || m.extent(st) >= m.allowed() {
				continue
			}
			if key := st.header.Config.String(); !m.looked[key] && len(m.looked) < mostElsewhere && m.time() {
				m.looked[key] = true
				if m.looksIn(st.header) {
					return true
				}
			}
		}
	}
	return false
}

// allowed is the extent of the best run's configuration.
func (m *minimizer) allowed() int64 {
	st, err := m.stage(*m.trace)
	if err != nil {
		return 0
	}
	return m.extent(st)
}

// time reports whether there is time to look further. That there is none stops no pass: the best run is as minimal
// as it was.
func (m *minimizer) time() bool {
	over := m.over()
	m.stopped = ""
	return !over
}

// looksIn looks for a run in a configuration.
func (m *minimizer) looksIn(header traces.Trace) (taken bool) {
	if m.opt.Progress != nil {
		m.opt.Progress(Progress{Pass: "another run with " + header.Config.String(), Steps: len(m.trace.Steps), Tried: m.report.Tried})
	}
	found, err := m.opt.Elsewhere(&header)
	m.report.States, m.report.Schedules, m.steps = m.report.States+found.States, m.report.Schedules+found.Schedules, m.steps+found.Steps
	if err != nil || found.Trace == nil {
		return false // what keeps a search from looking there breaks nothing here
	}
	is, err := begin(m.protocol, found.Trace, m.opt)
	if err != nil {
		return false
	}
	is.deadline, is.steps, is.stages = m.deadline, m.steps, m.stages
	is.fixpoint()
	m.steps, m.report.Tried = is.steps, m.report.Tried+is.report.Tried
	if is.stopped != "" || !is.readsBetter(m) {
		return false
	}
	m.best, m.trace, m.judge = is.best, is.trace, is.judge
	m.report.Locally = is.report.Locally
	m.report.Another = &Another{Config: found.Trace.Config, Steps: len(found.Trace.Steps), By: found.By}
	return true
}

// readsBetter reports whether less is to be read of a run than of another: fewer steps times nodes, as in its
// picture, or as many in a smaller configuration. It is never longer than the run that was given.
func (m *minimizer) readsBetter(than *minimizer) bool {
	if len(m.trace.Steps) > than.report.From {
		return false
	}
	return slices.Compare([]int{m.area(), int(m.allowed())}, []int{than.area(), int(than.allowed())}) < 0
}

// area is the number of steps times that of nodes.
func (m *minimizer) area() int {
	st, err := m.stage(*m.trace)
	if err != nil {
		return 0
	}
	return len(m.trace.Steps) * len(st.system.Nodes)
}

// smallerConfigs are configurations in each of which one thing is less, by how much it makes a run easier to read: fewer liars, with
// each number of servers; fewer servers, clients and operations; fewer faults; smaller parameters besides.
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

// lesser are configurations with less of a parameter.
func (m *minimizer) lesser(c model.Config, name string) (all []model.Config) {
	d, _ := m.protocol.Declared(name)
	is, set := m.protocol.Spelled(c).Setting(name)
	if !set {
		return nil
	}
	for _, v := range valuesBelow(leastOf(d), is) {
		all = append(all, c.With(model.Setting{Name: name, Value: v}))
	}
	return all
}

// fewerFaults are configurations with none of a kind of fault, or one less, and the one without drift.
func fewerFaults(c model.Config) (all []model.Config) {
	for _, of := range []func(*model.Config) *int{
		func(c *model.Config) *int { return &c.Faults.Crashes }, func(c *model.Config) *int { return &c.Faults.Restarts },
		func(c *model.Config) *int { return &c.Faults.Loss }, func(c *model.Config) *int { return &c.Faults.Duplication },
		func(c *model.Config) *int { return &c.Faults.Suspicions }, func(c *model.Config) *int { return &c.Faults.Partitions },
		func(c *model.Config) *int { return &c.Drift },
	} {
		for less := range *of(&c) {
			if less == 0 || less == *of(&c)-1 {
				fewer := c
				*of(&fewer) = less
				all = append(all, fewer)
			}
		}
	}
	return all
}
