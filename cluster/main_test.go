package cluster_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"contend/checker/verify"
	"contend/cluster"
	"contend/impl/backoff"
	"contend/impl/ricartagrawala"
	"contend/model"
)

var (
	full = flag.Bool("full", false, "kill more, in a campaign that takes minutes")
	runs = flag.Int("runs", 1, "with -full: how often")
)

// asTool makes the test program a tool: in the processes that tests start, and in their child processes.
const asTool = "CONTEND_TEST_AS_TOOL"

// suite is the suite of the tests' tool. One of its protocols kills the process that checks it.
var suite = []*model.Protocol{backoff.Protocol, ricartagrawala.Protocol, deadly, gated}

func TestMain(m *testing.M) {
	if os.Getenv(asTool) != "" {
		verify.Main(suite, cluster.Verbs)
	}
	if err := os.Setenv(asTool, "1"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// deadly is a protocol whose handler ends the process: Go has no way to catch that.
var deadly = &model.Protocol{
	Name: "deadly", Title: "A handler that ends its process", Source: "a test",
	Params: []model.Parameter{model.N},
	Build: func(c model.Config) (*model.System, error) {
		return &model.System{Nodes: []model.NodeSpec{{Name: "s1", New: func() model.Node { return &dies{} }}}}, nil
	},
	Claims: []model.Claim{{Name: "lives", Source: "a test", Kind: model.Always, Invariant: func([]model.Node) error { return nil }}},
}

type dies struct{ Started bool }

func (d *dies) Start(model.Env) {
	fmt.Fprintln(os.Stderr, "these are its last words")
	os.Exit(7)
}

// verifies runs the tool in this process and checks its exit code.
func verifies(t *testing.T, code int, args ...string) (out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	if got := verify.Run(suite, args, &o, &e, cluster.Verbs); got != code {
		t.Fatalf("verify %s exits with %d, not %d:\n%s%s", strings.Join(args, " "), got, code, &o, &e)
	}
	return o.String(), e.String()
}

// says checks that a text contains another text.
func says(t *testing.T, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("it should say %q, but says\n%s", part, text)
	}
}

// sumOf is the line that ends results as JSON.
type sumOf struct {
	Jobs, Done, Aside int
	Sum               string
	CPU, Seconds      float64
}

func summed(t *testing.T, out string) (s sumOf) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &s); err != nil || s.Sum == "" {
		t.Fatalf("the results end with %s: %v", lines[len(lines)-1], err)
	}
	return s
}

// running is a process of the tool.
type running struct {
	*exec.Cmd
	over chan struct{} // is closed when it has ended
}

func (r *running) alive() bool {
	select {
	case <-r.over:
		return false
	default:
		return true
	}
}

// end kills the process.
func (r *running) end() {
	_ = r.Process.Kill() // it may have ended already
	<-r.over
}

// process starts the tool in a new process. Its output goes to a file.
func process(t *testing.T, dir string, args ...string) *running {
	t.Helper()
	c := exec.Command(os.Args[0], args...)
	c.Dir = dir
	f, err := os.CreateTemp(dir, "said-"+args[0]+"-*.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c.Stdout, c.Stderr = f, f
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	r := &running{c, make(chan struct{})}
	go func() {
		_ = c.Wait() // its output shows how it ended
		close(r.over)
	}()
	t.Cleanup(r.end)
	return r
}

// said returns the output of the processes of a directory.
func said(t *testing.T, dir string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "said-*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&all, "%s: %s\n", filepath.Base(name), b)
	}
	return all.String()
}

// waits waits until something is so.
func waits(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Minute); !is(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("ten minutes pass, but not until %s", what)
		}
	}
}
