package conform

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
)

// A giver sends as many items as it chooses, and forgets how many it has given unless it saves.
type giver struct {
	Saved int `contend:"stable"`
	Given int
}

type (
	give struct{}
	save struct{}
	gift struct{ Items []int }
	gave struct{ Count int }
)

func (g gift) View() any   { return struct{ Count int }{len(g.Items)} }
func (g *giver) View() any { return struct{ Unsaved int }{g.Given - g.Saved} }

func (g *giver) Start(env model.Env) {
	g.Given = g.Saved
	env.Note(gave{g.Given})
	env.After(give{}, model.Anytime())
	env.After(save{}, model.Anytime())
}

func (g *giver) Timeout(env model.Env, key any) {
	env.After(key, model.Anytime())
	if key == (save{}) {
		g.Saved = g.Given
		return
	}
	if n := env.Choose(1000); n > 0 {
		g.Given += n
		env.Note(gave{n})
		env.Send(1, gift{make([]int, n)})
	}
}

type taker struct{ Took int }

func (*taker) Start(model.Env) {}
func (t *taker) Receive(env model.Env, _ model.NodeID, m any) {
	t.Took += len(m.(gift).Items)
}

var giving = &model.Protocol{
	Name: "giving", Title: "gifts of any size", Source: "a test",
	Build: func(c model.Config) (*model.System, error) {
		return &model.System{
			Config: c, Types: []any{give{}, save{}, gift{}, gave{}}, Network: model.Network{Delay: model.Anytime(), Once: true},
			Nodes: []model.NodeSpec{
				{Name: "a", Role: model.Server, New: func() model.Node { return &giver{} }},
				{Name: "b", Role: model.Server, New: func() model.Node { return &taker{} }},
			},
		}, nil
	},
}

// What an entry says of its step: choices, that it may continue the step before, and that one message fits.
func TestGivenSteps(t *testing.T) {
	const (
		begins  = `{"node":"a","start":true,"note":{"type":"gave","value":{"Count":0}}}` + "\n"
		again   = `{"node":"a","start":true,"note":{"type":"gave"}}` + "\n"
		gives   = `{"node":"a","alarm":{"type":"give"},"choices":[7],"note":{"type":"gave","value":{"Count":7}},"send":{"to":"b","type":"gift","value":{"Count":7}}}` + "\n"
		alone   = `{"node":"a","alarm":{"type":"give"},"choices":[7],"continues":true,"note":{"type":"gave"}}` + "\n"
		rest    = `{"node":"a","alarm":{"type":"give"},"choices":["3"],"continues":true,"send":{"to":"b","type":"gift"}}` + "\n"
		saves   = `{"node":"a","alarm":{"type":"save"},"before":{"Unsaved":7},"after":{"Unsaved":0}}` + "\n"
		takes   = `{"node":"b","receive":{"from":"a","type":"gift","value":{"Count":7}},"unique":true,"after":{"Took":7}}` + "\n"
		unsaved = `{"node":"a","before":{"Given":0}}` + "\n"
	)
	for name, c := range map[string]struct {
		log, reason string
		opt         Options
	}{
		"a choice":                          {log: begins + gives + saves + takes},
		"the receiver first":                {log: takes + begins + gives},
		"an entry continues a step":         {log: begins + alone + rest + saves},
		"an entry begins a step":            {log: begins + rest + `{"node":"a","note":{"type":"gave","value":{"Count":3}}}` + "\n"},
		"too large a choice":                {log: begins + strings.ReplaceAll(gives, "[7]", "[1000]"), reason: "choice 1 is 1000 in the log, and less than 1000 on the page"},
		"too many choices":                  {log: begins + strings.ReplaceAll(gives, "[7]", "[7,1]"), reason: "the log has 2 choices, and the step on the page 1"},
		"another choice":                    {log: begins + strings.ReplaceAll(gives, "[7]", "[8]"), reason: "the page sends gift{[0, 0, 0, 0, 0, 0, 0, 0]} to b"},
		"a field of the view":               {log: begins + gives + strings.ReplaceAll(saves, `"Unsaved":7`, `"Unsaved":6`), reason: "before it, Unsaved is 6 in the log, and 7 on the page"},
		"the message is another":            {log: begins + gives + strings.ReplaceAll(takes, "7", "6"), reason: "no such message from a is in flight; the nearest is gift{[0, 0, 0, 0, 0, 0, 0]} from a"},
		"a crash forgets":                   {log: begins + gives + again + unsaved + takes, opt: Options{Unbuffered: true}},
		"a crash in the middle of a step":   {log: begins + alone + again + unsaved, opt: Options{Unbuffered: true}},
		"the end in the middle of a step":   {log: begins + alone, opt: Options{Unbuffered: true}},
		"the end lacks entries":             {log: begins + gives + alone, reason: "before that, the page has something else to show"},
		"a step is missing before a crash":  {log: begins + gives + takes + again + unsaved + strings.ReplaceAll(takes, `"Took":7`, `"Took":14`), opt: Options{Unbuffered: true}, reason: "no message from a is in flight"},
		"a crash does not keep the unsaved": {log: begins + gives + again + `{"node":"a","before":{"Given":7}}` + "\n", opt: Options{Unbuffered: true}, reason: "before it, Given is 7 in the log, and 0 on the page"},
	} {
		r, err := Validate(giving, "", model.Config{}, c.opt, source("log", c.log))
		require.NoError(t, err, name)
		if c.reason == "" {
			assert.Equal(t, Explained, r.Verdict, "%s: %s", name, r)
			continue
		}
		if assert.Equal(t, NotExplained, r.Verdict, "%s: %s", name, r) {
			assert.Equal(t, c.reason, r.Stuck[0].Reason, name)
		}
	}
}

// An entry that is said to be unique, and is not, makes the search inconclusive.
func TestNotUnique(t *testing.T) {
	const log = `{"node":"a","alarm":{"type":"give"},"choices":[7],"send":{"type":"gift"}}
{"node":"a","alarm":{"type":"give"},"choices":[8],"send":{"type":"gift"}}
{"node":"b","receive":{"from":"a","type":"gift"},"unique":true}
{"node":"b","after":{"Took":9}}`
	r, err := Validate(giving, "", model.Config{}, Options{}, source("log", log))
	require.NoError(t, err)
	assert.Equal(t, Inconclusive, r.Verdict)
	assert.Equal(t, "an entry that is said to be unique, but different messages in flight fit it", r.Limit)
}

// What says nothing of a step is refused.
func TestRefusedGivens(t *testing.T) {
	for log, want := range map[string]string{
		`{"node":"a","start":true,"choices":[1]}`:                                   "choices: only receive, alarm and call have choices",
		`{"node":"a","alarm":{"type":"give"},"choices":[-1]}`:                       "choices: -1 is less than 0",
		`{"node":"a","alarm":{"type":"give"},"choices":1}`:                          "choices: 1 is not a list",
		`{"node":"a","alarm":{"type":"give"},"continues":true}`:                     "continues: the entry needs a step, and a send or a note",
		`{"node":"a","continues":true,"note":{"type":"gave"}}`:                      "continues: the entry needs a step, and a send or a note",
		`{"node":"a","alarm":{"type":"give"},"unique":true}`:                        "unique: the entry needs receive with from",
		`{"node":"b","receive":{"type":"gift"},"unique":true}`:                      "unique: the entry needs receive with from",
		`{"node":"b","receive":{"from":"a","type":"gift"},"unique":false}`:          "unique: false is not true",
		`{"node":"b","receive":{"type":"gift","value":{"Length":1}}}`:               `receive: conform.gift has no field "Length"`,
		`{"node":"b","receive":{"type":"gift","value":{"Count":"as many"}}}`:        `receive: Count: "as many" is not a value of int`,
		`{"node":"a","alarm":{"type":"give"},"choices":["1000000000000000000000"]}`: `choices: "1000000000000000000000" is not a value of int`,
	} {
		_, err := Validate(giving, "", model.Config{}, Options{}, source("log", log))
		assert.EqualError(t, err, "log: line 1: "+want)
	}
}
