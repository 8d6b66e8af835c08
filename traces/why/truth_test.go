package why_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/describe"
	"contend/model/world"
	"contend/traces/replay"
	"contend/traces/show"
)

// A letter is a message of a run, with its fate.
type letter struct {
	from, to string
	label    string
	sent     int
	arrived  []int // also where nobody was up
	lost     []int
	unheard  []int
	forged   bool
}

// A ledger computes from the records of a run which sentences are true.
type ledger struct {
	run     *replay.Run
	last    int
	letters []*letter
	lines   map[int]string // the line of each step in the listing
	broken  map[string]int // the last step of each node in which it did, as was said, what breaks the claim
}

func ledgerOf(run *replay.Run) *ledger {
	l := &ledger{run: run, last: len(run.Records), lines: map[int]string{0: "all: start"}, broken: map[string]int{}}
	for _, line := range show.Lines(run) {
		l.lines[line.Step] = line.Who + ": " + cut(line.What)
	}
	of := func(e *world.Event) *letter {
		from, to, label := l.name(e.From), l.name(e.Node), l.value(e.Value)
		for _, m := range l.letters {
			if m.from == from && m.to == to && m.label == label && m.sent == e.BornStep && !m.forged {
				return m
			}
		}
		m := &letter{from: from, to: to, label: label, sent: e.BornStep}
		l.letters = append(l.letters, m)
		return m
	}
	for _, e := range run.Initial {
		if e.Kind == model.Deliver {
			of(e)
		}
	}
	down := map[model.NodeID]bool{}
	for i, r := range run.Records {
		switch r.Move.Kind {
		case model.Crash, model.Stop:
			down[r.Node] = true
		case model.Restart:
			delete(down, r.Node)
		case model.Deliver:
			m := of(r.Move.Event)
			if m.arrived = append(m.arrived, i+1); down[r.Move.Event.Node] {
				m.unheard = append(m.unheard, i+1)
			}
		case model.Forge:
			l.letters = append(l.letters, &letter{from: l.name(r.Move.From), to: l.name(r.Move.Node), label: l.value(r.Move.Value), sent: i + 1, arrived: []int{i + 1}, forged: true})
		}
		for _, e := range r.Gone {
			if e.Kind == model.Deliver {
				of(e).lost = append(of(e).lost, i+1)
			}
		}
		for _, e := range r.Sent {
			of(e)
		}
	}
	return l
}

// further returns the ledger for the sentences on a continuation of the run.
func (l *ledger) further(t *testing.T, says string) *ledger {
	if !strings.HasPrefix(says, "If it goes on from there ") {
		return l
	}
	on, _, err := l.run.Further(200)
	require.NoError(t, err)
	return ledgerOf(on)
}

func (l *ledger) name(id model.NodeID) string { return l.run.World.System.Name(id) }

func (l *ledger) value(v any) string {
	return cut(strings.TrimSuffix(describe.Value(v, l.name), "{}"))
}

func cut(text string) string {
	if letters := []rune(text); len(letters) > 100 {
		return string(letters[:99]) + "…"
	}
	return text
}

func (l *ledger) idOf(name string) model.NodeID {
	return model.NodeID(slices.IndexFunc(l.run.World.System.Nodes, func(n model.NodeSpec) bool { return n.Name == name }))
}

// some reports whether there is a letter that satisfies is; "" means any node, and before is a suffix of its
// label.
func (l *ledger) some(from, to, before string, is func(m *letter) bool) bool {
	return slices.ContainsFunc(l.letters, func(m *letter) bool {
		return (from == "" || m.from == from) && (to == "" || m.to == to) && strings.HasSuffix(before, m.label) && is(m)
	})
}

// at returns the number of a step in a sentence; 0 for the start.
func at(text string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(text, "step "))
	return n
}

// A claim is a form of sentence with a test of its truth. The arguments are the groups of the match, and the
// sentence before it.
type claim struct {
	words *regexp.Regexp
	holds func(l *ledger, says, before string, m []string) bool
}

const (
	aStep = `(step \d+|the start)`
	aTime = `(?: \(time [^)]*\))?`
)

var forms = []claim{
	{regexp.MustCompile(` of (\S+) to (\S+), sent at ` + aStep + `( and lost at step (\d+))?`), func(l *ledger, _, before string, m []string) bool {
		return l.some(m[1], m[2], before, func(x *letter) bool {
			return x.sent == at(m[3]) && (m[4] == "" || slices.Contains(x.lost, at(m[5])))
		})
	}},
	{regexp.MustCompile(` of (\S+), sent at ` + aStep + `(?:, when [^;]*?)?, which arrived at (step \d+)`), func(l *ledger, says, before string, m []string) bool {
		to := word(strings.TrimPrefix(says, "What "))
		return l.some(m[1], to, before, func(x *letter) bool { return x.sent == at(m[2]) && slices.Contains(x.arrived, at(m[3])) })
	}},
	{regexp.MustCompile(`(\S+) sent it to (\S+) at ` + aStep + ` in (.*?), which (arrives at (step \d+)(, and nothing comes of it|, when nobody is up)?|is lost at (step \d+)|is still on its way)`), func(l *ledger, _, _ string, m []string) bool {
		return l.some(m[1], m[2], m[4], func(x *letter) bool {
			switch {
			case x.sent != at(m[3]):
				return false
			case m[6] != "":
				return slices.Contains(x.arrived, at(m[6])) && (m[7] != ", when nobody is up" || slices.Contains(x.unheard, at(m[6]))) && (m[7] != ", and nothing comes of it" || l.idle(at(m[6])))
			case m[8] != "":
				return slices.Contains(x.lost, at(m[8]))
			}
			return true
		})
	}},
	{regexp.MustCompile(`(\S+) (?:had )?sent (\S.*?) to (\S+) at ` + aStep), func(l *ledger, says, _ string, m []string) bool {
		from := m[1]
		if m[2] == "it" {
			return true // another form describes it
		}
		if from == "it" {
			from = word(strings.TrimPrefix(says, "What "))
		}
		return l.some(strings.TrimSuffix(from, ","), m[3], m[2], func(x *letter) bool { return x.sent == at(m[4]) })
	}},
	{regexp.MustCompile(`its (\S.*?) to (\S+), sent at ` + aStep + `, (was lost at (step \d+)|is still on its way|came at (step \d+), when nobody|came at (step \d+), and)`), func(l *ledger, says, _ string, m []string) bool {
		return l.some(word(says), m[2], m[1], func(x *letter) bool {
			switch {
			case x.sent != at(m[3]):
				return false
			case m[5] != "":
				return slices.Contains(x.lost, at(m[5]))
			case m[6] != "":
				return slices.Contains(x.unheard, at(m[6]))
			case m[7] != "":
				return slices.Contains(x.arrived, at(m[7])) && l.run.World.Status(l.idOf(m[2])).Down
			}
			return true
		})
	}},
	{regexp.MustCompile(`(\S+) got its (own )?([^;]+?) at (step \d+) and has not answered[.;]`), func(l *ledger, says, _ string, m []string) bool {
		if !strings.Contains(says, " waits: ") {
			return true
		}
		from, to := word(says), m[1]
		if m[2] != "" {
			to = from
		}
		sent := l.some(from, to, m[3], func(x *letter) bool { return slices.Contains(x.arrived, at(m[4])) })
		return sent && !slices.ContainsFunc(l.letters, func(x *letter) bool {
			return from != to && x.from == to && x.to == from && x.sent >= at(m[4]) && l.run.Records[x.sent-1].Move.Kind != model.Invoke
		})
	}},
	{regexp.MustCompile(`(\S+) got its (\S.*?) at (step \d+)(?:,| and|;)`), func(l *ledger, says, _ string, m []string) bool {
		return !strings.HasSuffix(says, " and had not answered by then.") || l.some("", m[1], m[2], func(x *letter) bool {
			return slices.Contains(x.arrived, at(m[3])) && !slices.ContainsFunc(l.letters, func(y *letter) bool {
				return y.from == x.to && y.to == x.from && at(m[3]) <= y.sent && y.sent < l.broken[x.from] && l.run.Records[y.sent-1].Move.Kind != model.Invoke
			})
		})
	}},
	{regexp.MustCompile(`(\S+) does so on (\S.*) from (\S+), which was sent at ` + aStep), func(l *ledger, _, _ string, m []string) bool {
		return l.some(m[3], m[1], m[2], func(x *letter) bool { return x.sent == at(m[4]) && len(x.arrived) > 0 })
	}},
	{regexp.MustCompile(` at (step (\d+))` + aTime), func(l *ledger, says, before string, m []string) bool {
		if !strings.HasPrefix(says, "These do not go together: ") && !strings.HasPrefix(says, "It breaks when ") {
			return true
		}
		return slices.ContainsFunc(l.run.Records[at(m[1])-1].Observations, func(o model.Observation) bool {
			l.broken[l.name(o.Node)] = l.caused(at(m[1]))
			return strings.HasSuffix(before, l.seen(o))
		})
	}},
	{regexp.MustCompile(` of (\S+?)(?:, which returns [^;]*?)? \((step \d+) to (step \d+)\)`), func(l *ledger, says, _ string, m []string) bool {
		if !strings.HasPrefix(says, "The longest order of operations ") && !strings.Contains(says, " has no place: ") {
			return true
		}
		l.broken[m[1]] = l.caused(at(m[3]))
		return l.run.Records[at(m[2])-1].Move.Kind == model.Invoke && slices.ContainsFunc(l.run.Records[at(m[3])-1].Observations, func(o model.Observation) bool {
			return l.name(o.Node) == m[1] && o.Kind == model.Returned
		})
	}},
	{regexp.MustCompile(`^When (\S+) went on, it had (heard from nobody|got requests like its own alone) since its operation began at (step \d+)`), func(l *ledger, _, _ string, m []string) bool {
		return (m[2] == "heard from nobody") == !slices.ContainsFunc(l.letters, func(x *letter) bool {
			return x.to == m[1] && slices.ContainsFunc(x.arrived, func(step int) bool { return at(m[3]) < step && step <= l.broken[m[1]] })
		})
	}},
	{regexp.MustCompile(`(\S+) (went) from `), func(l *ledger, says, before string, m []string) bool {
		rest := says[len(before):]
		return slices.ContainsFunc(l.named(says), func(step int) bool {
			r := l.run.Records[step-1]
			return slices.ContainsFunc(describe.Diff(r.Before, r.After, l.name), func(c describe.Change) bool {
				return strings.HasPrefix(rest, fmt.Sprintf("%s went from %s to %s", c.Field, cut(c.Before), cut(c.After)))
			})
		}) || strings.HasPrefix(says, "In between")
	}},
	{regexp.MustCompile(`^(\S+) has not (delivered|noted) (.*?)(; the last of that kind.*)?\.$`), func(l *ledger, _, _ string, m []string) bool {
		return !slices.ContainsFunc(l.run.Records, func(r world.Record) bool {
			return slices.ContainsFunc(r.Observations, func(o model.Observation) bool {
				return l.name(o.Node) == m[1] && (o.Kind == model.Delivered) == (m[2] == "delivered") && o.Kind != model.Returned && o.Value != nil && l.value(o.Value) == m[3] && o.Kind != model.Invoked
			})
		})
	}},
	{regexp.MustCompile(`[Tt]he (\S.*?) of (\S+), invoked at (step \d+), has not returned`), func(l *ledger, _, _ string, m []string) bool {
		r := l.run.Records[at(m[3])-1]
		return r.Move.Kind == model.Invoke && l.name(r.Node) == m[2] && l.value(r.Move.Event.Value) == m[1] && !l.ends(m[2], at(m[3]), l.last)
	}},
	{regexp.MustCompile(`(\S+) of (\S+), invoked at (step \d+), had not returned, which arrived`), func(l *ledger, says, before string, m []string) bool {
		r := l.run.Records[at(m[3])-1]
		sent := regexp.MustCompile(`sent at step (\d+), when the $`).FindStringSubmatch(before)
		return r.Move.Kind == model.Invoke && l.name(r.Node) == m[2] && sent != nil && !l.ends(m[2], at(m[3]), at(sent[1]))
	}},
	{regexp.MustCompile(`^(\S+) waits.* no message is on its way to it, and it has set no alarm`), func(l *ledger, _, _ string, m []string) bool {
		return !slices.ContainsFunc(l.run.World.Pending(), func(e *world.Event) bool { return l.name(e.Node) == m[1] && e.Kind != model.Expire })
	}},
	{regexp.MustCompile(`^(\S+) waits, and has asked nobody since (step \d+)`), func(l *ledger, _, _ string, m []string) bool {
		return !slices.ContainsFunc(l.letters, func(x *letter) bool { return x.from == m[1] && x.sent >= at(m[2]) })
	}},
	{regexp.MustCompile(`(\S+) (?:waits )?for (\S+?)(?:,| and |\.$)`), func(l *ledger, says, _ string, m []string) bool {
		if !strings.HasPrefix(says, "They wait in a circle: ") {
			return true
		}
		waits, on := l.run.World.Status(l.idOf(m[1])), l.run.World.Status(l.idOf(m[2]))
		return waits.Runs && on.Runs && slices.ContainsFunc(l.letters, func(x *letter) bool {
			return x.from == m[1] && len(x.arrived) > len(x.unheard) && !l.run.World.Status(l.idOf(x.to)).Down
		})
	}},
	{regexp.MustCompile(`^No message of another has come to (\S+)\.$`), func(l *ledger, _, _ string, m []string) bool {
		return !slices.ContainsFunc(l.letters, func(x *letter) bool {
			return x.to == m[1] && x.from != m[1] && slices.ContainsFunc(x.arrived, func(step int) bool { return !slices.Contains(x.unheard, step) })
		})
	}},
	{regexp.MustCompile(`^(\S+) has sent (\S+) nothing(?: since (step \d+))?, though`), func(l *ledger, _, _ string, m []string) bool {
		return !slices.ContainsFunc(l.letters, func(x *letter) bool { return x.from == m[1] && x.to == m[2] && x.sent > at(m[3]) && !x.forged })
	}},
	{regexp.MustCompile(`(step \d+)` + aTime + ` \(([^()]*: .*?)\)`), func(l *ledger, says, before string, m []string) bool {
		rest := says[len(before):]
		rest = rest[strings.Index(rest, m[2]):]
		return strings.HasPrefix(rest, "to come") || strings.HasPrefix(rest, l.lines[at(m[1])])
	}},
	{regexp.MustCompile(`(step \d+)` + aTime + `(?: \([^;]*\))?(?:: |, and )nothing (?:came of it|comes of it)`), func(l *ledger, _, _ string, m []string) bool { return l.idle(at(m[1])) }},
	{regexp.MustCompile(`got (?:its|its own) .*? at (step \d+), of which nothing came`), func(l *ledger, _, _ string, m []string) bool { return l.idle(at(m[1])) }},
	{regexp.MustCompile(`^(\S+) called off its alarm (.*), set at (step \d+|the start), at (step \d+)`), func(l *ledger, _, _ string, m []string) bool {
		return slices.ContainsFunc(l.run.Records[at(m[4])-1].Gone, func(e *world.Event) bool {
			return e.Kind == model.Timeout && l.name(e.Node) == m[1] && l.value(e.Value) == m[2] && e.BornStep == at(m[3])
		})
	}},
	{regexp.MustCompile(`^(\S+) noted (.*) at (step \d+), and sent nothing then`), func(l *ledger, _, _ string, m []string) bool {
		return !slices.ContainsFunc(l.letters, func(x *letter) bool { return x.from == m[1] && x.sent == at(m[3]) })
	}},
}

// told returns the clauses of a sentence that are false for the run.
func (l *ledger) told(says string) (wrong []string) {
	for _, f := range forms {
		for _, at := range f.words.FindAllStringSubmatchIndex(says, -1) {
			var groups []string
			for i := 0; i < len(at); i += 2 {
				if at[i] < 0 {
					groups = append(groups, "")
				} else {
					groups = append(groups, says[at[i]:at[i+1]])
				}
			}
			if strings.Contains(groups[0], "(to come)") {
				continue
			}
			if !f.holds(l, says, says[:at[0]], groups) {
				wrong = append(wrong, groups[0])
			}
		}
	}
	return wrong
}

func word(text string) string { first, _, _ := strings.Cut(text, " "); return first }

// named returns the steps that a sentence names, except the start.
func (l *ledger) named(says string) (all []int) {
	for _, m := range steps.FindAllStringSubmatch(says, -1) {
		if n := at(m[1]); n > 0 && n <= l.last {
			all = append(all, n)
		}
	}
	return all
}

// caused returns the step whose handler caused another step. For an observation of the application it is the
// step of the Return.
func (l *ledger) caused(step int) int {
	if r := l.run.Records[step-1]; r.Move.Kind == model.Return {
		return r.Move.Event.BornStep
	}
	return step
}

// idle reports whether a step had no visible effect.
func (l *ledger) idle(step int) bool {
	for _, later := range l.run.Records[step:] {
		if e := later.Move.Event; later.Move.Kind == model.Return && e.BornStep == step {
			return false
		}
	}
	r := l.run.Records[step-1]
	return len(r.Sent)+len(r.Observations)+len(r.Armed) == 0 && len(describe.Diff(r.Before, r.After, l.name)) == 0
}

// ends reports whether the operation of a node ended after a step and by another.
func (l *ledger) ends(name string, from, by int) bool {
	for step := from + 1; step <= by; step++ {
		for _, o := range l.run.Records[step-1].Observations {
			if l.name(o.Node) == name && (o.Kind == model.Returned || o.Kind == model.Crashed) {
				return true
			}
		}
	}
	return false
}

// seen returns the text of an observation.
func (l *ledger) seen(o model.Observation) string {
	who := l.name(o.Node)
	switch o.Kind {
	case model.Returned:
		script := l.run.World.System.Nodes[o.Node].Script
		switch {
		case o.Op < 0 || o.Op >= len(script):
			return who + " returns"
		case script[o.Op].Release != nil:
			return who + " enters the section"
		case o.Value == nil:
			return "the " + l.value(script[o.Op].Call) + " of " + who + " returns"
		}
		return "the " + l.value(script[o.Op].Call) + " of " + who + " returns " + l.value(o.Value)
	case model.Released:
		return who + " leaves the section"
	case model.Crashed:
		return who + " crashes"
	case model.Recovered:
		return who + " is back"
	}
	verb := map[model.ObservationKind]string{model.Invoked: "invokes", model.Noted: "notes", model.Delivered: "delivers", model.Sent: "sends"}[o.Kind]
	return who + " " + verb + " " + l.value(o.Value)
}
