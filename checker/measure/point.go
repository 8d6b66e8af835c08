package measure

import (
	"math/rand/v2"

	"contend/checker/measure/simulate"
)

// A Series is a configuration that is measured for several numbers of contenders.
type Series struct {
	Protocol string `json:"protocol"`
	Variant  string `json:"variant"` // "" for the protocol as printed
	Faulty   string `json:"faulty"`  // name in [Behaviours]
}

// A Point is the measurement of a series with t contenders. Times are in ticks.
type Point struct {
	Schema int    `json:"schema"`
	Kind   string `json:"kind"` // "point"
	Series
	T          int `json:"t"`
	Runs       int `json:"runs"`
	Unfinished int `json:"unfinished"` // unfinished runs; the estimates omit them
	// Amortised is the expected mean time from the common start to the return, over the t clients. Median and
	// P99 are quantiles of one client's time.
	Amortised Estimate `json:"amortised"`
	Median    Estimate `json:"median"`
	P99       Estimate `json:"p99"`
	Largest   float64  `json:"largest"` // maximum of all clients in all runs; no estimate
	Last      Estimate `json:"last"`    // expected time until all have returned
	First     Estimate `json:"first"`   // of the client with the lowest id, possibly preferred by an option
	// Tries and Messages are means per entry. A try is a client's send to servers. Messages are those of all
	// correct nodes, with answers.
	Tries     Estimate `json:"tries"`
	Messages  Estimate `json:"messages"`
	MostTries float64  `json:"mostTries"` // maximum per entry of a run
	RoundTrip float64  `json:"roundTrip"` // longest round trip
	Unit      float64  `json:"unit"`      // unit of the study
	// Says is a message of faulty servers with the worst behaviour.
	Says string `json:"says,omitempty"`
}

// measured computes the estimates from at least two finished runs.
func (p *Point) measured(runs []simulate.Run, chance *rand.Rand) {
	var amortised, first, last, tries, messages []float64
	var waits [][]float64
	for _, r := range runs {
		some, sum := make([]float64, len(r.Waits)), 0.0
		for i, w := range r.Waits {
			some[i] = w.Ticks()
			sum += some[i]
			p.Largest = max(p.Largest, some[i])
		}
		entries := float64(len(r.Waits))
		waits = append(waits, some)
		amortised = append(amortised, sum/entries)
		first, last = append(first, r.First.Ticks()), append(last, r.Last.Ticks())
		tries = append(tries, float64(r.Tries)/entries)
		messages = append(messages, float64(r.Messages)/entries)
		p.MostTries = max(p.MostTries, float64(r.Tries)/entries)
	}
	p.Amortised, p.First, p.Last, p.Tries, p.Messages = mean(amortised), mean(first), mean(last), mean(tries), mean(messages)
	q := quantiles(waits, chance, 0.5, 0.99)
	p.Median, p.P99 = q[0], q[1]
}
