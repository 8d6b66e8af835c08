package traces_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"contend/traces"
	"contend/traces/internal/toy"
)

const (
	untimedHead = `"version":1,"protocol":"p","config":{},"time":"untimed"`
	denseHead   = `"version":1,"protocol":"p","config":{},"time":"dense"`
)

// Invalid input gets one sentence that names the field and the rule.
func TestReadRefuses(t *testing.T) {
	long := strings.Repeat("9", 300)
	for _, c := range []struct{ name, in, text string }{
		{"a page", "\n<!doctype html>", "it is a page for a browser; the trace is the .json file beside it"},
		{"nothing", ``, "the JSON ends too early: it is empty or truncated"},
		{"truncated", `{` + denseHead + `,"steps":[{"kind":"inv`, "the JSON ends too early: it is empty or truncated"},
		{"not JSON", `hello`, "the JSON is broken at byte 1: invalid character 'h' looking for beginning of value"},
		{"not an object", `[]`, "a JSON array stands where an object must"},
		{"trailing data", `{` + denseHead + `,"steps":[]} {}`, "the JSON is broken at byte 68: invalid character '{' after top-level value"},
		{"no version", `{}`, "version is missing"},
		{"version 2", `{"version":2,"novel":true}`, "version is 2, but this tool reads version 1"},
		{"version in words", `{"version":"one"}`, "version is a JSON string, but must be of type int"},
		{"unknown field", `{` + denseHead + `,"novel":1,"steps":[]}`, `field "novel" is not known`},
		{"a misleading field", `{` + denseHead + `,"unexpected end":1,"steps":[]}`, `field "unexpected end" is not known`},
		{"unknown field of a step", `{` + denseHead + `,"steps":[{"novel":1}]}`, `step 1: field "novel" is not known`},
		{"unknown field of the config", config(`"X":1`), `field "X" is not known`},
		{"config of another kind", `{"version":1,"config":[],"steps":[]}`, "config is missing or not an object"},
		{"no config", `{"version":1,"config":null,"steps":[]}`, "config is missing or not an object"},
		{"parameter in words", config(`"tries":"two"`), `config: tries is "two", but must be a whole number`},
		{"half a parameter", config(`"tries":1.5`), "config: tries is 1.5, but must be a whole number"},
		{"no parameter", config(`"tries":null`), "config: tries is null, but must be a whole number"},
		{"large parameter", config(`"tries":` + long), "config: tries is " + long[:40] + ", but must be a whole number"},
		{"a parameter twice", config(`"tries":1,"n":2,"tries":1`), `config: "tries" is there twice`},
		{"network", config(`"network":1`), "config: network is 1, but must be a string"},
		{"no network", config(`"network":null`), "config: network is null, but must be a string"},
		{"drift", config(`"drift":"1"`), `config: drift is "1", but must be a whole number`},
		{"beyond bounds", config(`"beyondBounds":1`), "config: beyondBounds is 1, but must be true or false"},
		{"unknown fault", config(`"faults":{"novel":1}`), `config: faults is {"novel":1}, but must be an object of known faults, each with a whole number`},
		{"no steps", `{` + denseHead + `}`, "steps is missing or not a list"},
		{"steps of another kind", `{` + denseHead + `,"steps":{}}`, "steps is missing or not a list"},
		{"a step of another kind", `{` + denseHead + `,"steps":[7]}`, "step 1: a JSON number stands where an object must"},
		{"no protocol", `{"version":1,"time":"dense","steps":[]}`, "protocol is missing"},
		{"no time", `{"version":1,"protocol":"p","steps":[]}`, `time is "", but must be untimed or dense`},
		{"grid time", `{"version":1,"protocol":"p","time":"grid","steps":[]}`, `time is "grid", but must be untimed or dense`},
		{"a program's name", `{` + denseHead + `,"programs":[{"program":"a\u0007b","module":"1"}],"steps":[]}`, `programs is "a\ab", but must be printable and at most 200 bytes long`},
		{"control characters", `{` + denseHead + `,"note":"\u001b[2J","steps":[]}`, "note has a control character"},
		{"a name of two lines", `{` + denseHead + `,"variant":"a\nb","steps":[]}`, `variant is "a\nb", but must be printable and at most 200 bytes long`},
		{"watched twice", `{` + denseHead + `,"watched":["a","a"],"steps":[]}`, `watched: claim "a" is there twice`},
		{"loop before the first step", ends(`"loop":-1`), "loop is -1, but must be a step, 1 to 1, or 0 for none"},
		{"loop behind the last step", ends(`"loop":2`), "loop is 2, but must be a step, 1 to 1, or 0 for none"},
		{"clocks without time", `{` + untimedHead + `,"clocks":true,"steps":[]}`, "clocks is true, but only a dense trace has times that clocks can show"},
		{"loop of no claim", `{` + untimedHead + `,"loop":1,"steps":[{"kind":"crash","to":"c1"}]}`, "loop and noReturn are of a claim, but claim is missing"},
		{"point before the run", ends(`"noReturn":{"after":-2}`), "noReturn: after is -2, but must be -1 to 1"},
		{"point behind the run", ends(`"noReturn":{"after":2}`), "noReturn: after is 2, but must be -1 to 1"},
		{"point at the latest", ends(`"noReturn":{"after":0,"atLatest":true}`), "noReturn: atLatest is set, but there is no step before 0"},
		{"point that is unknown", ends(`"noReturn":{"after":1,"unknown":"cut"}`), "noReturn: after is 1, but unknown says that it is not known"},
		{"limit of two lines", ends(`"noReturn":{"after":0,"unknown":"a\nb"}`), `noReturn: unknown is "a\nb", but must be printable and at most 200 bytes long`},
		{"kind", step(`"kind":"jump","to":"c1"`), `step 1: kind "jump" is not one of [deliver timeout invoke return release expire suspect trust heal lose duplicate crash stop restart forge mistake partition]`},
		{"to", step(`"kind":"crash"`), "step 1: to is missing"},
		{"an adversary's delivery", step(`"kind":"deliver","from":"s1","to":"c1","type":"T","occurrence":1,"adversary":"replay"`), `step 1: adversary is "replay", but a deliver is no move of the environment`},
		{"an adversary of two lines", step(`"kind":"crash","to":"c1","adversary":"a\nb"`), `step 1: adversary is "a\nb", but must be printable and at most 200 bytes long`},
		{"a long name", step(`"kind":"crash","to":"` + long + `"`), `step 1: to is "` + long[:40] + `", but must be printable and at most 200 bytes long`},
		{"from", step(`"kind":"deliver","to":"c1","type":"t","occurrence":1,"value":1`), `step 1: from is "", but deliver needs a sender`},
		{"no from", step(`"kind":"crash","to":"c1","from":"s1"`), `step 1: from is "s1", but crash does not have a sender`},
		{"type", step(`"kind":"invoke","to":"c1","occurrence":1`), `step 1: type is "", but invoke needs a type`},
		{"no value", step(`"kind":"invoke","to":"c1","type":"t","occurrence":1,"value":null`), "step 1: value is missing"},
		{"value of nil", step(`"kind":"invoke","to":"c1","type":"nil","occurrence":1,"value":1`), `step 1: value is given, but invoke of type "nil" has none`},
		{"large value", step(`"kind":"invoke","to":"c1","type":"t","occurrence":1,"value":"` + strings.Repeat("a", 1<<16) + `"`), "step 1: value has 65538 bytes, but at most 65536 are allowed"},
		{"occurrence", step(`"kind":"invoke","to":"c1","type":"t","value":1`), "step 1: occurrence is 0, but must be at least 1"},
		{"no occurrence", step(`"kind":"crash","to":"c1","occurrence":1`), "step 1: occurrence is 1, but crash is not counted"},
		{"choice", step(`"kind":"crash","to":"c1","choices":[-1]`), "step 1: choices: -1 is out of range, 0 to 9007199254740991"},
		{"choice in words", step(`"kind":"crash","to":"c1","choices":["a"]`), "step 1: choices is a JSON string, but must be of type int"},
		{"at when untimed", step(`"kind":"crash","to":"c1","at":"1"`), `step 1: at is "1", but the trace is untimed`},
		{"no at", at(``), instantRule(``)},
		{"negative", at(`-1`), instantRule(`-1`)},
		{"decimal", at(`1.5`), instantRule(`1.5`)},
		{"exponent", at(`1e999999999/3`), instantRule(`1e999999999/3`)},
		{"division by zero", at(`1/0`), instantRule(`1/0`)},
		{"leading zero", at(`01`), instantRule(`01`)},
		{"huge", at(long), instantRule(long[:40])},
		{"two slashes", at(`1/2/3`), instantRule(`1/2/3`)},
		{"line end", at(`1\n`), instantRule(`1\n`)},
		{"denominator", at(`1/1048577`), "step 1: at is 1/1048577, but its denominator must be at most 1048576"},
		{"too many steps", `{` + denseHead + `,"steps":[` + strings.Repeat("{},", 1_000_000) + `{}]}`, "steps: there are more than 1000000"},
		{"too large", strings.Repeat(" ", 16<<20) + `{}`, "it is larger than 16 MiB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := traces.Read(strings.NewReader(c.in))
			require.EqualError(t, err, "trace: "+c.text)
		})
	}
}

func config(fields string) string {
	return `{"version":1,"protocol":"p","config":{` + fields + `},"time":"dense","steps":[]}`
}

func step(fields string) string { return `{` + untimedHead + `,"steps":[{` + fields + `}]}` }

func ends(fields string) string {
	return `{` + untimedHead + `,"claim":"c",` + fields + `,"steps":[{"kind":"crash","to":"c1"}]}`
}

func at(instant string) string {
	return `{` + denseHead + `,"steps":[{"kind":"crash","to":"c1","at":"` + instant + `"}]}`
}

func instantRule(instant string) string {
	return `step 1: at is "` + instant + `", but must be digits or digits/digits, at most 18 and 7 of them, without leading zeros`
}

// A trace that could not be read is not written.
func TestWriteRefuses(t *testing.T) {
	tr := traces.Trace{Version: 1, Protocol: "p", Time: "dense", Steps: []traces.Step{{Kind: "crash", To: "c1"}}}
	require.EqualError(t, traces.Write(&bytes.Buffer{}, &tr), "trace: "+instantRule(""))
}

// The fields on the end of a run permit their limits.
func TestEndsAtTheEdges(t *testing.T) {
	for _, end := range []string{
		`"loop":0`, `"loop":1`, `"noReturn":{"after":-1}`, `"noReturn":{"after":0}`, `"noReturn":{"after":1}`, `"noReturn":{"after":1,"atLatest":true}`, `"noReturn":{"after":0,"unknown":"cut"}`,
	} {
		tr, err := traces.Read(strings.NewReader(ends(end)))
		require.NoError(t, err, end)
		require.Empty(t, cmp.Diff(tr, toy.Clone(t, tr)), end)
	}
}
