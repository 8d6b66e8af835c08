package campaign_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"contend/checker"
	"contend/checker/verify/console"
	"contend/checker/verify/tool"
	"contend/cluster/campaign"
	"contend/cluster/hub"
	"contend/impl/backoff"
	"contend/impl/ricartagrawala"
	"contend/model"
)

func newTool() *tool.Tool {
	return &tool.Tool{Suite: []*model.Protocol{backoff.Protocol, ricartagrawala.Protocol}, Out: io.Discard, Err: io.Discard, Status: console.NewStatus(io.Discard)}
}

// specOf returns a specification of parts, each a line.
func specOf(t testing.TB, each int, lines ...string) *campaign.Spec {
	t.Helper()
	own, err := hub.Own()
	if err != nil {
		t.Fatal(err)
	}
	s := &campaign.Spec{Schema: 1, Name: "night", Build: own, Each: each}
	for _, line := range lines {
		s.Parts = append(s.Parts, strings.Fields(line))
	}
	return s
}

func workOf(t testing.TB, s *campaign.Spec) *campaign.Work {
	t.Helper()
	w, err := s.Work(newTool())
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// done does jobs in this process, from their encoded forms, and returns the store of runs.
func done(t testing.TB, w *campaign.Work, numbers []int) ([]*campaign.Outcome, map[string][]byte) {
	t.Helper()
	all, runs := make([]*campaign.Outcome, w.Round(1)), map[string][]byte{}
	for _, n := range numbers {
		o, _, err := w.Do(w.Job(n), campaign.Doing{Worker: fmt.Sprint("w", n%3), Threads: 1 + n%2})
		if err != nil || o == nil {
			t.Fatalf("job %d: %v, %v", n, o, err)
		}
		for name, data := range o.Traces() {
			runs[name] = data
		}
		data, err := o.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		if all[n], err = w.ReadOutcome(w.Job(n), data); err != nil {
			t.Fatal(err)
		}
	}
	return all, runs
}

func union(t testing.TB, w *campaign.Work, all []*campaign.Outcome, runs map[string][]byte) *campaign.Union {
	t.Helper()
	u, err := w.Union(all, func(object string) ([]byte, error) {
		if data, has := runs[object]; has {
			return data, nil
		}
		return nil, fmt.Errorf("there is no object %.12s", object)
	})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func upTo(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

// The results of a campaign do not depend on the order of its jobs, nor on the number of threads.
func TestOrder(t *testing.T) {
	s := specOf(t, 50, "check backoff -n 1 --tries 1", "run backoff -n 2 --schedules 170", "run backoff/lease-delta -n 1 --schedules 120", "selftest --systems 60 --states 50")
	w := workOf(t, s)
	if w.Round(1) != 1+4+3+2 {
		t.Fatalf("there are %d jobs", w.Round(1))
	}
	all, runs := done(t, w, upTo(w.Round(1)))
	u := union(t, w, all, runs)
	back := upTo(w.Round(1))
	slices.Reverse(back)
	again, runs := done(t, w, back)
	v := union(t, w, again, runs)
	if u.Sum() != v.Sum() || u.Done != u.Jobs {
		t.Errorf("the sums are %s and %s; %d of %d jobs are done", u.Sum(), v.Sum(), u.Done, u.Jobs)
	}
	fewer, runs := done(t, w, back[1:])
	if f := union(t, w, fewer, runs); f.Sum() == u.Sum() || f.Done != u.Jobs-1 {
		t.Error("a campaign with a job less has the same sum")
	}
	rows := u.Rows[1][0]
	if len(rows) != 1 || rows[0].Schedules != 170 {
		t.Errorf("170 schedules were asked for, but there are %+v", rows[0])
	}
	if got := u.Tallies[3].Systems; got != 60 {
		t.Errorf("60 systems were asked for, but there are %d", got)
	}
	broken := u.Rows[2][0][0]
	i := slices.IndexFunc(broken.Claims, func(c checker.ClaimResult) bool { return c.Name == "Lemma 1" })
	if broken.Verdict != checker.Violated || broken.Claims[i].Counterexample == nil || broken.Claims[i].Steps != len(broken.Claims[i].Counterexample.Steps) {
		t.Errorf("the mutant is not caught: %+v", broken)
	}
}

// A job does the work of the verb: its row equals the checker's row, except for times.
func TestRowIsTheCheckers(t *testing.T) {
	w := workOf(t, specOf(t, 1000, "check backoff -n 1 --tries 2"))
	all, runs := done(t, w, []int{0})
	row := union(t, w, all, runs).Rows[0][0][0]
	of := w.Parts[0].Plan.Jobs[0]
	want, err := checker.Check(of.Protocol, of.Check, w.Parts[0].Plan.Options)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*checker.Row{row, want[0]} {
		r.Seconds, r.BytesPer, r.HandlerCalls = 0, 0, 0
	}
	a, errA := json.Marshal(row)
	b, errB := json.Marshal(want[0])
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Errorf("the row is\n%s\nand the checker's\n%s", a, b)
	}
}

// A run that does not violate its claim is no violation, whoever reports it. A report without a run is no
// violation, too.
func TestConfirmed(t *testing.T) {
	w := workOf(t, specOf(t, 100, "run backoff/lease-delta -n 1 --schedules 100"))
	fresh := func() ([]*campaign.Outcome, map[string][]byte) { return done(t, w, []int{0}) }
	all, _ := fresh()
	if len(all[0].Runs) == 0 {
		t.Fatal("nothing is violated")
	}
	object := all[0].Runs[0].Object
	for _, x := range []struct {
		is   string
		edit func(o *campaign.Outcome, runs map[string][]byte)
	}{
		{"there is no object", func(_ *campaign.Outcome, runs map[string][]byte) { delete(runs, object) }},
		{"are not those that were kept", func(_ *campaign.Outcome, runs map[string][]byte) { runs[object] = append(runs[object], ' ') }},
		{"without a run", func(o *campaign.Outcome, _ map[string][]byte) { o.Runs = nil }},
		{"it is of ", func(o *campaign.Outcome, _ map[string][]byte) { o.Rows[0].Claims[o.Runs[0].Claim].Name = "another" }},
	} {
		all, runs := fresh()
		x.edit(all[0], runs)
		row := union(t, w, all, runs).Rows[0][0][0]
		i := slices.IndexFunc(row.Claims, func(c checker.ClaimResult) bool { return strings.Contains(c.Limit.String(), x.is) })
		if i < 0 || !row.Claims[i].Internal() || row.Claims[i].Verdict != checker.Inconclusive {
			t.Errorf("%s: the claims are %+v", x.is, row.Claims)
		}
	}
}

// Further rounds have further seeds.
func TestRounds(t *testing.T) {
	s := specOf(t, 10, "check backoff -n 1 --tries 1", "run backoff -n 2 --schedules 25 --seed 5", "selftest --systems 15 --seed 100")
	s.Repeat = true
	w := workOf(t, s)
	if w.Round(1) != 6 || w.Round(3) != 6+2*5 {
		t.Fatalf("there are %d jobs, and in three rounds %d", w.Round(1), w.Round(3))
	}
	seeds := map[string]bool{}
	for n := range w.Round(4) {
		j := w.Job(n)
		if j.Number != n {
			t.Errorf("job %d has the number %d", n, j.Number)
		}
		key := fmt.Sprint(j.Part, j.Check, j.Seed)
		if seeds[key] {
			t.Errorf("job %d, %s, is there twice", n, w.Title(j))
		}
		seeds[key] = true
	}
	if j := w.Job(6); j.Seed != 8 || j.Count != 10 {
		t.Errorf("the second round begins with %+v", j)
	}
}

// A job that learns begins with the additions of all jobs of earlier generations, whoever did them, and with
// nothing else. The results do not depend on the order within a generation. Each generation is ready exactly
// when the previous generation is done.
func TestGenerations(t *testing.T) {
	s := specOf(t, 40, "check backoff -n 1 --tries 1", "run backoff -n 2 --schedules 240", "fuzz backoff --inputs 240", "run backoff -n 2 --schedules 80 --strategy random", "run backoff -n 2 --schedules 80 --strategy reward --seed 3")
	s.Repeat = true
	w := workOf(t, s)
	jobs := w.Round(2) // 1 + 6 + 6 + 2 + 2, and all but the first again
	var sums []string
	var last []*campaign.Outcome
	for _, back := range []bool{false, true} {
		all, runs, queue := make([]*campaign.Outcome, jobs), map[string][]byte{}, []int{}
		is := func(n int) bool { return n < jobs && all[n] != nil }
		for n := range jobs {
			if w.Ready(w.Job(n), is) {
				queue = append(queue, n)
			}
		}
		for len(queue) > 0 {
			if back {
				slices.Reverse(queue)
			}
			job := w.Job(queue[0])
			queue = queue[1:]
			if all[job.Number] != nil {
				continue
			}
			learned := campaign.Learned(nil)
			if w.Learns(job) {
				learned = w.EmptyLearned(job)
				for _, numbers := range w.Dependencies(job) {
					var added [][]byte
					for _, n := range numbers {
						if all[n] == nil {
							t.Fatalf("job %d begins before job %d is done", job.Number, n)
						}
						if all[n].Learned != "" {
							added = append(added, runs[all[n].Learned])
						}
					}
					if err := learned.Add(added...); err != nil {
						t.Fatal(err)
					}
				}
			}
			o, _, err := w.Do(job, campaign.Doing{Threads: 1, Learned: learned})
			if err != nil {
				t.Fatal(err)
			}
			all[job.Number] = o
			for name, data := range o.Traces() {
				runs[name] = data
			}
			if after := w.NextGeneration(job); len(after) > 0 && w.Ready(w.Job(after[0]), is) {
				for _, n := range after {
					if n < jobs {
						queue = append(queue, n)
					}
				}
			}
		}
		if n := slices.Index(all, nil); n >= 0 {
			t.Fatalf("job %d, %s, is never ready", n, w.Title(w.Job(n)))
		}
		sums, last = append(sums, union(t, w, all, runs).Sum()), all
	}
	if sums[0] != sums[1] {
		t.Errorf("the sums are %s and %s", sums[0], sums[1])
	}
	for _, n := range []int{5, 11, 16} { // the last of their checks but one: of the portfolio, of fuzz and of reward
		alone, _, err := w.Do(w.Job(n), campaign.Doing{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		a, errA := alone.Sum()
		b, errB := last[n].Sum()
		if errA != nil || errB != nil || a == b {
			t.Errorf("job %d, %s, comes to the same alone", n, w.Title(w.Job(n)))
		}
	}
	for n, want := range map[int][][]int{0: nil, 1: {}, 2: {{1}}, 4: {{1}, {2}}, 6: {{1}, {2}, {3, 4}}, 13: nil, 17: {{1}, {2}, {3, 4}}, 20: {{1}, {2}, {3, 4}, {5, 6, 17, 18}}} {
		if got := w.Dependencies(w.Job(n)); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("job %d goes on from %v, not %v", n, got, want)
		}
	}
}

// Inputs of fuzz targets are split into jobs, whose runs are added up in any order. The shortest run of each
// claim is stored. A run that is missing, or belongs to another claim, is no violation.
func TestFuzz(t *testing.T) {
	w := workOf(t, specOf(t, 1000, "fuzz backoff backoff/lease-delta --inputs 2500 --seed 7"))
	if w.Round(1) != 6 || w.Job(4).Seed != 8 || w.Title(w.Job(5)) != "fuzz backoff/lease-delta, 500 inputs of seed 9" {
		t.Fatalf("there are %d jobs, the last %s", w.Round(1), w.Title(w.Job(5)))
	}
	all, runs := done(t, w, upTo(6))
	var breaks []*campaign.Violation
	for _, o := range all[3:] {
		for i, v := range o.Fuzzed.Violations {
			if v.Claim == "Lemma 1" {
				breaks = append(breaks, &o.Fuzzed.Violations[i])
			}
		}
	}
	if len(breaks) < 2 {
		t.Fatalf("%d jobs break the mutant, but two are needed", len(breaks))
	}
	sum := union(t, w, all, runs).Sum()
	breaks[0].Object = strings.Repeat("ab", 32) // a missing run: the next job's run counts
	steps := breaks[1].Steps
	u := union(t, w, all, runs)
	again, runs := done(t, w, []int{5, 3, 1, 0, 2, 4})
	if other := union(t, w, again, runs).Sum(); other != sum || u.Sum() == sum {
		t.Errorf("the sums are %s, %s in another order, and %s with another run", sum, other, u.Sum())
	}
	if is := u.Fuzzed[0][0]; is.Inputs != 2500 || is.Steps == 0 || is.States == 0 || len(is.Violations) != 0 {
		t.Errorf("the protocol came to %+v", is)
	}
	is := u.Fuzzed[0][1]
	i := slices.IndexFunc(is.Violations, func(v campaign.Violation) bool { return v.Claim == "Lemma 1" })
	if i < 0 || is.Inputs != 2500 || is.Violations[i].Run == nil || is.Violations[i].Steps != steps || len(is.Violations[i].Run.Steps) != steps {
		t.Errorf("the mutant came to %+v", is)
	}
	for object := range runs {
		runs[object] = append(runs[object], ' ')
	}
	for _, v := range union(t, w, again, runs).Fuzzed[0][1].Violations {
		if v.Run != nil || !strings.Contains(v.Limit, "are not those that were kept") {
			t.Errorf("a run that was changed stands: %+v", v)
		}
	}
}

// What cannot be part of a campaign is refused in a sentence.
func TestRefused(t *testing.T) {
	for line, says := range map[string]string{
		"show x":                             `"show" is no verb of a part`,
		"check nothing":                      `has no protocol "nothing"`,
		"check --timeout 5s":                 "--timeout is set, but what the checks come to",
		"check backoff --workers 3":          "it is for each worker to say",
		"check backoff --checkpoint x":       "a job that is not done begins anew",
		"check backoff --out x":              "unknown flag: --out",
		"check backoff --help":               "it asks for no checks",
		"check -n 3":                         "a configuration is given, but no protocol",
		"run backoff --strategy exhaustive":  "run only samples",
		"run":                                "run needs a protocol",
		"run backoff --schedules 0":          "schedules is 0",
		"run backoff -n 2 -b 1":              "backoff: ",
		"mutants nothing":                    `has no protocol "nothing"`,
		"selftest --systems 0":               "systems is 0",
		"selftest --duration 5s":             "unknown flag: --duration",
		"fuzz nothing":                       `has no protocol "nothing"`,
		"fuzz backoff --inputs 0":            "inputs is 0",
		"fuzz --help":                        "it asks for no runs",
		"selftest one":                       `unknown command "one"`,
		"run backoff --schedules 2000000000": "a campaign has at most",
	} {
		_, err := specOf(t, 1000, line).Work(newTool())
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v; it should say %q", line, err, says)
		}
	}
	s := specOf(t, 1000, "check backoff -n 1 --tries 1")
	s.Repeat = true
	if _, err := s.Work(newTool()); err == nil || !strings.Contains(err.Error(), "--repeat is set") {
		t.Errorf("nothing can be repeated: %v", err)
	}
}

// damaged edits a valid text in many places.
func damaged(good []byte) [][]byte {
	all := [][]byte{nil, []byte("{}"), []byte("null"), []byte("[]"), append(slices.Clone(good), good...), good[:len(good)/2]}
	for i := 0; i < len(good); i += 7 {
		bad := slices.Clone(good)
		bad[i] ^= 0x15
		all = append(all, bad)
	}
	return all
}

func FuzzSpec(f *testing.F) {
	good, err := specOf(f, 50, "check backoff -n 1", "run backoff").Bytes()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	for _, bad := range damaged(good) {
		f.Add(bad)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := campaign.ReadSpec(data)
		if err != nil {
			return
		}
		again, err := s.Bytes()
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if _, err := campaign.ReadSpec(again); err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
	})
}

func FuzzOutcome(f *testing.F) {
	w := workOf(f, specOf(f, 20, "run backoff/lease-delta -n 1 --schedules 20", "selftest --systems 3 --states 20", "fuzz backoff/lease-delta --inputs 20"))
	all, runs := done(f, w, []int{0, 1, 2})
	for _, o := range all {
		good, err := o.Bytes()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(good)
		for _, bad := range damaged(good) {
			f.Add(bad)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		read := make([]*campaign.Outcome, 3)
		for n := range read {
			if o, err := w.ReadOutcome(w.Job(n), data); err == nil {
				read[n] = o
			}
		}
		if read[0] == nil && read[1] == nil && read[2] == nil {
			return
		}
		u := union(t, w, read, runs) // adding it up does not fail, whatever its content
		for _, rows := range u.Rows[0] {
			for _, row := range rows {
				for _, c := range row.Claims {
					if c.Verdict == checker.Violated && c.Counterexample == nil && c.Steps > 0 {
						t.Fatalf("%+v is violated without a run", c)
					}
				}
			}
		}
	})
}
