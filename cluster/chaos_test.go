package cluster_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Workers and the server are killed again and again. In the end the results equal the results of one
// undisturbed worker: no job is lost, and no job counts twice.
func TestChaos(t *testing.T) {
	parts := append([]string{"--silence", "2s"}, small...)
	kills, times := 2, 1
	if *full {
		parts = strings.Fields("--silence 3s --each 500 -- check backoff ricartagrawala -- mutants backoff ricartagrawala -- run backoff -n 2 --schedules 20000 -- selftest --systems 2000")
		kills, times = 12, *runs
	}
	calm := t.TempDir()
	t.Chdir(calm)
	out := start(t, append([]string{"campaign", "start", "calm", "--workers", "1", "--json"}, parts...))
	want := summed(t, out)
	for n := range times {
		t.Run(fmt.Sprint(n), func(t *testing.T) { chaos(t, parts, kills, want) })
	}
}

// start runs the tool until it exits with a code for a complete result: 0, or 1 for a violation.
func start(t *testing.T, args []string) string {
	t.Helper()
	c := exec.Command(os.Args[0], args...)
	var errs strings.Builder
	c.Stderr = &errs
	out, err := c.Output()
	if code := c.ProcessState.ExitCode(); code != 0 && code != 1 {
		t.Fatalf("%v: %v\n%s", args, err, errs.String())
	}
	return string(out)
}

// chaos does the campaign with four workers. It kills a worker now and then, and the server twice.
func chaos(t *testing.T, parts []string, kills int, want sumOf) {
	dir := t.TempDir()
	t.Chdir(dir)
	server := process(t, dir, append([]string{"campaign", "start", "wild", "--workers", "0"}, parts...)...)
	waits(t, "there is a campaign", func() bool { return answers("status", "wild") })
	workers := make([]*running, 4)
	for i := range workers {
		workers[i] = process(t, dir, "worker", "wild")
	}
	random := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano())))
	for n := range kills {
		time.Sleep(time.Duration(random.IntN(1500)) * time.Millisecond)
		i := random.IntN(len(workers))
		workers[i].end()
		if n == kills/3 || n == 2*kills/3 {
			server.end()
			server = process(t, dir, "campaign", "resume", "wild", "--workers", "0")
		}
		workers[i] = process(t, dir, "worker", "wild")
	}
	waits(t, "all jobs are done", func() bool {
		for i, w := range workers { // a worker that started while the server was away has exited
			if !w.alive() {
				workers[i] = process(t, dir, "worker", "wild")
			}
		}
		return !server.alive()
	})
	for _, w := range workers {
		w.end()
	}
	got := summed(t, start(t, []string{"campaign", "results", "wild", "--json"}))
	if got.Sum != want.Sum || got.Done != want.Done || got.Jobs != want.Jobs || got.Aside != 0 {
		t.Errorf("the results are %+v, but undisturbed %+v\n%s", got, want, said(t, dir))
	}
	t.Logf("%d jobs; CPU of the outcomes that count %.1f s, undisturbed %.1f s", got.Jobs, got.CPU, want.CPU)
}

// answers reports whether a verb of campaign succeeds.
func answers(args ...string) bool {
	return exec.Command(os.Args[0], append([]string{"campaign"}, args...)...).Run() == nil
}
