package toy

import (
	"encoding/json"

	"contend/model"
	"contend/traces"
)

// Trace returns a trace of [Protocol] with the given steps.
func Trace(c model.Config, timed bool, claim string, watched []string, list ...traces.Step) *traces.Trace {
	tr := traces.New(Protocol, "", c, timed, claim, "")
	tr.Watched, tr.Steps = watched, list
	return &tr
}

// The steps of a short run: the asker asks, and gets the answer 2.
var (
	Invoke = traces.Step{Kind: "invoke", To: "c1", Type: "toy.call", Occurrence: 1, At: "1", Value: Raw(`{}`)}
	Ask    = traces.Step{Kind: "deliver", From: "c1", To: "s1", Type: "toy.question", Occurrence: 1, At: "3/2", Choices: []int{1}, Value: Raw(`{}`)}
	Two    = traces.Step{Kind: "deliver", From: "s1", To: "c1", Type: "toy.answer", Occurrence: 1, At: "3/2", Value: Raw(`{"Is":2}`)}
)

// Raw returns a text as JSON.
func Raw(s string) json.RawMessage { return json.RawMessage(s) }
