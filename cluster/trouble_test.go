package cluster_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"contend/cluster/hub"
	"contend/model"
)

// gateFile is the environment variable that names a file. The handlers of gated wait until the file exists.
// They create a file with the suffix .began.
const gateFile = "CONTEND_TEST_GATE"

// gated is a protocol whose check blocks until a test opens a gate, in a process that the test has started
// with a gate. In other processes it takes no time.
var gated = &model.Protocol{
	Name: "gated", Title: "A handler that waits for a file", Source: "a test",
	Params: []model.Parameter{model.N},
	Build: func(c model.Config) (*model.System, error) {
		return &model.System{Nodes: []model.NodeSpec{{Name: "s1", New: func() model.Node { return &waiter{} }}}}, nil
	},
	Claims: []model.Claim{{Name: "lives", Source: "a test", Kind: model.Always, Invariant: func([]model.Node) error { return nil }}},
}

type waiter struct{ Started bool }

func (w *waiter) Start(model.Env) {
	file := os.Getenv(gateFile)
	if file != "" {
		_ = os.WriteFile(file+".began", nil, 0o600) // a test that waits for it reports a timeout
	}
	for file != "" {
		if _, err := os.Stat(file); err == nil {
			break
		}
	}
	w.Started = true
}

// served returns a server of this process in contend-campaigns, below the working directory, and a connection
// to this server.
func served(t *testing.T, o hub.Options) (*hub.Server, *hub.Hub) {
	t.Helper()
	o.Dir = "contend-campaigns"
	s, err := hub.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	h, err := s.Access().Connect(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return s, h
}

// The server has no space. A campaign is refused with one sentence, and a worker keeps its results. When
// there is space again all jobs are done, with the results of an undisturbed campaign.
func TestFull(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	calm, _ := verifies(t, 0, append([]string{"campaign", "start", "calm", "--dir", "other", "--workers", "1", "--json"}, small...)...)
	_, h := served(t, hub.Options{MaxStore: 2 << 20})
	start := process(t, dir, append([]string{"campaign", "start", "wild", "--workers", "0"}, small...)...)
	waits(t, "there is a campaign", func() bool { return answers("status", "wild") })
	ballast, err := h.Bucket(t.Context(), hub.StoreConfig{Name: "ballast"})
	if err != nil {
		t.Fatal(err)
	}
	for n, err := 0, error(nil); err == nil; n++ {
		if _, err = ballast.Put(t.Context(), fmt.Sprint("k", n), make([]byte, 100_000)); err != nil && !hub.Full(err) {
			t.Fatal(err)
		}
	}
	_, errs := verifies(t, 2, append([]string{"campaign", "start", "late"}, small...)...)
	says(t, errs, "has no room: ")
	if strings.Count(errs, "\n") != 1 {
		t.Errorf("it is one sentence: %s", errs)
	}
	process(t, dir, "worker", "wild")
	waits(t, "the worker tells", func() bool { return strings.Contains(said(t, dir), "it keeps what came of job 0, and tries again") })
	before, _ := verifies(t, 3, "campaign", "results", "wild", "--json")
	if s := summed(t, before); s.Done != 0 || s.Jobs != 6 {
		t.Errorf("with no room there is %+v", s)
	}
	if err := h.JS.DeleteKeyValue(t.Context(), ballast.Bucket()); err != nil {
		t.Fatal(err)
	}
	waits(t, "all jobs are done", func() bool { return !start.alive() })
	after, _ := verifies(t, 0, "campaign", "results", "wild", "--json")
	if got, want := summed(t, after), summed(t, calm); got.Sum != want.Sum || got.Done != 6 {
		t.Errorf("with room again the results are %+v, but of a calm campaign %+v", got, want)
	}
}

// wire is a way to a server that can be cut.
type wire struct {
	net.Listener
	to   string
	lock sync.Mutex
	cut  bool
	open []net.Conn
}

func wired(t *testing.T, to string) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{Listener: l, to: to}
	t.Cleanup(func() { _ = l.Close(); w.set(true) })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			w.join(c)
		}
	}()
	return w
}

func (w *wire) join(c net.Conn) {
	w.lock.Lock()
	defer w.lock.Unlock()
	there, err := net.Dial("tcp", w.to)
	if err != nil || w.cut {
		_ = c.Close()
		return
	}
	w.open = append(w.open, c, there)
	for _, x := range [][2]net.Conn{{c, there}, {there, c}} {
		go func() {
			_, _ = io.Copy(x[0], x[1]) // until it is cut
			_ = x[0].Close()
		}()
	}
}

// set cuts the wire, or heals it.
func (w *wire) set(cut bool) {
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.cut = cut; cut {
		for _, c := range w.open {
			_ = c.Close()
		}
		w.open = nil
	}
}

// The network of a worker is down for longer than the worker may be silent. Another worker does its job. When
// the network is up again its result does not count a second time.
func TestCut(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	s, _ := served(t, hub.Options{})
	w := wired(t, strings.TrimPrefix(s.URL(), "nats://"))
	start := process(t, dir, "campaign", "start", "wild", "--workers", "0", "--silence", "1s", "--", "check", "gated", "-n", "1")
	waits(t, "there is a campaign", func() bool { return answers("status", "wild") })

	gate := filepath.Join(dir, "gate")
	t.Setenv(gateFile, gate)
	process(t, dir, "worker", "wild", "--server", "nats://"+w.Addr().String(), "--creds", s.Access().Creds)
	os.Unsetenv(gateFile)
	var first string
	waits(t, "the first worker has the job", func() bool {
		for _, r := range statusOf(t, "wild").Workers {
			if r.Job == 0 {
				first = r.Worker
			}
		}
		return first != ""
	})
	w.set(true)
	second := process(t, dir, "worker", "wild")
	waits(t, "the second worker did the job", func() bool { return !start.alive() })
	second.end()
	before, _ := verifies(t, 0, "campaign", "results", "wild", "--json")

	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	waits(t, "the first worker cannot bring what it found", func() bool { return strings.Contains(said(t, dir), "it keeps what came of job 0") })
	w.set(false)
	waits(t, "it brings it", func() bool {
		for _, r := range statusOf(t, "wild").Workers {
			if r.Worker == first && r.Done == 1 {
				return true
			}
		}
		return false
	})
	after, _ := verifies(t, 0, "campaign", "results", "wild", "--json")
	if a, b := summed(t, before), summed(t, after); a != b || b.Done != 1 {
		t.Errorf("the results were %+v, and are %+v", a, b)
	}
	if is := statusOf(t, "wild"); is.Queued != 0 || is.Done != 1 || is.Jobs != 1 {
		t.Errorf("the status is %+v", is)
	}
}

// isStatus has the fields of a status that tests read.
type isStatus struct {
	Jobs, Done, Queued int
	Workers            []struct {
		Worker    string
		Job, Done int
	}
}

func statusOf(t *testing.T, name string) (s isStatus) {
	t.Helper()
	out, _ := verifies(t, 0, "campaign", "status", name, "--json")
	if err := json.Unmarshal([]byte(out), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// Messages of a stranger in the queue are dropped, and the jobs are done. A damaged outcome, state or queue
// message is an error with the campaign and the job. Undamaged data remain.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	s, h := served(t, hub.Options{})
	start := process(t, dir, append([]string{"campaign", "start", "wild", "--workers", "0"}, small...)...)
	waits(t, "there is a campaign", func() bool { return answers("status", "wild") })
	for _, bad := range []string{"", "x", "-1", "01", "2147483647", strings.Repeat("9", 60)} {
		if _, err := h.JS.Publish(t.Context(), "contend.work.wild-jobs", []byte(bad)); err != nil {
			t.Fatal(err)
		}
	}
	process(t, dir, "worker", "wild")
	waits(t, "all jobs are done", func() bool { return !start.alive() && statusOf(t, "wild").Queued == 0 })
	good, _ := verifies(t, 0, "campaign", "results", "wild", "--json")
	if got := summed(t, good); got.Done != 6 || got.Jobs != 6 {
		t.Errorf("the results are %+v", got)
	}

	for _, x := range []struct{ bucket, key, says string }{
		{"contend-wild-results", "4", "campaign wild: what came of job 4: "},
		{"contend-campaigns", "wild.state", "the state of the campaign"},
		{"contend-campaigns", "wild.spec", "campaign wild: the campaign's specification: "},
	} {
		damage(t, h.JS, x.bucket, x.key, func() {
			_, errs := verifies(t, 2, "campaign", "results", "wild")
			says(t, errs, x.says)
			if strings.Count(errs, "\n") != 1 {
				t.Errorf("it is one sentence: %s", errs)
			}
		})
	}
	again, _ := verifies(t, 0, "campaign", "results", "wild", "--json")
	if summed(t, again) != summed(t, good) {
		t.Errorf("the results are %+v, but were %+v", summed(t, again), summed(t, good))
	}

	h.Close()
	if err := errors.Join(s.Close(), os.WriteFile("contend-campaigns/key", []byte("no key\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	_, errs := verifies(t, 2, "campaign", "resume", "wild")
	says(t, errs, "contend-campaigns/key is no key: ")
}

// damage replaces a value by its first half while something is done.
func damage(t *testing.T, js jetstream.JetStream, bucket, key string, do func()) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	kv, err := js.KeyValue(ctx, bucket)
	if err != nil {
		t.Fatal(err)
	}
	was, err := kv.Get(ctx, key)
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range [][]byte{was.Value()[:len(was.Value())/2], was.Value()} {
		if _, err := kv.Put(ctx, key, value); err != nil {
			t.Fatal(err)
		}
		if len(value) < len(was.Value()) {
			do()
		}
	}
}
