package group

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
)

// A clock is a Watch whose alarms ring when time passes.
type clock struct {
	now      model.Ticks
	alarms   map[any]model.Ticks
	holds    map[any]model.Ticks
	violated string
}

func (c *clock) After(key any, w model.Window)      { c.alarms[key] = c.now + w.Hi.At }
func (c *clock) Cancel(key any)                     { delete(c.alarms, key) }
func (c *clock) Hold(key any, d model.Bound)        { c.holds[key] = c.now + d.At }
func (c *clock) Held(key any) bool                  { until, is := c.holds[key]; return is && c.now <= until }
func (c *clock) Violate(format string, args ...any) { c.violated = fmt.Sprintf(format, args...) }
func (c *clock) Witness()                           {}
func (c *clock) Measure(int)                        {}

func (c *clock) pass(to model.Ticks, m model.Monitor) {
	c.now = to
	for key, at := range maps.Clone(c.alarms) {
		if at <= to {
			delete(c.alarms, key)
			m.(model.Expirer).Expire(c, key)
		}
	}
}

// verdict returns the judgement of a claim about a history of two nodes, or of three if it names n2. Each line of the history is a time,
// a node, and an observation. The history ends at time 60,000.
func verdict(t *testing.T, claim, history string) string {
	t.Helper()
	n := 2
	if strings.Contains(history, "n2 ") {
		n = 3
	}
	var m model.Monitor
	for _, c := range claimed {
		if c.Name == claim {
			m = c.Monitor(&model.System{Config: model.Config{N: n}})
		}
	}
	c := &clock{alarms: map[any]model.Ticks{}, holds: map[any]model.Ticks{}}
	for line := range strings.SplitSeq(history, ";") {
		var at model.Ticks
		var node int
		var kind string
		_, err := fmt.Sscanf(strings.TrimSpace(line), "%d n%d %s", &at, &node, &kind)
		assert.NoError(t, err, line)
		_, text, _ := strings.Cut(line, " "+kind)
		o := model.Observation{Node: model.NodeID(node), Value: strings.TrimSpace(text)}
		switch kind {
		case "calls":
			o.Kind = model.Invoked
		case "returns":
			o.Kind = model.Returned
		case "notes":
			o.Kind = model.Noted
		case "crashes":
			o.Kind = model.Crashed
		case "recovers":
			o.Kind = model.Recovered
		}
		c.pass(at, m)
		m.Observe(c, o)
	}
	c.pass(60_000, m)
	return c.violated
}

// Each claim is broken by one history, and not by another that differs in a point.
func TestClaims(t *testing.T) {
	const meet = "0 n0 notes lists n0 alive 1; 0 n1 notes lists n1 alive 1; 10 n0 notes lists n1 alive 1; 10 n1 notes lists n0 alive 1;"
	for _, c := range []struct{ claim, holds, breaks, how string }{
		{listed, "0 n0 calls join n1; 5 n0 returns joined; 5 n0 notes lists n1 alive 1; 5 n1 notes lists n0 alive 1", "0 n0 calls join n1; 5 n0 returns joined; 5 n0 notes lists n1 alive 1; 7 n1 notes lists n0 alive 1",
			"n0 has joined n1, but n1 lists n0 as unknown"},
		{welcome, meet + "20 n1 calls kill; 30 n0 notes lists n1 dead 1; 40 n1 calls return n0; 50 n1 returns joined; 649 n0 notes lists n1 alive 2",
			meet + "20 n1 calls kill; 30 n0 notes lists n1 dead 1; 40 n1 calls return n0; 50 n1 returns joined; 651 n0 notes lists n1 alive 2",
			"for 600 ms n0 has been listing n1 as dead, which has joined it"},
		{welcome, meet + "40 n1 calls join n0; 50 n1 returns joined; 60 n1 crashes; 70 n1 recovers; 80 n0 notes lists n1 dead 1",
			meet + "40 n1 calls join n0; 50 n1 returns joined; 80 n0 notes lists n1 dead 1", "for 600 ms n0 has been listing n1 as dead, which has joined it"},
		{welcome, meet + "20 n1 calls join n0; 30 n0 crashes; 40 n1 returns joined; 50 n0 recovers; 60 n0 notes lists n0 alive 1",
			meet + "20 n0 crashes; 25 n0 recovers; 30 n0 notes lists n0 alive 1; 35 n1 calls join n0; 40 n1 returns joined",
			"for 600 ms n0 has been listing n1 as unknown, which has joined it"},
		{met, "0 n0 calls x;" + meet + "20 n0 notes lists n1 suspect 1", "0 n0 calls x;" + meet + "20 n0 notes lists n1 dead 1", "for 8000 ms n0 has been listing n1 as dead, which is up as well"},
		{met, meet + "20 n1 calls cut; 21 n1 returns cut; 22 n0 notes lists n1 dead 1", meet + "20 n1 calls cut; 21 n1 returns cut; 22 n0 notes lists n1 dead 1; 30 n1 calls mend; 31 n1 returns mend",
			"for 8000 ms n0 has been listing n1 as dead, which is up as well"},
		{found, meet + "20 n1 crashes; 7000 n0 notes lists n1 dead 1", meet + "20 n1 crashes; 7000 n0 notes lists n1 suspect 1", "for 7500 ms n0 has been listing n1 as suspect, which has crashed"},
		{living, meet + "20 n1 crashes; 30 n1 recovers; 8030 n0 notes lists n1 dead 1", meet + "20 n1 crashes; 30 n1 recovers; 8031 n0 notes lists n1 dead 1", "n0 takes n1 for dead, which is up"},
		{departed, meet + "20 n1 calls leave; 30 n1 returns left; 40 n0 notes lists n1 left 1", meet + "20 n1 calls leave; 30 n1 returns left; 40 n0 notes lists n1 dead 1",
			"for 4000 ms n0 has been listing n1 as dead, which has left"},
		{living, meet + "20 n1 calls cut; 520 n1 calls mend; 520 n1 returns mend; 530 n0 notes lists n1 suspect 1", meet + "20 n1 calls cut; 520 n1 calls mend; 520 n1 returns mend; 530 n0 notes lists n1 dead 1",
			"n0 takes n1 for dead, which is up"},
		{living, meet + "20 n1 calls cut; 521 n1 calls mend; 521 n0 notes lists n1 alive 1; 521 n1 returns mend; 530 n0 notes lists n1 dead 1", meet + "20 n1 calls cut; 521 n1 calls mend; 521 n1 returns mend; 8522 n0 notes lists n1 dead 1",
			"n0 takes n1 for dead, which is up"},
		{living, "20 n2 calls cut; 521 n2 calls mend; 521 n1 notes lists n0 dead 1; 521 n2 returns mend", "20 n2 calls cut; 520 n2 calls mend; 520 n1 notes lists n0 dead 1; 520 n2 returns mend",
			"n1 takes n0 for dead, which is up"},
		{leaving, meet + "20 n1 calls leave; 30 n0 notes lists n1 left 1", meet + "20 n1 calls leave; 30 n0 notes lists n1 dead 1", "n0 takes n1 for dead, which leaves"},
		{heard, meet + "20 n1 calls update x; 619 n0 notes lists n1 alive 2 x", meet + "20 n1 calls update x; 621 n0 notes lists n1 alive 2 x",
			"for 600 ms n0 has been listing n1 as alive, which has told something else since"},
		{waited, meet + "20 n0 notes lists n1 suspect 1; 1421 n0 notes lists n1 dead 1; 1430 n1 notes lists n1 dead 1",
			meet + "20 n0 notes lists n1 suspect 1; 1420 n0 notes lists n1 dead 1", "n0 declares n1 dead, which it has suspected for at most 1400 ms"},
		{waited, meet + "20 n0 notes lists n1 suspect 1; 30 n0 notes lists n1 alive 2; 40 n0 notes lists n1 suspect 2; 1441 n0 notes lists n1 dead 2",
			meet + "20 n0 notes lists n1 dead 1", "n0 declares n1 dead, which it does not suspect"},
		{one, meet + "20 n1 notes lists n1 alive 2 x; 30 n0 notes lists n1 alive 2 x", meet + "20 n1 notes lists n1 alive 2 x; 30 n0 notes lists n1 alive 2",
			`n0 has n1 in incarnation 2, which tells "", and told "x" in the same`},
		{told, meet + "20 n1 calls update x; 21 n1 returns updated; 6000 n0 notes lists n1 alive 2 x", meet + "20 n1 calls update x; 21 n1 returns updated; 6000 n0 notes lists n1 alive 2",
			"for 6000 ms n0 has been listing n1 as alive, which has told something else since"},
		{tellable, "0 n0 crashes; 1 n1 calls leave; 30 n1 returns failed", "1 n1 calls leave; 30 n1 returns failed", `n1 calls "leave", which fails`},
		{forgotten, meet + "20 n1 crashes; 30 n0 notes lists n1 dead 1; 6500 n0 notes lists n1 unknown", meet + "20 n1 crashes; 30 n0 notes lists n1 dead 1", "for 6500 ms n0 has been listing n1 as dead, which is gone"},
		{grow, meet + "20 n0 notes lists n1 unknown; 30 n0 notes lists n1 alive 0", meet + "20 n0 notes lists n1 alive 0", "n0 had n1 as alive in incarnation 1, and has it as alive in 0"},
		{raised, meet + "20 n0 notes lists n1 dead 1; 30 n0 notes lists n1 alive 2", meet + "20 n0 notes lists n1 dead 1; 30 n0 notes lists n1 alive 1", "n0 had n1 as dead in incarnation 1, and has it as alive in 1"},
		{made, meet + "20 n1 notes lists n1 alive 2; 30 n0 notes lists n1 alive 2", meet + "30 n0 notes lists n1 alive 2", "n0 has n1 in incarnation 2, which was in 1 at most"},
	} {
		assert.Empty(t, verdict(t, c.claim, c.holds), "%s: %s", c.claim, c.holds)
		assert.Equal(t, c.how, verdict(t, c.claim, c.breaks), "%s: %s", c.claim, c.breaks)
	}
}
