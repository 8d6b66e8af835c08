package foreign_test

import (
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
	"contend/model/foreign"
)

// A teller gets three words in any order, and answers each. Do is a further action.
type teller struct {
	said   map[string]bool
	inner  struct{ last string }
	drawn  int64
	at     time.Time
	events chan string
	timer  *time.Timer
	note   func() int
	heard  map[string]hearing
	log    []string
	do     func(t *teller, env model.Env, word string)
}

func (t *teller) Receive(env model.Env, from model.NodeID, m any) {
	t.said[m.(string)] = true
	t.do(t, env, m.(string))
	t.inner.last = m.(string)
}

type hearing struct{ last string }

// A speaker sends a word to the teller.
type speaker struct{ word string }

func (s *speaker) Start(env model.Env)                  { env.Send(0, s.word) }
func (s *speaker) Receive(model.Env, model.NodeID, any) {}

// told searches a system of a teller with an action and three speakers.
func told(lib *foreign.Library[*teller, struct{}]) (*checker.Row, error) {
	p := &model.Protocol{Name: "telling", Title: "it is told", Build: func(c model.Config) (*model.System, error) {
		s := &model.System{Config: c, Network: model.Network{Delay: model.Anytime()}, Types: []any{""},
			Nodes: []model.NodeSpec{{Name: "teller", Role: model.Server, New: lib.Node}}}
		for _, word := range []string{"a", "b", "c"} {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: "says " + word, Role: model.Server, New: func() model.Node { return &speaker{word} }})
		}
		return s, nil
	}, Claims: []model.Claim{{Name: "nothing", Kind: model.Always, Invariant: func([]model.Node) error { return nil }}}}
	rows, err := checker.Check(p, model.Check{}, checker.Options{})
	if err != nil {
		return nil, err
	}
	return rows[0], nil
}

func telling(do func(t *teller, env model.Env, word string)) *foreign.Library[*teller, struct{}] {
	return &foreign.Library[*teller, struct{}]{
		New:  func() *teller { return &teller{said: map[string]bool{}, do: do} },
		Omit: []string{"inner.last"},
	}
}

var tick atomic.Int64

// A reaction that is not a function of the state is detected, and its cause is named.
func TestHonest(t *testing.T) {
	forever := make(chan string)
	defer close(forever)
	for name, c := range map[string]struct {
		do   func(t *teller, env model.Env, word string)
		edit func(*foreign.Library[*teller, struct{}])
		says string
	}{
		"what is left out makes a difference to an answer": {
			do: func(t *teller, env model.Env, _ string) { env.Send(1, t.inner.last) },
			says: `two objects in one state react to Receive on "c" differently: they differ in what it does. ` +
				`The field inner.last ("b" and "a"), which Omit leaves out, makes the difference`,
		},
		"what is left out makes a difference to the state": {
			do: func(t *teller, _ model.Env, word string) {
				if word == "c" {
					t.said[t.inner.last] = t.inner.last == "a"
				}
			},
			says: `they differ in the state that follows, by said["b"] (false and true). The field inner.last (`,
		},
		"what is left out makes it fail": {
			do: func(t *teller, _ model.Env, word string) {
				if word == "c" && t.inner.last == "b" {
					panic("it is b")
				}
			},
			says: `they differ in whether it fails. The field inner.last (`,
		},
		"what is left out makes it ask": {
			do: func(t *teller, env model.Env, word string) {
				if word == "c" && t.inner.last == "b" {
					env.Choose(2)
				}
			},
			says: `they differ in what it asks Env. The field inner.last (`,
		},
		"what is left out makes a difference to a window": {
			do: func(t *teller, env model.Env, _ string) {
				window := map[string]model.Ticks{"b": 1}
				env.After("later", model.By(window[t.inner.last]))
			},
			says: `they differ in what it does. The field inner.last (`,
		},
		"a snapshot leaves it out": {
			do: func(t *teller, env model.Env, _ string) { env.Send(1, t.inner.last) },
			edit: func(l *foreign.Library[*teller, struct{}]) {
				l.Omit = nil
				l.Snapshot = func(t *teller) []byte { return []byte{byte(len(t.said))} }
			},
			says: `, which Snapshot leaves out, makes the difference`,
		},
		"what is left out of an element of a map makes a difference": {
			do: func(t *teller, env model.Env, word string) {
				env.Send(1, t.heard["x"].last)
				t.heard = map[string]hearing{"x": {word}}
			},
			edit: func(l *foreign.Library[*teller, struct{}]) { l.Omit = append(l.Omit, "heard[].last") },
			says: `.last ("b" and "a"), which Omit leaves out, makes the difference`,
		},
		"a capacity": {
			do: func(t *teller, env model.Env, word string) {
				if len(t.said) == 1 {
					t.log = make([]string, 0, int(word[0]-'a'))
				}
				one := append(t.log, "a")
				_ = append(t.log, "b")
				env.Send(1, one[0])
			},
			says: `The capacity of log (`,
		},
		"a capacity, of what is changed in place": {
			do: func(t *teller, env model.Env, word string) {
				if len(t.said) == 1 {
					t.log = make([]string, 1, 1+int(word[0]-'a'))
				}
				one := append(t.log, "a")
				_ = append(t.log, "b")
				env.Send(1, t.log[0]+one[1])
				t.log[0] += "x"
			},
			says: `The capacity of log (`,
		},
		"random numbers in a field": {
			do:   func(t *teller, _ model.Env, _ string) { t.drawn = rand.Int64() },
			says: `they differ in the state that follows. The same history, run twice, gave drawn (`,
		},
		"a clock in a field": {
			do:   func(t *teller, _ model.Env, _ string) { t.drawn = time.Now().UnixNano() },
			says: `The same history, run twice, gave drawn (`,
		},
		"random numbers in a message": {
			do: func(_ *teller, env model.Env, _ string) {
				if rand.IntN(2) == 0 {
					env.Send(1, "a")
				}
			},
			says: `No field explains it: the reaction depends on something outside the object`,
		},
		"a package variable": {
			do:   func(_ *teller, env model.Env, _ string) { env.Send(1, string('a'+rune(tick.Add(1)%7))) },
			says: `No field explains it`,
		},
		"a closure": {
			do: func(t *teller, env model.Env, word string) {
				if t.note == nil {
					t.note = func() int { return int(word[0]) }
				}
				env.Send(model.NodeID(t.note()-'a')+1, "x")
			},
			says: `Fields that Omit leaves out differ too and may be the cause, or a variable that a closure has captured: inner.last`,
		},
		"time": {
			do:   func(t *teller, _ model.Env, _ string) { t.at = time.Now() },
			says: `at is a time.Time: a search has no clock`,
		},
		"a channel": {
			do:   func(t *teller, _ model.Env, _ string) { t.events = forever },
			says: `events is a channel (chan string): a search cannot control the goroutines that use it`,
		},
		"a timer": {
			do:   func(t *teller, _ model.Env, _ string) { t.timer = time.NewTimer(time.Hour) },
			says: `timer is a time.Timer: a search has no clock`,
		},
		"a goroutine": {
			do:   func(*teller, model.Env, string) { go func() { <-forever }() },
			says: `Receive leaves a goroutine behind (foreign/compare_test.go:`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			lib := telling(c.do)
			if c.edit != nil {
				c.edit(lib)
			}
			_, err := told(lib)
			require.Error(t, err)
			assert.Contains(t, err.Error(), c.says)
		})
	}
}

// An object may change omitted fields in any way, if that makes no difference.
func TestHonestObjectPasses(t *testing.T) {
	row, err := told(telling(func(t *teller, env model.Env, word string) { env.Send(1, word) }))
	require.NoError(t, err)
	assert.EqualValues(t, "holds", row.Verdict)
	require.NotNil(t, row.Merged, "it says how that was put to the test")
	assert.EqualValues(t, 1000, row.Merged.Schedules)
	assert.EqualValues(t, 6000, row.Merged.Steps, "each word, and each answer")
	assert.Equal(t, 8, row.Merged.States, "of three words")
	assert.Equal(t, 3, row.Merged.Histories, "the other order of two words")
	assert.Equal(t, 3, row.Merged.Reactions, "to the third")
	assert.Zero(t, row.Merged.Left)
	assert.Contains(t, row.Notes, row.Merged.String())
}
