package cluster_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// One bit of the server's files is flipped, with -full in each byte in turn. Then the results are the same,
// or there is an error of one sentence. It names the job if the bit is in an outcome. If the checksum of the
// last record of a block is wrong, the server assumes that the record was not completely written, and drops
// it. Then this job is not done.
func TestFlipped(t *testing.T) {
	t.Chdir(t.TempDir())
	out, _ := verifies(t, 0, "campaign", "start", "one", "--workers", "1", "--each", "10", "--json", "--", "run", "backoff", "-n", "1", "--tries", "1", "--schedules", "20")
	want := summed(t, out).Sum
	const dir = "contend-campaigns"
	was := os.DirFS(dir)
	err := fs.WalkDir(was, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(was, file)
		if err != nil {
			return err
		}
		for _, at := range flips(file, len(data)) {
			flipped := bytes.Clone(data)
			flipped[at] ^= 1 << (at % 8)
			if err := copied(was, "flipped", file, flipped); err != nil {
				return err
			}
			var o, e bytes.Buffer
			code := boundedRun(t, &o, &e, "campaign", "results", "one", "--json", "--dir", "flipped")
			outcome := strings.Contains(file, "one-results/msgs/1.blk")
			switch {
			case strings.Contains(e.String(), "out of memory") || strings.Contains(e.String(), "cannot allocate memory"):
				t.Logf("%s, byte %d: the server takes more than %d KiB of memory to recover the file", file, at, mostMemory)
			case code == 0 && summed(t, o.String()).Sum == want && !outcome:
			case code == 2 && strings.Count(e.String(), "\n") == 1 && (!outcome || strings.Contains(e.String(), "the outcome of job ")):
			case code == 3 && outcome && at >= len(data)-8 && summed(t, o.String()).Done == 1:
			default:
				t.Errorf("%s, byte %d: exit code %d\n%s%s", file, at, code, o.String(), e.String())
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// mostMemory is the address space of a process that recovers a damaged file, in KiB. The server fills all memory with the numbers of lost
// messages if a damaged number is large.
const mostMemory = 8 << 20

// boundedRun runs the tool in a process with bounded memory. It returns the exit code.
func boundedRun(t *testing.T, out, errs *bytes.Buffer, args ...string) int {
	t.Helper()
	shell := fmt.Sprintf(`ulimit -v %d; exec "$0" "$@"`, mostMemory)
	c := exec.Command("sh", append([]string{"-c", shell, os.Args[0]}, args...)...)
	c.Stdout, c.Stderr = out, errs
	if err := c.Run(); err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode()
}

// flips returns the bytes of a file that are flipped in turn: all with -full, otherwise three of each block
// of values.
func flips(file string, size int) (at []int) {
	if *full {
		for i := range size {
			at = append(at, i)
		}
		return at
	}
	if !strings.HasSuffix(file, "1.blk") || !strings.Contains(file, "KV_") || size == 0 {
		return nil
	}
	return []int{1, size / 2, size - 1}
}

// copied copies a tree of files, with other contents of one file.
func copied(from fs.FS, to, file string, data []byte) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if err := os.CopyFS(to, from); err != nil {
		return err
	}
	path := filepath.Join(to, file)
	return os.WriteFile(path, data, 0o600)
}
