package program

import (
	"fmt"
	"strings"

	"contend/model"
)

// What goes wrong at the border of a program, besides what a system's network and crashes do, is sent by a node of its own, which has
// no other purpose: what strikes, whom and when are choices of the run like any other, and each is a step that people see.

// The troubles of a program.
type (
	// A Cut breaks a connection: both sides see it reset. Which counts the open ones, in the order of the names of the other
	// nodes and then of their numbers, round and round. Without one nothing happens.
	Cut struct{ Which int }
	// A HalfOpen breaks a connection on this side only. The other side is told when it next sends something.
	HalfOpen struct{ Which int }
	// A Refuse has the next connection that another node opens to this one be refused.
	Refuse struct{}
	// A Jump moves the wall clock, by nanoseconds. Timers do not follow it.
	Jump struct{ By int64 }
	// A Full leaves no space on the disk, until Room comes.
	Full struct{}
	Room struct{}
	// A Terminate sends a SIGTERM. A program that does not handle it ends at once. After its end, whatever its exit code, the program starts
	// again within so many ticks. Its disk is as it left it, since the operating system goes on.
	Terminate struct{ Within model.Ticks }
	// A SyncFails has the next sync of a file or directory end with EIO. What it covered is then never sure to survive a crash.
	SyncFails struct{}
)

// A Strike is the alarm of the node that makes trouble.
type Strike struct{}

// The budgets of troubles, which are 0 unless they are set.
var (
	Cuts      = budget("cuts", "connections that are cut")
	HalfOpens = budget("half-opens", "connections that break on one side")
	Refusals  = budget("refusals", "connections that are refused")
	Jumps     = budget("jumps", "jumps of a wall clock, by a second or an hour")
	FullDisks = budget("full-disks", "times that a disk becomes full, or has room again")
	BadSyncs  = budget("bad-syncs", "syncs of a disk that fail")
	Sigterms  = budget("sigterms", "SIGTERMs, after which a program ends and starts again")
)

func budget(name, meaning string) model.Param[int] {
	return model.Param[int]{Name: name, Meaning: meaning, Most: 20}
}

var budgets = []model.Param[int]{Cuts, HalfOpens, Refusals, Jumps, FullDisks, BadSyncs, Sigterms}

// Budgets lists them, for the Params of a protocol.
func Budgets() (all []model.Parameter) {
	for _, b := range budgets {
		all = append(all, b)
	}
	return all
}

// Trouble returns the node that causes troubles, for the end of a system's list of nodes; none if the
// configuration has no budget for it. Troubles follow each other within so many ticks. The error is one sentence:
// a program without a disk has no full or failing disk,
// and a program in WebAssembly gets no signals.
func (p *Program) Trouble(c model.Config, within model.Ticks) ([]model.NodeSpec, error) {
	var t, none trouble
	for i, b := range budgets {
		t.Left[i] = b.Of(c)
	}
	switch {
	case p.config.Disk == nil && FullDisks.Of(c)+BadSyncs.Of(c) > 0:
		bad := FullDisks
		if bad.Of(c) == 0 {
			bad = BadSyncs
		}
		return nil, fmt.Errorf("%s is %d, but the programs have no disk", bad.Name, bad.Of(c))
	case Sigterms.Of(c) > 0 && p.code.config.Guest != Native:
		return nil, fmt.Errorf("%s is %d, but only native guests get signals: leave out the budget, or set the parameter %s to %d on linux/amd64 with Linux 6.7 or later", Sigterms.Name, Sigterms.Of(c), Guest.Name, Native)
	case t.Left == none.Left:
		return nil, nil
	}
	fresh := func() model.Node {
		return &trouble{Left: t.Left, Within: within, Filled: make([]bool, len(p.config.Hosts))}
	}
	return []model.NodeSpec{{Name: "trouble", Role: model.Client, New: fresh, Crash: model.NoCrashes}}, nil
}

// A trouble is the node that makes trouble.
type trouble struct {
	Left   [7]int // of the budgets, in their order
	Within model.Ticks
	Filled []bool // the disks, by node
}

// jumps are the jumps of a wall clock, in nanoseconds.
var jumps = [...]int64{-1e9, 1e9, -3600e9, 3600e9}

// mostOpen is the number of connections among which the broken one is chosen.
const mostOpen = 4

// Start waits for the first strike.
func (t *trouble) Start(env model.Env) { env.After(Strike{}, model.By(t.Within)) }

// Timeout strikes.
func (t *trouble) Timeout(env model.Env, _ any) {
	can := t.can()
	is := can[choose(env, len(can))]
	t.Left[is]--
	whom := choose(env, len(t.Filled))
	var m any
	switch is {
	case 0:
		m = Cut{choose(env, mostOpen)}
	case 1:
		m = HalfOpen{choose(env, mostOpen)}
	case 2:
		m = Refuse{}
	case 3:
		m = Jump{jumps[choose(env, len(jumps))]}
	case 4:
		if m = any(Full{}); t.Filled[whom] {
			m = Room{}
		}
		t.Filled[whom] = !t.Filled[whom]
	case 5:
		m = SyncFails{}
	case 6:
		m = Terminate{t.Within}
	}
	env.Send(model.NodeID(whom), m)
	if len(t.can()) > 0 {
		env.After(Strike{}, model.By(t.Within))
	}
}

// can returns the troubles that have a budget.
func (t *trouble) can() (all []int) {
	for i, left := range t.Left {
		if left > 0 {
			all = append(all, i)
		}
	}
	return all
}

// Receive hears nothing: a program that has ended may answer.
func (t *trouble) Receive(model.Env, model.NodeID, any) {}

func choose(env model.Env, n int) int {
	if n == 1 {
		return 0
	}
	return env.Choose(n)
}

func (j Jump) String() string { return "by " + strings.TrimSuffix(seconds(j.By), ".000 s") + " s" }
