package measure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/measure/simulate"
	"contend/impl/backoff"
	"contend/impl/quorumlock"
	"contend/impl/ricartagrawala"
	"contend/model"
)

// six is the smallest system with a server that may be faulty.
var six = model.Config{N: 6, B: 1}.With(model.Delay.Is(1), backoff.Section.Is(10))

func options(contenders []int, runs int, faulty ...string) Options {
	return Options{Contenders: contenders, Faulty: faulty, Law: simulate.Uniform, Runs: runs, Seed: 1, Workers: 2, MaxEvents: 1_000_000}
}

func measured(t *testing.T, variants []string, c model.Config, opt Options) *Report {
	t.Helper()
	r, err := Measure(backoff.Protocol, variants, c, opt)
	require.NoError(t, err)
	return r
}

// covers asks for the interval of a seeded measurement to contain the known value.
func covers(t *testing.T, e Estimate, truth float64, what string) {
	t.Helper()
	assert.True(t, e.Low <= truth && truth <= e.High, "%s is %v, but should contain %.4f", what, e, truth)
	assert.Less(t, e.Half(), 0.05*truth, "%s is too vague to tell", what)
}

// orderMean is the mean of the k-th smallest of n round trips, each the sum of two
// delays uniform on [0, 1], by integration.
func orderMean(k, n int) float64 {
	sum, step := 0.0, 1e-4
	for x := step / 2; x < 2; x += step {
		f := x * x / 2
		if x > 1 {
			f = 1 - (2-x)*(2-x)/2
		}
		below := 0.0 // probability that k or more are below x
		for i := k; i <= n; i++ {
			binomial := math.Gamma(float64(n+1)) / math.Gamma(float64(i+1)) / math.Gamma(float64(n-i+1))
			below += binomial * math.Pow(f, float64(i)) * math.Pow(1-f, float64(n-i))
		}
		sum += (1 - below) * step
	}
	return sum
}

// One contender alone waits for the fifth of six servers, or of five when one is silent,
// tries once, and never waits longer than 2δ, whatever Δ is.
func TestAlone(t *testing.T) {
	for _, section := range []model.Ticks{1, 1000} {
		c := six.With(backoff.Section.Is(section))
		opt := options([]int{1}, 4000, "none", "silent", "worst")
		opt.Seed = 2 // one interval in twenty misses, and with seed 1 one of these does
		r := measured(t, []string{""}, c, opt)
		require.Len(t, r.Points, 3)
		for i, messages := range []float64{12, 11, 11} {
			p := r.Points[i]
			assert.Equal(t, Estimate{1, 1, 1}, p.Tries)
			assert.Equal(t, Estimate{messages, messages, messages}, p.Messages)
			assert.LessOrEqual(t, p.Largest, 2.0)
			assert.Greater(t, p.Largest, 1.7)
			assert.Equal(t, p.Amortised, p.Last)
		}
		covers(t, r.Points[0].Amortised, orderMean(5, 6), "without faulty servers")
		covers(t, r.Points[1].Amortised, orderMean(5, 5), "with a silent one")
		covers(t, r.Points[2].Amortised, orderMean(4, 5), "with one that answers at once")
		assert.Equal(t, Consistent, r.Assessments[0].Verdict)
		assert.Equal(t, Open, r.Assessments[1].Verdict, "one point is no growth")
	}
	for law, waits := range map[simulate.Law]float64{simulate.Slowest: 2, simulate.Fastest: 0} {
		opt := options([]int{1, 2}, 10, "none")
		opt.Law = law
		p := measured(t, []string{""}, six, opt).Points[0]
		assert.Equal(t, Estimate{waits, waits, waits}, p.Amortised)
	}
}

// Two clients at one server, without delays: one enters at once, the other after one
// sleep, which is uniform on [D, 2D].
func TestTwoAtOneServer(t *testing.T) {
	opt := options([]int{2}, 2000, "none")
	opt.Law = simulate.Fastest
	p := measured(t, []string{""}, model.Config{N: 1}.With(model.Delay.Is(2), backoff.Section.Is(12)), opt).Points[0]
	assert.Equal(t, 20.0, p.Unit)
	covers(t, p.Last, 30, "the last return")
	covers(t, p.Amortised, 15, "the mean")
	covers(t, p.First, 15, "either is the first to be served")
	covers(t, p.P99, 20+20*0.98, "the 99th percentile: the 98th of the second client's wait")
	assert.Equal(t, Estimate{1.5, 1.5, 1.5}, p.Tries)
	assert.Equal(t, Estimate{3, 3, 3}, p.Messages)
}

// A measurement depends on the seed alone: not on the number of workers, nor on what
// else is measured.
func TestSeeds(t *testing.T) {
	opt := options([]int{2, 5}, 300, "none", "random", "worst")
	opt.Workers = 4
	want := measured(t, []string{"", "quadratic"}, six, opt)
	opt.Workers = 1
	assert.Equal(t, want, measured(t, []string{"", "quadratic"}, six, opt))
	alone := measured(t, []string{"quadratic"}, six, options([]int{5}, 300, "random"))
	assert.Equal(t, want.Points[9], alone.Points[0])
	opt.Seed = 2
	assert.NotEqual(t, want.Points[1].Amortised, measured(t, []string{""}, six, opt).Points[1].Amortised)
}

// Where no server is faulty all run the code of the variant: of a lone list of delayed
// replies the client with the lowest id takes its turn before the others.
func TestHonestServersAreOfTheVariant(t *testing.T) {
	m := &measuring{p: backoff.Protocol, c: backoff.Protocol.Filled(six)}
	for variant, want := range map[string]string{"enqueue": "*backoff.queueServer", "": "*backoff.Server"} {
		s, err := m.setting(Series{"backoff", variant, "none"}, 3, simulate.Silent)
		require.NoError(t, err)
		for _, n := range s.System.Nodes[:6] {
			assert.False(t, n.Byzantine)
			assert.Equal(t, want, fmt.Sprintf("%T", n.New()))
		}
	}
	p := measured(t, []string{"enqueue"}, six, options([]int{8}, 300, "none")).Points[0]
	assert.Less(t, p.First.High, p.Amortised.Low)
}

// What liars say matters: the worst say LOCKED, and then clients wait longer.
func TestWorst(t *testing.T) {
	r := measured(t, []string{""}, six, options([]int{16}, 300, "none", "worst"))
	assert.Contains(t, r.Points[1].Says, "LOCKED")
	assert.Greater(t, r.Points[1].Amortised.Low, r.Points[0].Amortised.High)
}

// Runs that do not end are counted, and nothing is concluded from the others.
func TestUnfinished(t *testing.T) {
	r := measured(t, []string{"gives-up"}, six, options([]int{1, 4, 5, 6}, 20, "none"))
	assert.Zero(t, r.Points[0].Unfinished)
	assert.Equal(t, 20, r.Points[1].Unfinished)
	assert.Zero(t, r.Points[1].Amortised)
	assert.Empty(t, r.Fits)
	assert.Equal(t, []string{Consistent, Open, Open}, verdicts(r))
	opt := options([]int{8}, 10, "none")
	opt.MaxEvents = 100
	assert.Equal(t, 10, measured(t, []string{""}, six, opt).Points[0].Unfinished)
}

func verdicts(r *Report) []string {
	var out []string
	for _, a := range r.Assessments {
		out = append(out, a.Verdict)
	}
	return out
}

// A client that is denied at boot tries again, so that one alone takes more than a
// round trip: that is reported.
func TestAgainstOneRoundTrip(t *testing.T) {
	r := measured(t, []string{"locked-at-boot"}, six, options([]int{1}, 20, "none"))
	assert.Equal(t, Against, r.Assessments[0].Verdict)
	assert.Contains(t, r.Assessments[0].Why, "but a round trip is at most 2")
}

// Growth speaks against a line when it is steeper, over all and at the end, unless a line
// with an offset fits best. Where over all it is not, but at the end it is, it is open.
func TestGrowth(t *testing.T) {
	of := func(y func(t float64) float64) string {
		r := &Report{Study: backoff.Protocol.Study}
		for _, t := range []int{4, 8, 16, 32, 64} {
			is := y(float64(t))
			r.Points = append(r.Points, Point{T: t, Unit: 1, Amortised: Estimate{is, is, is}, Last: Estimate{is, is, is}})
		}
		r.conclude()
		return strings.Join(verdicts(r), " ")
	}
	assert.Equal(t, "open consistent consistent", of(func(t float64) float64 { return 5 * t }))
	assert.Equal(t, "open consistent consistent", of(func(t float64) float64 { return 5*t - 3 }))
	assert.Equal(t, "open consistent consistent", of(math.Sqrt))
	assert.Equal(t, "open open open", of(func(t float64) float64 { return 40*math.Sqrt(t) + t*t/4 }))
	assert.Equal(t, "open open open", of(func(t float64) float64 { return t * min(1+math.Log2(t)/20, 1.25) }))
	assert.Equal(t, "open against against", of(func(t float64) float64 { return t * math.Log2(t) }))
	assert.Equal(t, "open against against", of(func(t float64) float64 { return math.Pow(t, 1.3) }))
}

func TestInterrupted(t *testing.T) {
	opt := options([]int{2, 4, 8}, 30, "none")
	interrupt := make(chan struct{})
	opt.Interrupt = interrupt
	opt.Each = func(Point) error { close(interrupt); return nil }
	r := measured(t, []string{"", "quadratic"}, six, opt)
	assert.True(t, r.Interrupted)
	assert.Len(t, r.Points, 1)
	opt.Interrupt, opt.Each = nil, func(Point) error { return errors.New("no room") }
	_, err := Measure(backoff.Protocol, []string{""}, six, opt)
	assert.EqualError(t, err, "no room")
}

func TestRefusals(t *testing.T) {
	unstudied := *backoff.Protocol
	unstudied.Study = nil
	peers := *ricartagrawala.Protocol
	peers.Study = backoff.Protocol.Study
	endless := *quorumlock.Protocol
	endless.Study = backoff.Protocol.Study
	for _, c := range []struct {
		protocol *model.Protocol
		config   model.Config
		edit     func(o *Options)
		want     string
	}{
		{&unstudied, six, func(*Options) {}, "protocol backoff has no study: set its field Study to say what to measure; go doc contend/model.Study describes it"},
		{&peers, model.Config{}, func(*Options) {}, "protocol ricartagrawala has no clients that could contend: it reads no --clients"},
		{&endless, model.Config{}, func(*Options) {}, "quorumlock: a message may take for ever, so there is no response time to measure"},
		{backoff.Protocol, model.Config{N: 5, B: 1}, func(*Options) {}, "backoff: n is 5 with b = 1, but the protocol needs n > 5b (Chockler–Malkhi–Reiter §4); --beyond-bounds checks it all the same"},
		{backoff.Protocol, six, func(o *Options) { o.Contenders = nil }, "contenders: there are none"},
		{backoff.Protocol, six, func(o *Options) { o.Contenders = []int{0} }, "contenders has 0, but each must be 1 to 4096"},
		{backoff.Protocol, six, func(o *Options) { o.Contenders = []int{4097} }, "contenders has 4097, but each must be 1 to 4096"},
		{backoff.Protocol, six, func(o *Options) { o.Contenders = []int{4, 4} }, "contenders has 4 after 4, but they must ascend"},
		{backoff.Protocol, six, func(o *Options) { o.Runs = 1 }, "runs is 1, but must be 2 to 1000000"},
		{backoff.Protocol, six, func(o *Options) { o.MaxEvents = 0 }, "max-events is 0, but must be 1 or more"},
		{backoff.Protocol, six, func(o *Options) { o.Faulty = []string{"evil"} }, `faulty has "evil", but each must be one of none, silent, random, worst`},
		{backoff.Protocol, six, func(o *Options) { o.Faulty = []string{"none", "none"} }, "faulty has none twice"},
		{backoff.Protocol, model.Config{N: 3}, func(o *Options) { o.Faulty = []string{"silent"} }, "faulty has silent, but b is 0: no server may be faulty"},
	} {
		opt := options([]int{2}, 10, "none")
		c.edit(&opt)
		_, err := Measure(c.protocol, []string{""}, c.config, opt)
		assert.EqualError(t, err, c.want)
	}
}

// The page is well-formed, needs nothing else, and is the same each time.
func TestPage(t *testing.T) {
	opt := options([]int{1, 2, 4, 8, 16}, 20, "none", "worst")
	write := func() string {
		r := measured(t, []string{"", "cubic"}, six, opt)
		var b bytes.Buffer
		require.NoError(t, r.Page(&b, backoff.Protocol, opt, "verify measure <backoff> & more"))
		return b.String()
	}
	text := write()
	assert.Equal(t, text, write())
	wellFormed(t, text)
	assert.Contains(t, text, "verify measure &lt;backoff&gt; &amp; more")
	assert.Equal(t, 10, strings.Count(text, "<svg "))
	assert.Equal(t, 20+2*4+3*4, strings.Count(text, "<tr><td>"), "points, fits and statements")
	for _, foreign := range []string{"<script", "src=", `href="h`, "url(", "@import"} {
		assert.NotContains(t, text, foreign)
	}
	assert.Less(t, strings.LastIndex(text, "</svg>"), strings.Index(text, "<table"), "charts come first")
	assert.Less(t, strings.LastIndex(text, "</table>"), strings.Index(text, "<pre>"), "how it was measured comes last")
	assert.Equal(t, strings.Count(text, "http"), strings.Count(text, "http://www.w3.org/2000/svg"))
}

func wellFormed(t *testing.T, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else {
			require.NoError(t, err)
		}
	}
}

// With nothing measured there is a page all the same.
func TestEmptyPage(t *testing.T) {
	r := &Report{Study: backoff.Protocol.Study, Interrupted: true}
	var b bytes.Buffer
	require.NoError(t, r.Page(&b, backoff.Protocol, options(nil, 2), "verify"))
	wellFormed(t, b.String())
}
