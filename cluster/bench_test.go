package cluster_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkStart measures how long a campaign takes from its command to the first event of its first job, on this machine.
func BenchmarkStart(b *testing.B) {
	var first, whole time.Duration
	for range b.N {
		dir := b.TempDir()
		gate := filepath.Join(dir, "gate")
		c := exec.Command(os.Args[0], "campaign", "start", "one", "--", "check", "gated", "-n", "1")
		c.Dir, c.Env = dir, append(os.Environ(), gateFile+"="+gate)
		begin := time.Now()
		if err := c.Start(); err != nil {
			b.Fatal(err)
		}
		for _, err := os.Stat(gate + ".began"); err != nil; _, err = os.Stat(gate + ".began") {
			if time.Since(begin) > time.Minute {
				b.Fatal("no job begins within a minute")
			}
			time.Sleep(time.Millisecond)
		}
		first += time.Since(begin)
		if err := os.WriteFile(gate, nil, 0o600); err != nil {
			b.Fatal(err)
		}
		open := time.Now()
		if err := c.Wait(); err != nil {
			b.Fatal(err)
		}
		whole += time.Since(open)
	}
	b.ReportMetric(first.Seconds()/float64(b.N), "s-to-first-job")
	b.ReportMetric(whole.Seconds()/float64(b.N), "s-from-job-to-end")
}

// BenchmarkOverhead measures the processor time of a campaign with jobs of a second or more, and of the
// commands that do the same work.
func BenchmarkOverhead(b *testing.B) {
	const each, jobs = 10_000, 5
	cpu := func(args ...string) float64 {
		c := exec.Command(os.Args[0], args...)
		c.Dir = b.TempDir()
		if out, err := c.CombinedOutput(); err != nil && c.ProcessState.ExitCode() != 3 {
			b.Fatalf("%v: %v\n%s", args, err, out)
		}
		return (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds() // including the processes that it started
	}
	var plain, campaign float64
	for range b.N {
		for seed := range jobs {
			plain += cpu("run", "backoff", "-n", "6", "--schedules", fmt.Sprint(each), "--seed", fmt.Sprint(seed), "--workers", "1")
		}
		campaign += cpu("campaign", "start", "one", "--workers", "1", "--each", fmt.Sprint(each), "--", "run", "backoff", "-n", "6", "--schedules", fmt.Sprint(each*jobs), "--seed", "0")
	}
	b.ReportMetric(plain/float64(b.N)/jobs, "s-each-job")
	b.ReportMetric(100*(campaign/plain-1), "%-overhead")
}
