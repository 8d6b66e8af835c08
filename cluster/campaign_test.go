package cluster_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/cluster/hub"
)

// small is a campaign of seconds, with a part of each verb.
var small = []string{"--each", "100", "--", "check", "backoff", "-n", "1", "--tries", "2", "--", "mutants", "backoff/lease-delta",
	"--", "run", "backoff", "-n", "2", "--schedules", "300", "--", "selftest", "--systems", "40", "--states", "40"}

// A campaign on this machine does all its jobs and prints the output of the verbs. Another campaign with the
// same parts and another number of workers has the same sum. The verb results prints the same output again.
func TestCampaign(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	page := filepath.Join(dir, "page.html")
	one, _ := verifies(t, 0, append([]string{"campaign", "start", "one", "--workers", "1", "--json", "--html", page}, small...)...)
	sum := summed(t, one)
	if sum.Jobs != 6 || sum.Done != 6 || sum.CPU <= 0 {
		t.Errorf("it ends with %+v", sum)
	}
	html, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(html), "6 of 6 jobs done") || strings.Contains(string(html), "http-equiv") {
		t.Errorf("the page, which is the last, is %s, %v", html, err)
	}
	two, _ := verifies(t, 0, append([]string{"campaign", "start", "two", "--workers", "3", "--json"}, small...)...)
	if got := summed(t, two); got.Sum != sum.Sum {
		t.Errorf("with three workers the sum is %s, with one %s", got.Sum, sum.Sum)
	}
	again, _ := verifies(t, 0, "campaign", "results", "one")
	says(t, again, "== check backoff -n 1 --tries 2\n")
	says(t, again, "1 of 1 mutant is caught by the claim it names.")
	says(t, again, " compared of 40 generated")
	says(t, again, "campaign one: 6 of 6 jobs done; sum "+sum.Sum[:16])
	list, _ := verifies(t, 0, "campaign", "status")
	says(t, list, "one: check backoff -n 1 --tries 2 -- mutants backoff/lease-delta -- ")
	status, _ := verifies(t, 0, "campaign", "status", "two")
	says(t, status, "campaign two: done; 6 of 6 jobs done, 0 in the queue")
	_, errs := verifies(t, 2, append([]string{"campaign", "start", "one"}, small...)...)
	says(t, errs, "there is a campaign one already: resume goes on with it")
	if after, _ := verifies(t, 0, "campaign", "results", "one", "--json"); summed(t, after).Sum != sum.Sum {
		t.Error("a start that is refused changes results")
	}
}

// A violation is written with its page, and makes the exit code.
func TestViolation(t *testing.T) {
	t.Chdir(t.TempDir())
	out, _ := verifies(t, 1, "campaign", "start", "bad", "--workers", "2", "--each", "60", "--out", "runs", "--html", "page.html", "--", "run", "backoff/lease-delta", "-n", "1", "--schedules", "100", "--", "fuzz", "backoff/lease-delta", "--inputs", "180", "--seed", "7")
	says(t, out, "violated")
	says(t, out, "backoff/lease-delta: 180 inputs, ")
	says(t, out, "  Lemma 1 is violated by a run of ")
	pages, err := filepath.Glob("runs/*.html")
	if err != nil || len(pages) == 0 {
		t.Errorf("there is no page of a violation: %v", err)
	}
	html, err := os.ReadFile("page.html")
	if err != nil || !strings.Contains(string(html), `<a href="runs/`) {
		t.Errorf("the campaign's page does not link to the violation's: %v\n%s", err, html)
	}
}

// A job that kills its process is set aside after the third time, with its output. The other jobs are done.
func TestDeadly(t *testing.T) {
	t.Chdir(t.TempDir())
	out, errs := verifies(t, 3, "campaign", "start", "dead", "--workers", "2", "--", "check", "deadly", "-n", "1", "--", "check", "backoff", "-n", "1", "--tries", "1")
	says(t, errs, "check deadly (1 of 1), is set aside: it ended 3 processes, the last with exit status 7")
	says(t, errs, "these are its last words")
	says(t, out, "2 of 2 jobs done")
}

// With a budget that is spent no further job begins, and with another none is lost.
func TestBudget(t *testing.T) {
	t.Chdir(t.TempDir())
	_, errs := verifies(t, 3, "campaign", "start", "short", "--workers", "1", "--each", "50", "--for", "1ms", "--repeat", "--", "run", "backoff", "-n", "2", "--schedules", "5000")
	says(t, errs, "campaign short is stopped: its budget of 1ms is spent")
	out, _ := verifies(t, 3, "campaign", "results", "short", "--json")
	if s := summed(t, out); s.Done < 1 || s.Done >= s.Jobs {
		t.Errorf("of %d jobs %d are done", s.Jobs, s.Done)
	}
}

// Jobs use the findings of other jobs, each in a separate process or all in one. The results do not depend on
// the number of workers.
func TestLearned(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	sums := map[string]bool{}
	for _, workers := range []string{"1", "3"} {
		args := "campaign start by" + workers + " --json --workers " + workers + " --each 40 -- run backoff -n 2 --schedules 320 -- fuzz backoff --inputs 320"
		out, _ := verifies(t, 0, strings.Fields(args)...)
		is := summed(t, out)
		if is.Done != 16 {
			t.Errorf("%d jobs are done", is.Done)
		}
		sums[is.Sum] = true
	}
	if len(sums) != 1 {
		t.Errorf("the sums are %v", sums)
	}
	out, _ := verifies(t, 0, "campaign", "results", "by3")
	says(t, out, "all seeds but the first began with what others covered")
}

// What cannot be is refused in one sentence, with exit code 2, and nothing is written.
func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, x := range []struct{ args, says string }{
		{"campaign", "campaign needs one of start, status"},
		{"campaign begin", `campaign has no verb "begin"`},
		{"campaign start", "campaign start needs a name"},
		{"campaign start A.b", `"A.b" is no name`},
		{"campaign start a nothing", `"nothing" is no verb of a part`},
		{"campaign start a -- check nothing", `has no protocol "nothing"`},
		{"campaign start a -- check --", "a part has 0 words"},
		{"campaign start a --for 0s", "--for is 0s"},
		{"campaign start a --each 0", "--each is 0"},
		{"campaign start a --workers -1", "workers is -1"},
		{"campaign start a --threads 0", "threads is 0"},
		{"campaign start a --silence 1ms", "--silence is 1ms"},
		{"campaign start a --replicas 9", "replicas is 9"},
		{"campaign start a --listen 0.0.0.0:0", "needs --tls-cert and --tls-key"},
		{"campaign start a --ca x", "--ca is set, but has no effect without --server"},
		{"campaign start a --server nats://127.0.0.1:1 --html x", "--html is set, but has no effect with --server"},
		{"campaign start a --server nats://127.0.0.1:1 --dir x", "--dir is set, but --server names"},
		{"campaign start a --server nats://127.0.0.1:1", "the server nats://127.0.0.1:1 cannot be reached"},
		{"campaign start a --server nats://192.0.2.1:4222", "not on loopback: it needs --creds"},
		{"campaign start a --each x", `--each is "x"`},
		{"campaign results", "campaign results needs the name"},
		{"campaign results a", "no campaign is kept in contend-campaigns: if its start was cut short, start it again"},
		{"campaign status a b", "campaign status takes one campaign at most"},
		{"campaign stop a", "no campaign is kept in contend-campaigns: if its start was cut short, start it again"},
		{"campaign resume a", "no campaign is kept in contend-campaigns: if its start was cut short, start it again"},
		{"worker", "no server has used contend-campaigns"},
		{"worker a b", "worker takes one campaign at most"},
		{"worker --workers 0", "workers is 0"},
		{"worker --server http://x", "must be nats://HOST:PORT"},
	} {
		_, errs := verifies(t, 2, strings.Split(x.args, " ")...)
		says(t, errs, x.says)
		if strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: it is one sentence: %s", x.args, errs)
		}
	}
	if all, err := os.ReadDir(dir); err != nil || len(all) > 0 {
		t.Errorf("what is refused leaves %v, %v", all, err)
	}
}

// Workers, and users who resume it, refuse a campaign of another build with both builds in the error. A
// damaged campaign is refused with its name.
func TestOtherBuild(t *testing.T) {
	t.Chdir(t.TempDir())
	s, err := hub.Start(hub.Options{Dir: "contend-campaigns"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	h, err := s.Access().Connect(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	kv, err := h.Bucket(t.Context(), hub.StoreConfig{Name: "campaigns", MaxValue: 256 << 10})
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Repeat("ab", 32)
	spec := `{"schema":1,"name":"old","build":{"version":"verify 0.9","sum":"` + other + `"},"parts":[["check"]],"each":1000,"for":0,"repeat":false}`
	state := `{"schema":1,"phase":"running","rounds":1,"filled":0,"silence":15000000000,"replicas":1}`
	for key, value := range map[string]string{"old.spec": spec, "old.state": state, "torn.spec": spec[:40], "torn.state": state} {
		if _, err := kv.Create(t.Context(), key, []byte(value)); err != nil {
			t.Fatal(err)
		}
	}
	own, err := hub.Own()
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"worker old", "campaign resume old", "campaign results old", "campaign status old"} {
		_, errs := verifies(t, 2, strings.Fields(args)...)
		says(t, errs, "campaign old is of another build: verify 0.9 (abababababab)")
		says(t, errs, own.String())
	}
	_, errs := verifies(t, 2, "campaign", "results", "torn")
	says(t, errs, "campaign torn: the campaign's specification: ")
	_, errs = verifies(t, 2, "worker")
	says(t, errs, "campaign old is of another build")
}
