package traces_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/impl/backoff"
	"contend/model"
	"contend/model/value"
	"contend/model/world"
	"contend/model/wrapped"
	"contend/traces"
	"contend/traces/internal/toy"
)

// whole returns a trace with every optional field.
func whole() *traces.Trace {
	return &traces.Trace{
		Version: 1, Protocol: "p", Variant: "v", Time: "dense", Claim: "c", Text: "a\tb\nc", Watched: []string{"c", "d"}, Loop: 1, Note: "n\t\n",
		Config: traces.Config{
			Settings: []model.Setting{{Name: "n", Value: 2}, {Name: "tries", Value: -1}, {Name: "most", Value: math.MaxInt64}, {Name: "least", Value: math.MinInt64}}, Network: model.StableNetwork, Drift: 3, Beyond: true,
			Faults: model.Faults{Loss: 1, Duplication: 2, Crashes: 3, Restarts: 4, Suspicions: 5, Partitions: 6},
		},
		Cost: &traces.Cost{Name: "messages", Number: 3}, NoReturn: &traces.NoReturn{After: 1}, Programs: []wrapped.Origin{{Program: "a", Module: "b", Go: "go1"}},
		Boot: []int{0, 1<<53 - 1}, Picture: json.RawMessage(`{"a":[1]}`),
		Steps: []traces.Step{
			{Kind: "invoke", To: "c1", Type: "t", Occurrence: 1, At: "0", Value: json.RawMessage(`{"<":"&"}`), Choices: []int{0, 1<<53 - 1}},
			{Kind: "deliver", From: "c1", To: "s1", Type: "nil", Occurrence: 2, At: "1/2"},
			{Kind: "lose", From: "c1", To: "s1", Type: "t", Occurrence: 1, At: "1/2", Value: json.RawMessage(`1`), Adversary: "replay"},
			{Kind: "forge", From: "c1", To: "s1", Type: "t", At: "1/2", Value: json.RawMessage(`1`)},
			{Kind: "mistake", To: "s1", Type: "t", At: "1/2", Value: json.RawMessage(`1`)},
			{Kind: "partition", To: "network", Type: "t", At: "1/2", Value: json.RawMessage(`1`)},
			{Kind: "duplicate", From: "c1", To: "s1", Type: "t", Occurrence: 1, At: "1/2", Value: json.RawMessage(`1`)},
			{Kind: "crash", To: "s1", At: "1/2"}, {Kind: "stop", To: "s1", At: "1/2"}, {Kind: "restart", To: "s1", At: "1/1048576"},
		},
	}
}

// A trace with every field survives writing and reading, in lines without escapes.
func TestWholeComesBack(t *testing.T) {
	text := toy.Encode(t, whole())
	back, err := traces.Read(bytes.NewReader(text))
	require.NoError(t, err)
	require.Equal(t, whole(), back)
	require.Contains(t, string(text), "\n    "+`{"kind":"invoke","to":"c1","type":"t","occurrence":1,"at":"0","choices":[0,9007199254740991],"value":{"<":"&"}},`+"\n")
	require.Contains(t, string(text), "\n  \"config\": {\n    \"n\": 2,\n    \"tries\": -1,\n    \"most\": 9223372036854775807,\n    \"least\": -9223372036854775808,\n    \"network\": \"stable\",\n")
	require.Contains(t, string(text), "\n  ],\n  \"picture\": {\"a\":[1]}\n}\n")
	spaced := strings.NewReplacer(`"value":{"<":"&"}`, `"value": { "<" : "&" }`, `{"a":[1]}`, "{ \"a\" :\n [ 1 ] }", `"choices":[0,9007199254740991],`, `"choices":[ ],`, `"watched": [`, `"watched": [],"watched":[`).Replace(string(text))
	back, err = traces.Read(strings.NewReader(spaced))
	require.NoError(t, err)
	want := whole()
	want.Steps[0].Choices = nil
	require.Equal(t, want, back)
	for _, empty := range []string{`"watched":[],"picture":null,`, ``} {
		back, err := traces.Read(strings.NewReader(`{"version":1,"protocol":"p","config":{},` + empty + `"time":"untimed","steps":[]}`))
		require.NoError(t, err)
		require.Equal(t, &traces.Trace{Version: 1, Protocol: "p", Time: "untimed", Steps: []traces.Step{}}, back)
	}
}

// Each rule permits its limit, and nothing beyond it.
func TestRulesAtTheirEdges(t *testing.T) {
	name := strings.Repeat("n", 200)
	word := func(field string) string {
		return fmt.Sprintf("%s is %q, but must be printable and at most 200 bytes long", field, name[:40])
	}
	for _, c := range []struct {
		edit func(*traces.Trace)
		err  string
	}{
		{func(tr *traces.Trace) {}, ""},
		{func(tr *traces.Trace) { tr.Protocol, tr.Variant, tr.Claim = name, name, name }, ""},
		{func(tr *traces.Trace) { tr.Protocol = name + "n" }, word("protocol")},
		{func(tr *traces.Trace) { tr.Variant = name + "n" }, word("variant")},
		{func(tr *traces.Trace) { tr.Claim = name + "n" }, word("claim")},
		{func(tr *traces.Trace) { tr.Watched[1] = name }, ""},
		{func(tr *traces.Trace) { tr.Watched[1] = name + "n" }, word("watched")},
		{func(tr *traces.Trace) { tr.Watched[1] = "c" }, `watched: claim "c" is there twice`},
		{func(tr *traces.Trace) { tr.Programs[0].Program = name + "n" }, word("programs")},
		{func(tr *traces.Trace) { tr.Programs[0].Module = name + "n" }, word("programs")},
		{func(tr *traces.Trace) { tr.Programs[0].Go = name + "n" }, word("programs")},
		{func(tr *traces.Trace) { tr.Programs = append(tr.Programs, wrapped.Origin{Go: name + "n"}) }, word("programs")},
		{func(tr *traces.Trace) { tr.Cost = nil }, ""},
		{func(tr *traces.Trace) { tr.Cost.Name = name + "n" }, word("cost")},
		{func(tr *traces.Trace) { tr.NoReturn = &traces.NoReturn{Unknown: name + "n"} }, word("noReturn: unknown")},
		{func(tr *traces.Trace) { tr.Text += "\r" }, "text has a control character"},
		{func(tr *traces.Trace) { tr.Note += "\x00" }, "note has a control character"},
		{func(tr *traces.Trace) { tr.Picture = json.RawMessage(`[]`) }, "picture is not a JSON object"},
		{func(tr *traces.Trace) { tr.Picture = json.RawMessage(`{`) }, "picture is not a JSON object"},
		{func(tr *traces.Trace) { tr.Boot[0] = -1 }, "boot: -1 is out of range, 0 to 9007199254740991"},
		{func(tr *traces.Trace) { tr.Boot[1]++ }, "boot: 9007199254740992 is out of range, 0 to 9007199254740991"},
		{func(tr *traces.Trace) { tr.Steps[0].Choices[1]++ }, "step 1: choices: 9007199254740992 is out of range, 0 to 9007199254740991"},
		{func(tr *traces.Trace) { tr.Config.Settings[1].Name = "n" }, `config: a parameter is named "n", but needs a name of its own, of lower-case letters, digits and dashes`},
		{func(tr *traces.Trace) { tr.Config.Settings[0].Name = "N" }, `config: a parameter is named "N", but needs a name of its own, of lower-case letters, digits and dashes`},
		{func(tr *traces.Trace) { tr.Loop = 11 }, "loop is 11, but must be a step, 1 to 10, or 0 for none"},
		{func(tr *traces.Trace) { tr.Loop, tr.Claim = 0, "" }, "loop and noReturn are of a claim, but claim is missing"},
		{func(tr *traces.Trace) { tr.NoReturn, tr.Claim = nil, "" }, "loop and noReturn are of a claim, but claim is missing"},
		{func(tr *traces.Trace) { tr.NoReturn, tr.Loop, tr.Claim = nil, 0, "" }, ""},
		{func(tr *traces.Trace) { tr.Steps[9].At = "1/1048577" }, "step 10: at is 1/1048577, but its denominator must be at most 1048576"},
		{func(tr *traces.Trace) { tr.Steps[0].Type = name }, ""},
		{func(tr *traces.Trace) { tr.Steps[0].Type = name + "n" }, "step 1: " + word("type")},
		{func(tr *traces.Trace) { tr.Steps[0].To = name + "n" }, "step 1: " + word("to")},
		{func(tr *traces.Trace) { tr.Steps[1].From = name + "n" }, "step 2: " + word("from")},
		{func(tr *traces.Trace) { tr.Steps[2].Adversary = name + "n" }, "step 3: " + word("adversary")},
		{func(tr *traces.Trace) { tr.Steps[0].Value = json.RawMessage(`"` + strings.Repeat("v", 1<<16-2) + `"`) }, ""},
		{func(tr *traces.Trace) { tr.Steps[0].Value = json.RawMessage(`"` + strings.Repeat("v", 1<<16-1) + `"`) }, "step 1: value has 65537 bytes, but at most 65536 are allowed"},
		{func(tr *traces.Trace) { tr.Steps[7].Value = json.RawMessage(`1`) }, `step 8: value is given, but crash of type "" has none`},
		{func(tr *traces.Trace) { tr.Steps[3].Occurrence = 1 }, "step 4: occurrence is 1, but forge is not counted"},
		{func(tr *traces.Trace) { tr.Steps[3].From = "" }, `step 4: from is "", but forge needs a sender`},
		{func(tr *traces.Trace) { tr.Steps[4].From = "c1" }, `step 5: from is "c1", but mistake does not have a sender`},
		{func(tr *traces.Trace) { tr.Steps[8].Type = "t" }, `step 9: type is "t", but stop does not have a type`},
		{func(tr *traces.Trace) { tr.Steps[2].Occurrence = 0 }, "step 3: occurrence is 0, but must be at least 1"},
		{func(tr *traces.Trace) { tr.Steps = make([]traces.Step, 1_000_000) }, `step 1: kind "" is not one of [deliver timeout invoke return release expire suspect trust heal lose duplicate crash stop restart forge mistake partition]`},
		{func(tr *traces.Trace) { tr.Steps = make([]traces.Step, 1_000_001) }, "steps: there are 1000001, but a trace has at most 1000000"},
		{func(tr *traces.Trace) { tr.Version = 0 }, "version is 0, but this tool reads version 1"},
		{func(tr *traces.Trace) { tr.Protocol = "" }, "protocol is missing"},
	} {
		tr := whole()
		c.edit(tr)
		if err := tr.Validate(); c.err == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, c.err)
		}
	}
}

// A trace is as large as a file may be, and no larger.
func TestAsLargeAsAllowed(t *testing.T) {
	const most = 16 << 20
	tr := whole()
	picture := func(n int) { tr.Picture = json.RawMessage(`{"a":"` + strings.Repeat("n", n) + `"}`) }
	picture(0)
	n := most - len(toy.Encode(t, tr))
	picture(n)
	text := toy.Encode(t, tr)
	require.Len(t, text, most)
	_, err := traces.Read(bytes.NewReader(text))
	require.NoError(t, err)
	picture(n + 1)
	require.EqualError(t, traces.Write(&bytes.Buffer{}, tr), "trace: it is larger than 16 MiB")
}

func TestInstants(t *testing.T) {
	for _, in := range []string{"0", "7", "999999999999999999", "1/9999999", "10/20"} {
		_, err := traces.ParseInstant(in)
		require.NoError(t, err)
	}
	for _, in := range []string{"", "01", "1000000000000000000", "1/10000000", "1/01", "1/", "/1", " 1", "-1", "1\n"} {
		_, err := traces.ParseInstant(in)
		require.EqualError(t, err, strings.TrimPrefix(instantRule(strings.ReplaceAll(in, "\n", `\n`)), "step 1: "))
	}
	for _, c := range []struct {
		at    string
		parts int64
		whole bool
		in    world.Time
		late  bool
	}{
		{"3/2", 2, true, 3, false}, {"3/2", 6, true, 9, false}, {"3/2", 3, false, 0, false}, {"5", 4, true, 20, false}, {"0", 1, true, 0, false},
		{"999999999999999999", 2, true, 1999999999999999998, false}, {"999999999999999999", 3, true, 0, true},
		{"2251799813685248", 1 << 10, true, 1 << 61, false}, {"2251799813685249", 1 << 10, true, 0, true},
	} {
		at, err := traces.ParseInstant(c.at)
		require.NoError(t, err)
		require.Equal(t, c.whole, at.Whole(c.parts), c.at)
		if !c.whole {
			continue
		}
		in, err := at.In(c.parts)
		require.Equal(t, c.late, err != nil)
		require.Equal(t, c.in, in)
		if !c.late {
			require.Equal(t, c.at, traces.Ticks(in, c.parts))
		} else {
			require.EqualError(t, err, fmt.Sprintf("at is %s/1, which is too late to count in parts of 1/%d tick", c.at, c.parts))
		}
	}
	steps := func(all ...string) (is []traces.Step) {
		for _, at := range all {
			is = append(is, traces.Step{At: at})
		}
		return is
	}
	for _, c := range []struct {
		at    []traces.Step
		parts int64
		err   string
	}{
		{nil, 1, ""}, {steps("", "1/4", "", "5/6", "2"), 12, ""}, {steps("1/1048576", "1/2"), 1 << 20, ""},
		{steps("1/2", "1/1048575"), 0, "step 2: at is 1/1048575, but then the times have no common denominator up to 1048576"},
		{steps("1", "x"), 0, strings.Replace(instantRule("x"), "step 1", "step 2", 1)},
	} {
		parts, err := traces.PartsOf(c.at)
		require.Equal(t, c.parts, parts)
		require.Equal(t, c.err, fmt.Sprint(errOr(err)))
	}
}

func errOr(err error) any {
	if err == nil {
		return ""
	}
	return err
}

// The texts of a configuration, a cost and a step.
func TestInWords(t *testing.T) {
	tr := whole()
	require.Equal(t, "n=2 tries=-1 most=9223372036854775807 least=-9223372036854775808 drift=3 loss=1 duplication=2 crashes=3 restarts=4 suspicions=5 partitions=6 network=stable beyond bounds", tr.Config.String())
	require.Empty(t, traces.Config{}.String())
	require.Equal(t, "messages: 3", tr.Cost.String())
	require.Empty(t, (*traces.Cost)(nil).String())
	var all []string
	for _, s := range tr.Steps[:5] {
		all = append(all, s.String())
	}
	require.Equal(t, []string{"invoke c1 t #1", "deliver c1→s1 nil #2", "lose c1→s1 t #1", "forge c1→s1 t", "mistake s1 t"}, all)
	require.Equal(t, "crash s1", tr.Steps[7].String())
	s := tr.Steps[2]
	require.True(t, s.Same(s))
	for i, o := range []traces.Step{s, s, s, s, s} {
		*[]*string{&o.Kind, &o.From, &o.To, &o.Type, &o.At}[i] += "x"
		require.Equal(t, i == 4, s.Same(o))
	}
	o := s
	o.Occurrence++
	require.False(t, s.Same(o))
}

// A trace begins with the whole configuration of the protocol.
func TestNew(t *testing.T) {
	faults := model.Faults{Loss: 1}
	for _, timed := range []bool{true, false} {
		c := model.Config{N: 4, Network: model.StableNetwork, Drift: 2, Faults: faults, Beyond: true}
		tr := traces.New(backoff.Protocol, "forgetful", c, timed, "Lemma 1", "why")
		time, reading := "untimed", model.Untimed
		if timed {
			time, reading = "dense", model.Dense
		}
		require.Equal(t, traces.Trace{
			Version: 1, Protocol: "backoff", Variant: "forgetful", Time: time, Claim: "Lemma 1", Text: "why",
			Config: traces.Config{Settings: []model.Setting{{Name: "n", Value: 4}}, Network: model.StableNetwork, Drift: 2, Faults: faults, Beyond: true},
		}, tr)
		require.Equal(t, timed, tr.Timed())
		require.Equal(t, reading, tr.Reading())
		require.Equal(t, c, tr.Config.Model())
	}
}

// A Chooser makes choices in Start, and stores the last message.
type Chooser struct{ Is, Told string }

func (c *Chooser) Start(env model.Env) { c.Is = fmt.Sprint(env.Choose(3), env.Choose(5)) }

func (c *Chooser) Receive(env model.Env, _ model.NodeID, m any) {
	c.Told = fmt.Sprint(m, env.Choose(3), env.Choose(4))
}

// A recorded run has the choices of Start, the adversary of a move, and a forged nil. Fields of the header for
// another run are cleared.
func TestRecordedRun(t *testing.T) {
	p := &model.Protocol{Name: "choosers", Build: func(model.Config) (*model.System, error) {
		return &model.System{
			Network: model.Network{Delay: model.By(1)},
			Forge:   func(model.Node, model.NodeID, model.NodeID) []any { return []any{nil, "\xff"} },
			Nodes: []model.NodeSpec{
				{Name: "a", Role: model.Server, New: func() model.Node { return &Chooser{} }}, {Name: "b", Role: model.Server, New: func() model.Node { return &Chooser{} }},
				{Name: "l", Role: model.Server, Byzantine: true},
			},
		}, nil
	}}
	is, err := p.System("", model.Config{})
	require.NoError(t, err)
	answers := []int{2, 4, 1, 3}
	w, err := world.New(is, nil, world.Options{Timed: true, Parts: 2, Boot: func(int, string) int {
		next := answers[0]
		answers = answers[1:]
		return next
	}})
	require.NoError(t, err)
	var records []world.Record
	for i, m := range w.Forgeries()[:2] {
		r, err := w.Step(m, world.Time(i), func(n int, _ string) int { return n - 1 })
		require.NoError(t, err)
		r.By = fmt.Sprint("somebody ", i)
		records = append(records, r)
	}
	header := *whole()
	header.Loop, header.NoReturn, header.Boot, header.Config = 0, nil, []int{7}, traces.Config{}
	tr, err := traces.FromRun(header, w, 2, records)
	require.NoError(t, err)
	want := header
	want.Boot, want.Picture, want.Steps = []int{2, 4, 1, 3}, nil, []traces.Step{
		{Kind: "forge", From: "l", To: "a", Type: "nil", At: "0", Adversary: "somebody 0", Choices: []int{2, 3}},
		{Kind: "forge", From: "l", To: "a", Type: "string", At: "1/2", Adversary: "somebody 1", Choices: []int{2, 3}, Value: tr.Steps[1].Value},
	}
	require.Equal(t, &want, tr)
	for i, value := range []any{nil, "\xff"} {
		v, err := tr.Steps[i].Decode(w.Codec)
		require.NoError(t, err)
		require.Equal(t, value, v)
	}
}

// A Nest can have any depth.
type Nest struct{ In []Nest }

func nested(deep int) (n Nest) {
	for range deep {
		n = Nest{[]Nest{n}}
	}
	return n
}

// A value that cannot be decoded is not written, and invalid JSON is not decoded.
func TestValues(t *testing.T) {
	s := &model.System{Types: []any{Nest{}}, Nodes: []model.NodeSpec{{Name: "a", Role: model.Server, New: func() model.Node { return &Chooser{} }}}}
	codec, err := value.For(s, nil)
	require.NoError(t, err)
	raw, err := traces.ValueJSON(codec, nested(31))
	require.NoError(t, err)
	back, err := traces.Step{Type: "traces_test.Nest", Value: raw}.Decode(codec)
	require.NoError(t, err)
	require.Equal(t, string(codec.Any(nested(31), nil)), string(codec.Any(back, nil)))
	_, err = traces.ValueJSON(codec, nested(32))
	require.ErrorContains(t, err, "the traces_test.Nest could not be read again: ")
	require.ErrorContains(t, err, "a value is nested more than 64 deep")
	_, err = traces.ValueJSON(codec, 1.5)
	require.Equal(t, value.Unlisted{Type: "float64"}, err)
	w, err := world.Start(s, codec, nil, world.Options{Boot: func(int, string) int { return 0 }})
	require.NoError(t, err)
	_, err = traces.FromRun(traces.Trace{Version: 1, Protocol: "p", Time: "untimed"}, w, 1, []world.Record{{Move: world.Move{Kind: model.Mistake, Value: model.NodeID(0)}}, {Move: world.Move{Kind: model.Mistake, Value: nested(32)}}})
	require.ErrorContains(t, err, "step 2: the traces_test.Nest could not be read again")
	_, err = traces.Step{Type: "string", Value: json.RawMessage(`{`)}.Decode(codec)
	require.Error(t, err)
}

// Reading a configuration clears its earlier content.
func TestConfigReadAgain(t *testing.T) {
	c := whole().Config
	require.NoError(t, json.Unmarshal([]byte(`{"tries":5}`), &c))
	require.Equal(t, traces.Config{Settings: []model.Setting{{Name: "tries", Value: 5}}}, c)
}

// A renamed trace is a copy; without names it is the trace itself.
func TestRenamed(t *testing.T) {
	tr := whole()
	require.Same(t, tr, tr.Renamed(nil))
	now := tr.Renamed(map[string]string{"t": "u", "v": "w"})
	require.Equal(t, whole(), tr)
	want := whole()
	for i := range want.Steps {
		if want.Steps[i].Type == "t" {
			want.Steps[i].Type = "u"
		}
	}
	require.Equal(t, want, now)
}

// A saved file is readable for everybody. If no file can be created, Save returns an error.
func TestSaved(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "trace.json")
	require.NoError(t, traces.Save(path, whole()))
	is, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o644), is.Mode())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(toy.Encode(t, whole())), string(text))
	require.Error(t, traces.Save(filepath.Join(dir, "none", "trace.json"), whole()))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "taken"), 0o755))
	require.Error(t, traces.Save(filepath.Join(dir, "taken"), whole()))
	all, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, all, 2, "a temporary file is left behind")
	_, err = traces.Load(filepath.Join(dir, "nobody.json"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

var errBroken = errors.New("broken")

type broken struct{}

func (broken) Read([]byte) (int, error)  { return 0, errBroken }
func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestBroken(t *testing.T) {
	_, err := traces.Read(broken{})
	require.EqualError(t, err, "trace: broken")
	require.ErrorIs(t, traces.Write(broken{}, whole()), errBroken)
	tr := whole()
	tr.Steps[0].Value = json.RawMessage(`{`)
	require.ErrorContains(t, traces.Write(&bytes.Buffer{}, tr), "trace: step 1: ")
}
