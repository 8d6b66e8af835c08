package live

import (
	"fmt"
	"math"
	"slices"

	"contend/checker/measure/chart"
	"contend/checker/measure/simulate"
	"contend/model"
)

// Bounds of a prediction.
const (
	predicted  = 20 // operations of an application; some states grow with their number
	mostEvents = 200_000
)

// predict returns the response times that a simulation has, in ticks, sorted; none if the run has none, or if the
// protocol has no response time. The simulated applications wait between calls as long as those of the run on average.
// Delays are uniform on their windows, and there are no faults but random lies.
func (r *running) predict(out *Result) error {
	if len(out.Responses) == 0 || !r.system.Synchronous() {
		return nil
	}
	s, err := r.p.System(live, r.c)
	if err != nil {
		return err
	}
	for i := range s.Nodes {
		script := slices.Clone(s.Nodes[i].Script[:min(predicted, len(s.Nodes[i].Script))])
		for k := range script {
			if script[k].After.Hi.At == model.Forever {
				script[k].After = model.By(2 * r.thought())
			}
		}
		s.Nodes[i].Script = script
	}
	setting, err := simulate.New(s, simulate.Uniform, simulate.Random, mostEvents)
	if err != nil {
		return nil
	}
	run, err := setting.Run(r.opt.Seed, 0)
	for _, w := range run.Waits {
		out.Predicted = append(out.Predicted, w.Ticks())
	}
	slices.Sort(out.Predicted)
	return err
}

// thought returns the mean time between two calls of an application, in ticks, if the page does not bound it.
func (r *running) thought() model.Ticks {
	if r.opt.Pace == 1 {
		return 1
	}
	return model.Ticks(math.Round(float64(r.opt.Pace-1) / math.Log(float64(r.opt.Pace)))) // of instants that are uniform in their logarithm
}

// Quantile returns the least time within which a share of the operations returned; 0 without operations. The times are
// sorted, and the share is in (0, 1].
func Quantile(times []float64, share float64) float64 {
	if len(times) == 0 {
		return 0
	}
	return times[min(max(int(math.Ceil(share*float64(len(times))))-1, 0), len(times)-1)]
}

// Chart returns the shares of operations that returned within a time, of the run and as predicted; nil without a
// prediction.
func (r *Result) Chart() *chart.Chart {
	if len(r.Predicted) == 0 {
		return nil
	}
	c := &chart.Chart{Name: "responses", Title: "Operations that returned within a time", X: "time (ticks)", Y: "share of operations", Symbol: "t",
		Text: fmt.Sprintf("Response times of %d operations of a run of processes, and of %d simulated operations.", len(r.Responses), len(r.Predicted))}
	for _, of := range []struct {
		name  string
		times []float64
	}{{"processes", r.Responses}, {"predicted", r.Predicted}} {
		l := chart.Line{Name: of.name}
		for share := 0.05; share < 1.01; share += 0.05 {
			if t := Quantile(of.times, share); t > 0 && (len(l.Points) == 0 || l.Points[len(l.Points)-1].X < t) {
				l.Points = append(l.Points, chart.Point{X: t, Y: share, Low: share, High: share})
			}
		}
		c.Lines = append(c.Lines, l)
	}
	return c
}
