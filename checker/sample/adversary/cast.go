package adversary

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"contend/model"
)

// A Cast knows the adversaries of a system. All schedules share it, side by side.
type Cast struct {
	system     *model.System
	byzantine  []model.NodeID
	behaviours []Kind
	// worst are the attitudes: whether faults strike at the worst moment. The first, which is the default, and the
	// last, which leaves the most open, are not.
	worst  []bool
	shapes sync.Map // of messages, by key
	lock   sync.Mutex
	twins  map[model.NodeID]*twinned
}

// A Kind of adversary.
type Kind struct {
	Name string
	// Does says in a sentence what it does.
	Does string
	// draw makes the behaviour of a node in a schedule; nil for an attitude of the faults.
	draw func(c Choices, a *Adversary, id model.NodeID) behaviour
	// attends says that the behaviour looks at the messages that are sent.
	attends bool
}

// Kinds lists the adversaries.
func Kinds() []Kind {
	return []Kind{
		{Name: "silence", Does: "a Byzantine node never speaks, or not to some", draw: drawSilence},
		{Name: "prompt", Does: "it tells everybody the same, at once, and so looks honest", draw: drawPrompt},
		{Name: "delay", Does: "it speaks as late as it can", draw: drawDelay},
		{Name: "equivocation", Does: "it tells each receiver something else, and keeps to it", draw: drawEquivocation},
		{Name: general, Does: "it says anything at any time", draw: drawArbitrary},
		{Name: "replay", Does: "it says what was said before", draw: drawReplay, attends: true},
		{Name: "mutation", Does: "it says what an honest node would, with one field changed", draw: drawMutation, attends: true},
		{Name: "twins", Does: "two honest nodes have its identity, each with receivers of its own", draw: drawTwins, attends: true},
		{Name: "inflation", Does: "it names the largest number it can in one field, such as a rank", draw: drawInflation},
		{Name: together, Does: "the Byzantine nodes tell one half of the receivers one story and the others another", draw: drawCollusion, attends: true},
		{Name: worstMoment, Does: "a fault strikes right after a step at which protocols are vulnerable, and where it happened"},
	}
}

// general is the behaviour of the most general adversary.
const general = "arbitrary"

// together is the behaviour that all Byzantine nodes of a schedule have where one has it.
const together = "collusion"

// worstMoment is the name of the attitude that is no behaviour of Byzantine nodes.
const worstMoment = "worst-moment"

// NewCast knows a system, with all adversaries.
func NewCast(s *model.System) *Cast {
	k := &Cast{system: s, worst: []bool{false, true, true, false}, twins: map[model.NodeID]*twinned{}}
	k.byzantine = s.IDs(func(n model.NodeSpec) bool { return n.Byzantine })
	k.behaviours = slices.DeleteFunc(Kinds(), func(kind Kind) bool { return kind.draw == nil })
	return k
}

// Only leaves the adversaries that are named; all behaviours of Byzantine nodes, if none of them is named.
func (k *Cast) Only(names []string) {
	named := slices.DeleteFunc(slices.Clone(k.behaviours), func(kind Kind) bool { return !slices.Contains(names, kind.Name) })
	if len(named) > 0 {
		k.behaviours = named
	}
	if len(names) > 0 {
		k.worst = []bool{slices.Contains(names, worstMoment)}
	}
}

// Known says in a sentence which name is no adversary's, or nil.
func Known(names []string) error {
	var all []string
	for _, kind := range Kinds() {
		all = append(all, kind.Name)
	}
	for _, name := range names {
		if !slices.Contains(all, name) {
			return fmt.Errorf("adversary is %q, but must be one of %s", name, strings.Join(all, ", "))
		}
	}
	return nil
}

// drawAttitude draws how faults strike, where any may.
func (k *Cast) drawAttitude(c Choices) attitude {
	if k.system.Faults != (model.Faults{}) && choose(c, k.worst) {
		return drawWorst(k.system, c)
	}
	return drawSwarm(k.system, c)
}

// talk are the weights of a lie in each step, of [certain].
var talk = [...]int{4, 8, 20, 40}

// first draws the behaviour of a node, by its place: in half of the schedules the most general one, which narrows
// nothing, and finds most bugs soonest.
func (k *Cast) first(c Choices) int {
	anything := slices.IndexFunc(k.behaviours, func(kind Kind) bool { return kind.Name == general })
	if anything >= 0 && c.Choose(2) == 1 {
		return anything
	}
	return c.Choose(len(k.behaviours))
}

// drawLiars draws how each Byzantine node behaves, and how often they speak. Where one colludes, all do.
func (a *Adversary) drawLiars(c Choices) {
	all := a.cast.behaviours
	firsts := make([]int, len(a.cast.byzantine))
	for i := range firsts {
		firsts[i] = a.cast.first(c)
	}
	plot := slices.IndexFunc(firsts, func(is int) bool { return all[is].Name == together })
	for i, id := range a.cast.byzantine {
		l := &liar{id: id}
		if plot >= 0 {
			firsts[i] = firsts[plot]
		}
		a.behave(c, l, firsts[i])
		if all[firsts[i]].Name != general {
			if second := c.Choose(2 * len(all)); second < len(all) && second != firsts[i] && all[second].Name != together {
				a.behave(c, l, second)
			}
		}
		if !slices.ContainsFunc(l.behaviours, mute) {
			a.liars = append(a.liars, l)
		}
	}
	if len(a.liars) > 0 {
		a.lies = choose(c, talk[:])
	}
}

func (a *Adversary) behave(c Choices, l *liar, is int) {
	kind := a.cast.behaviours[is]
	l.behaviours = append(l.behaviours, kind.draw(c, a, l.id))
	a.traffic.wanted = a.traffic.wanted || kind.attends
}
