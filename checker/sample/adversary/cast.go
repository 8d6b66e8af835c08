package adversary

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"contend/model"
)

// A Cast has the possible adversaries of a system. Concurrent schedules share it.
type Cast struct {
	system     *model.System
	byzantine  []model.NodeID
	behaviours []Kind
	// worst lists the attitudes from which a schedule draws: true is worst, false is swarm. The first is the
	// default. The last restricts a schedule least.
	worst  []bool
	shapes sync.Map // by message key
	lock   sync.Mutex
	twins  map[model.NodeID]*states
}

// A Kind is a behaviour or an attitude.
type Kind struct {
	Name string
	// Does is a sentence about its effect.
	Does string
	// draw returns the behaviour of a node in one schedule. It is nil for an attitude.
	draw func(c Choices, a *Adversary, id model.NodeID) behaviour
	// attends reports whether the behaviour needs the messages of other nodes.
	attends bool
}

// Kinds returns all adversaries.
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
		{Name: collude, Does: "the Byzantine nodes tell one half of the receivers one story and the others another", draw: drawCollusion, attends: true},
		{Name: worstMoment, Does: "a fault strikes right after a step at which protocols are vulnerable, and where it happened"},
	}
}

// general is the name of the behaviour that allows everything.
const general = "arbitrary"

// collude is the name of the behaviour that all Byzantine nodes of a schedule share.
const collude = "collusion"

// worstMoment is the name of the only attitude that users can select.
const worstMoment = "worst-moment"

// NewCast returns a cast of all adversaries for a system.
func NewCast(s *model.System) *Cast {
	k := &Cast{system: s, worst: []bool{false, true, true, false}, twins: map[model.NodeID]*states{}}
	k.byzantine = s.IDs(func(n model.NodeSpec) bool { return n.Byzantine })
	k.behaviours = slices.DeleteFunc(Kinds(), func(kind Kind) bool { return kind.draw == nil })
	return k
}

// Only restricts the cast to the named adversaries. If no behaviour is named, all behaviours remain.
func (k *Cast) Only(names []string) {
	named := slices.DeleteFunc(slices.Clone(k.behaviours), func(kind Kind) bool { return !slices.Contains(names, kind.Name) })
	if len(named) > 0 {
		k.behaviours = named
	}
	if len(names) > 0 {
		k.worst = []bool{slices.Contains(names, worstMoment)}
	}
}

// Known returns an error with the first unknown name, or nil.
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

// drawAttitude draws the attitude of a schedule.
func (k *Cast) drawAttitude(c Choices) attitude {
	if k.system.Faults != (model.Faults{}) && choose(c, k.worst) {
		return drawWorst(k.system, c)
	}
	return drawSwarm(k.system, c)
}

// talk lists the possible weights of a forged message in each step, of [certain].
var talk = [...]int{4, 8, 20, 40}

// drawFirst draws a behaviour, as an index. Half of the schedules have the most general behaviour: it finds most
// bugs soonest.
func (k *Cast) drawFirst(c Choices) int {
	anything := slices.IndexFunc(k.behaviours, func(kind Kind) bool { return kind.Name == general })
	if anything >= 0 && c.Choose(2) == 1 {
		return anything
	}
	return c.Choose(len(k.behaviours))
}

// drawLiars draws the behaviours of each Byzantine node, and the weight of forged messages. If one node
// colludes, all collude.
func (a *Adversary) drawLiars(c Choices) {
	all := a.cast.behaviours
	firsts := make([]int, len(a.cast.byzantine))
	for i := range firsts {
		firsts[i] = a.cast.drawFirst(c)
	}
	plot := slices.IndexFunc(firsts, func(index int) bool { return all[index].Name == collude })
	for i, id := range a.cast.byzantine {
		l := &liar{id: id}
		if plot >= 0 {
			firsts[i] = firsts[plot]
		}
		a.addBehaviour(c, l, firsts[i])
		if all[firsts[i]].Name != general {
			if second := c.Choose(2 * len(all)); second < len(all) && second != firsts[i] && all[second].Name != collude {
				a.addBehaviour(c, l, second)
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

func (a *Adversary) addBehaviour(c Choices, l *liar, index int) {
	kind := a.cast.behaviours[index]
	l.behaviours = append(l.behaviours, kind.draw(c, a, l.id))
	a.traffic.needed = a.traffic.needed || kind.attends
}
