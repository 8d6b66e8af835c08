package living

import (
	"contend/checker/live"
	"contend/checker/verdict"
	"contend/checker/verify/validating"
	"contend/model"
)

// A liveRun is the JSON of a result, a stable contract.
type liveRun struct {
	Schema      int                `json:"schema"`
	Protocol    string             `json:"protocol"`
	Variant     string             `json:"variant"`
	Config      verdict.ConfigJSON `json:"config"`
	Seconds     float64            `json:"seconds"`
	TickSeconds float64            `json:"tickSeconds"`
	Processes   int                `json:"processes"`
	Interrupted bool               `json:"interrupted"`
	Happened    happened           `json:"happened"`
	Messages    int                `json:"messages"`
	Outside     int                `json:"outside"`
	Longest     float64            `json:"longest"`
	Validation  any                `json:"validation"`
	Foreign     string             `json:"foreign"`
	Cut         string             `json:"cut"`
	Untimely    string             `json:"untimely"`
	Assumptions []string           `json:"assumptions"`
	Judged      []string           `json:"judged"`
	Violations  []broken           `json:"violations"`
	Excused     []string           `json:"excused"`
	Responses   []float64          `json:"responses"`
	Predicted   []float64          `json:"predicted"`
	Logs        string             `json:"logs"`
}

// happened has the faults that happened.
type happened struct {
	Kills      int `json:"kills"`
	Restarts   int `json:"restarts"`
	Lost       int `json:"lost"`
	Dropped    int `json:"dropped"`
	Late       int `json:"late"`
	Partitions int `json:"partitions"`
	Lies       int `json:"lies"`
}

// A broken is the JSON of a violation.
type broken struct {
	Claim string `json:"claim"`
	Text  string `json:"text"`
	Step  int    `json:"step"`
}

func newRun(p *model.Protocol, variant string, r *live.Result, f *liveFlags) liveRun {
	out := liveRun{Schema: 1, Protocol: p.Name, Variant: variant, Config: verdict.NewConfig(p, r.Config), Seconds: f.length.Seconds(), TickSeconds: f.tick.Seconds(),
		Processes: r.Nodes, Interrupted: r.Interrupted, Happened: happened(r.Tally), Messages: r.Delays.Messages, Outside: r.Delays.Outside, Longest: r.Delays.Longest,
		Validation: validating.JSON(p, variant, r.Validation, ""), Foreign: r.Foreign, Cut: r.Cut, Untimely: r.Untimely, Assumptions: append([]string{}, r.Assumptions...),
		Judged: append([]string{}, r.Judged...), Violations: []broken{}, Excused: []string{},
		Responses: append([]float64{}, r.Responses...), Predicted: append([]float64{}, r.Predicted...), Logs: f.dir}
	for _, x := range r.Violations {
		out.Violations = append(out.Violations, broken{x.Claim, x.Text, x.Step})
		if r.Excused(x) {
			out.Excused = append(out.Excused, x.Claim)
		}
	}
	return out
}
