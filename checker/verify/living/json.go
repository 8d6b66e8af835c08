package living

import (
	"contend/checker/live"
	"contend/checker/verdict"
	"contend/model"
)

// A liveRun is the JSON of a result, a stable contract.
type liveRun struct {
	Schema      int                `json:"schema"`
	Kind        string             `json:"kind"`
	Protocol    string             `json:"protocol"`
	Variant     string             `json:"variant"`
	Config      verdict.ConfigJSON `json:"config"`
	Seconds     float64            `json:"seconds"`
	TickSeconds float64            `json:"tickSeconds"`
	Processes   int                `json:"processes"`
	Happened    happened           `json:"happened"`
	Messages    int                `json:"messages"`
	Outside     int                `json:"outside"`
	Longest     float64            `json:"longest"`
	Verdict     string             `json:"verdict"`
	Limit       string             `json:"limit"`
	Entries     int                `json:"entries"`
	Prefix      int                `json:"prefix"`
	Stuck       []string           `json:"stuck"`
	Untimely    string             `json:"untimely"`
	Assumptions []string           `json:"assumptions"`
	Judged      []string           `json:"judged"`
	Violations  []broken           `json:"violations"`
	Responses   []float64          `json:"responses"`
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
	Claim   string `json:"claim"`
	Text    string `json:"text"`
	Step    int    `json:"step"`
	Excused bool   `json:"excused"`
}

func newRun(p *model.Protocol, variant string, r *live.Result, f *liveFlags) liveRun {
	v := r.Validation
	out := liveRun{Schema: 1, Kind: "live", Protocol: p.Name, Variant: variant, Config: verdict.NewConfig(p, r.Config), Seconds: f.length.Seconds(), TickSeconds: f.tick.Seconds(),
		Processes: r.Nodes, Happened: happened(r.Tally), Messages: r.Delays.Messages, Outside: r.Delays.Outside, Longest: r.Delays.Longest,
		Verdict: string(v.Verdict), Limit: v.Limit, Entries: v.Entries, Prefix: v.Prefix, Stuck: []string{}, Untimely: r.Untimely, Assumptions: append([]string{}, r.Assumptions...),
		Judged: append([]string{}, r.Judged...), Violations: []broken{}, Responses: append([]float64{}, r.Responses...), Logs: f.dir}
	for _, s := range v.Stuck {
		out.Stuck = append(out.Stuck, s.String())
	}
	for _, x := range r.Violations {
		out.Violations = append(out.Violations, broken{x.Claim, x.Text, x.Step, r.Excused(x)})
	}
	return out
}
