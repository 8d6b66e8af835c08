package predicate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/explore/predicate"
	"contend/model"
)

// mood is a word of its own.
type mood int

func (m mood) String() string { return [...]string{"CALM", "BUSY"}[m] }

type (
	request struct {
		From model.NodeID
		Time int
	}
	inner struct{ Inside bool }
	lock  struct {
		inner  // configuration: it is not exported
		Held   model.Optional[model.NodeID]
		Queue  []request
		Mood   mood
		Seen   map[model.NodeID]uint8
		Words  map[string]bool
		Nested []struct{ Deep [2]int }
		Any    any
	}
	User struct {
		Waiting bool
		Tries   uint16
	}
	user struct{ User }
)

func (*lock) Receive(model.Env, model.NodeID, any) {}
func (*user) Invoke(model.Env, any)                {}

var system = &model.System{Nodes: []model.NodeSpec{
	{Name: "s1", Role: model.Server, New: func() model.Node { return &lock{} }},
	{Name: "s-2", Role: model.Server, New: func() model.Node { return &lock{} }},
	{Name: "c1", New: func() model.Node { return &user{} }},
	{Name: "liar", Role: model.Server, Byzantine: true},
}}

// nodes are states: s-2 is down.
var nodes = []model.Node{
	&lock{Held: model.Some(model.NodeID(2)), Queue: []request{{2, 7}, {0, 9}}, Mood: 1, Seen: map[model.NodeID]uint8{2: 3}, Words: map[string]bool{`a"b`: true},
		Nested: []struct{ Deep [2]int }{{[2]int{4, 5}}}, Any: request{0, 1}},
	nil, &user{User{Waiting: true, Tries: 3}}, nil,
}

func TestHolds(t *testing.T) {
	for text, want := range map[string]bool{
		`c1.Waiting`: true,
		`c1.User.Waiting && c1.User.Tries == c1.Tries`:   true,
		`c1.Waiting && c1.Tries > 3`:                     false,
		"c1.Waiting &&\n c1.Tries == 3":                  true,
		`s1.Held == "c1"`:                                true,
		`s1.Mood == "BUSY"`:                              true,
		`len(s1.Queue) >= 2 && s1.Queue[1].Time == 9`:    true,
		`s1.Queue[0].From == "c1"`:                       true,
		`s1.Seen["c1"] == 3 && s1.Seen.c1 == 3`:          true,
		`"s1" in s1.Seen`:                                false,
		`s1.Words['a"b']`:                                true,
		`s1.Nested[0].Deep[1] == 5`:                      true,
		`s1.Any.Time == 1`:                               true,
		`node["s-2"] == nil && liar == nil`:              true,
		`any(servers, .Held == "c1")`:                    true,
		`all(servers, .name == "s1") && len(nodes) == 2`: true,
		`count(clients, .Waiting) == 1 && peers == []`:   true,
		`none(peers, .Whatever)`:                         true,
	} {
		p, err := predicate.Parse(system, text)
		require.NoError(t, err, text)
		is, err := p.Holds(nodes)
		require.NoError(t, err, text)
		assert.Equal(t, want, is, text)
	}
}

// Nodes in the same state are told apart by what they are, however often they were looked at, and what was
// seen of a state is seen of no other.
func TestSeenAgain(t *testing.T) {
	p, err := predicate.Parse(system, `filter(servers, .Mood == "BUSY")[0].name == "s-2" && s1.Held == nil`)
	require.NoError(t, err)
	free, busy := &lock{}, &lock{Mood: 1}
	for range 2 {
		for nodes, want := range map[[2]model.Node]bool{{free, busy}: true, {busy, free}: false, {busy, busy}: false} {
			is, err := p.Holds([]model.Node{nodes[0], nodes[1], &user{}, nil})
			require.NoError(t, err)
			assert.Equal(t, want, is, nodes)
		}
	}
}

// What is wrong with a text is said with its place; nothing that is misspelt is merely never found.
func TestBadTexts(t *testing.T) {
	for text, want := range map[string]string{
		``:                              "the predicate is empty",
		` `:                             "the predicate is empty",
		`c1.Waiting &&`:                 "the predicate is wrong at column 13: unexpected token EOF",
		`c1.Waitng`:                     "the predicate is wrong at column 4: unknown field Waitng",
		`c2.Waiting`:                    "the predicate is wrong at column 1: unknown name c2",
		`any(servers, .Holds == "c1")`:  "the predicate is wrong at column 15: unknown field Holds",
		`s1.Queue[0].Form == "c1"`:      "the predicate is wrong at column 13: unknown field Form",
		`c1.Tries`:                      "the predicate is wrong: expected bool, but got int",
		`c1.Tries == "three"`:           "the predicate is wrong at column 10: invalid operation: == (mismatched types int and string)",
		`now() == now()`:                "the predicate is wrong at column 1: unknown name now",
		`c1.Invoke(nil, nil)`:           "unknown field Invoke",
		string(make([]byte, 3000)) + "": "the predicate has 3000 bytes, but at most 2000 are allowed",
	} {
		_, err := predicate.Parse(system, text)
		assert.ErrorContains(t, err, want, "%.40q", text)
	}
}

// Of a state of which it cannot be said, that is said.
func TestCannotSay(t *testing.T) {
	for text, want := range map[string]string{
		`node["s-2"].Mood == "BUSY"`: "cannot fetch Mood from <nil>",
		`s1.Queue[5].Time == 1`:      "index out of range",
	} {
		p, err := predicate.Parse(system, text)
		require.NoError(t, err, text)
		_, err = p.Holds(nodes)
		assert.ErrorContains(t, err, want)
	}
}

func FuzzPredicate(f *testing.F) {
	for _, text := range []string{`c1.Waiting`, `any(servers, .Held == "c1")`, `1..2`, `{"a": #}`, "s1.Queue[0]", `node["s-2"]?.Mood`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := predicate.Parse(system, text); err == nil {
			_, _ = p.Holds(nodes)
		}
	})
}
