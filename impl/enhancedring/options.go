package enhancedring

import (
	"slices"

	"contend/impl/election"
	"contend/model"
	"contend/model/variant"
)

// options are the other readings of the text, and edits that look like bugs but are not.
var options = []model.Variant{
	{
		Name: "detector", Title: "reading: a perfect failure detector tells who responds; delays have no bound",
		Unclaimed: noMembers,
		Edit:      detect(model.Perfect), Show: model.Check{Config: election.Of(3, 1, 1), Claims: whole}, Waives: withoutTime(),
	},
	{
		Name: "lockstep", Title: "every message takes δ exactly",
		Unclaimed: noMembers,
		Edit:      lockstep, Show: timed(election.Of(3, 2, 1)), Joins: true,
	},
	{
		Name: "tells-members", Title: "step e: all are told who the members are when the election is over",
		Edit: variant.All(variant.Types(Members{}), variant.Nodes(func(p Process) model.Node { return &tellingProcess{p} })),
		Show: model.Check{Config: election.Of(3, 1, 1), Reading: model.Grid},
	},
	{
		Name: "watchdog", Title: "each report of a crash initiates an election, and so does a process that has waited too long for the end of one",
		Unclaimed: noMembers,
		Edit:      watch,
		Show:      dead(1, model.Faults{Crashes: 1}), Joins: true,
		Waives: map[string][]model.Assumption{"liveness": {model.NoCrash, model.NoMemoryLoss}},
	},
	{
		Name: "decides-on-return", Title: "reading: the initiator decides when the Coordinator message returns",
		Unclaimed: noMembers,
		Edit: page.Edit(`p.decide(env, id)`, ``,
			`p.Initiated = false; if`, `if slices.Contains(m.List, m.ID) { p.decide(env, m.ID) }; p.Initiated = false; if`), Show: again, Joins: true,
	},
	{
		Name: "responds-last", Title: "a process responds after it has forwarded the message",
		Unclaimed: noMembers,
		Edit:      page.Edit(`env.Send(from, Response{m.Number}); p.take(env, m.Body)`, `p.take(env, m.Body); env.Send(from, Response{m.Number})`), Show: again,
	},
	{
		Name: "patient", Title: "a process waits longer for a response than a response can take",
		Unclaimed: noMembers,
		Edit:      variant.Setup(func(c *Config) { c.Patience += 2 }), Show: again, Joins: true,
	},
	{
		Name: "unchecked", Title: "step e without its check: a failure detector reports a coordinator that is down",
		Unclaimed: noMembers,
		Edit:      page.Edit(`if !slices.Contains(m.List, m.ID) { p.initiate(env); return }`, ``),
		Show:      model.Check{Config: variant.Faulty(election.Of(3, 1, 1), model.Faults{Crashes: 1}), Reading: model.Grid, Claims: []string{"failures supported", "one coordinator"}},
	},
}

// noMembers are the claims that fail as in the protocol as printed.
var noMembers = []string{"members known"}

// whole are all claims but "members known". That claim is false as printed.
var whole = []string{
	"safety", "one coordinator", "liveness", "agreement", "largest in the end", "elections conclude", "failures supported",
}

// again is a check of two elections of one process.
var again = timed(election.Of(2, 1, 2))

func timed(c model.Config) model.Check {
	return model.Check{Config: c, Reading: model.Grid, Claims: whole}
}

// dead returns a check with three processes. The given number of processes are down initially.
func dead(down int, f model.Faults) model.Check {
	return model.Check{
		Config: variant.Faulty(election.Of(3, 1, 1), f).With(election.Down.Is(down)), Reading: model.Grid, Claims: []string{"failures supported"},
	}
}

func withoutTime() map[string][]model.Assumption {
	waived := map[string][]model.Assumption{}
	for _, claim := range whole {
		waived[claim] = []model.Assumption{model.Synchronous}
	}
	return waived
}

func lockstep(s *model.System) { s.Network.Delay = model.Exactly(model.Delay.Of(s.Config)) }

// Members announces "who the members of the new ring are".
type Members struct{ List []model.NodeID }

// body returns the content of a message.
func body(m any) any {
	if message, is := m.(Message); is {
		return message.Body
	}
	return m
}

type tellingProcess struct{ Process }

// Receive handles a message. A process that finds that the election is over announces the members.
func (p *tellingProcess) Receive(env model.Env, from model.NodeID, m any) {
	if told, is := m.(Members); is {
		env.Note(Ring{told.List})
		return
	}
	p.Process.Receive(env, from, m)
	if c, is := body(m).(Coordinator); is && slices.Contains(c.List, env.Self()) && slices.Contains(c.List, c.ID) {
		env.Broadcast(c.List, Members{c.List})
	}
}

// overdue is the alarm of a process that waits for the end of an election.
type overdue struct{}

// watch joins with the edits of the text.
var watch = variant.All(variant.Types(overdue{}), variant.EditedNodes(
	func(p Process) EditedProcess { return EditedProcess{Process: p} },
	func(p EditedProcess) model.Node { return &WatchingProcess{EditedProcess: p} },
))

// A WatchingProcess initiates an election when it has waited for long for the end of one.
type WatchingProcess struct {
	EditedProcess
	Waits bool // it takes part in an election, and has not decided since
}

// Start initiates an election after a recovery.
func (p *WatchingProcess) Start(env model.Env) { p.EditedProcess.Start(watching{env, p}) }

// Invoke initiates an election.
func (p *WatchingProcess) Invoke(env model.Env, op any) { p.EditedProcess.Invoke(watching{env, p}, op) }

// Receive handles a message.
func (p *WatchingProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.EditedProcess.Receive(watching{env, p}, from, m)
}

// Suspect handles a report that a process does not respond: messages at that process are lost.
func (p *WatchingProcess) Suspect(env model.Env, node model.NodeID) {
	p.EditedProcess.Suspect(watching{env, p}, node)
	p.initiate(watching{env, p})
}

// Timeout polls the next successor, or initiates an election.
func (p *WatchingProcess) Timeout(env model.Env, key any) {
	if _, late := key.(overdue); !late {
		p.EditedProcess.Timeout(env, key)
		return
	}
	p.Initiated = false
	p.initiate(watching{env, p})
}

// watching is the environment of a process that watches the elections that it takes part in.
type watching struct {
	model.Env
	p *WatchingProcess
}

// Note sets the alarm for each Election message. It cancels the alarm when the process has decided and its
// own elections have ended.
func (e watching) Note(label any) {
	switch label.(type) {
	case election.Undecided:
		e.p.Waits = true
		turns := 2 * model.Ticks(e.p.cfg.All) // two turns, with this number of polls each
		e.After(overdue{}, model.Exactly(turns*e.p.cfg.Patience))
	case election.Decided:
		e.p.Waits = false
	}
	if !e.p.Waits && !e.p.Initiated {
		e.Cancel(overdue{})
	}
	e.Env.Note(label)
}
