package split

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"contend/checker"
	"contend/checker/search/parts"
	"contend/cluster/hub"
	"contend/impl"
	"contend/impl/ricartagrawala"
	"contend/model"
)

// The test's program is also a part of a search, its leader, and a server: see [TestMain].
const (
	serverVerb = "serve-nats"
	leaderVerb = "lead"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case PartVerb:
			if err := Serve(impl.Suite, os.Stdin, os.Stdout); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(2)
			}
			os.Exit(0)
		case serverVerb:
			_, err := hub.Start(hub.Options{Dir: os.Args[2]})
			fmt.Println("started", err)
			_, _ = io.Copy(io.Discard, os.Stdin)
			os.Exit(0)
		case offerAs:
			fmt.Println("it ends:", offering(os.Args[2], os.Args[3]))
			os.Exit(2)
		case leaderVerb:
			lead(os.Args[2], os.Args[3] == "resume")
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

// searched is a check in so many parts; access names a server elsewhere, and met is told of the progress.
func searched(of int, variant string, opt checker.Options, access hub.Access, met func(c *Crew, p checker.Progress)) (*checker.Row, error) {
	var crew *Crew
	opt.Workers = 1
	if of > 1 {
		opt.Partitions = checker.Partitions{Of: of, Crew: func(job checker.PartJob, dir, name string) (parts.Crew, func(bool), error) {
			var err error
			crew, err = NewCrew(job, of, dir, name, access)
			if err != nil {
				return nil, nil, err
			}
			return crew, crew.Close, nil
		}}
	}
	if met != nil {
		opt.Progress = func(p checker.Progress) { met(crew, p) }
	}
	c := model.Check{Variant: variant, Config: model.Config{N: 3}.With(model.Ops.Is(2)), Claims: []string{"mutual exclusion"}}
	if variant != "" {
		c.Config = model.Config{N: 3}.With(model.Ops.Is(1))
	}
	rows, err := checker.Check(ricartagrawala.Protocol, c, opt)
	if err != nil {
		return nil, err
	}
	return rows[0], nil
}

// shown is what a row says but for how it was searched.
func shown(t *testing.T, r *checker.Row) string {
	t.Helper()
	var trace bytes.Buffer
	for _, c := range r.Claims {
		if c.Counterexample != nil {
			b, err := json.Marshal(c.Counterexample)
			if err != nil {
				t.Fatal(err)
			}
			trace.Write(b)
		}
	}
	return fmt.Sprint(r.States, r.Transitions, r.Depth, r.Complete, r.Limit, r.Cut, r.Reductions, r.Claims[0].Verdict, r.Claims[0].Text, trace.String())
}

var alone = sync.OnceValues(func() (*checker.Row, error) { return searched(1, "", checker.Options{}, hub.Access{}, nil) })

// same fails unless a row is that of one process.
func same(t *testing.T, row *checker.Row, err error) {
	t.Helper()
	want, failed := alone()
	if err := errors.Join(err, failed); err != nil {
		t.Fatal(err)
	}
	if got, want := shown(t, row), shown(t, want); got != want {
		t.Errorf("in parts %s, alone %s; notes %q", got, want, row.Notes)
	}
}

// Processes that meet on a server find what one finds, and the same counterexample.
func TestProcesses(t *testing.T) {
	row, err := searched(3, "", checker.Options{}, hub.Access{}, nil)
	same(t, row, err)
	want, err := searched(1, "one-reply-short", checker.Options{}, hub.Access{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := searched(2, "one-reply-short", checker.Options{}, hub.Access{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := shown(t, got), shown(t, want); got != want || !strings.Contains(got, "violated") {
		t.Errorf("in parts %s, alone %s", got, want)
	}
}

// A part that is killed in the midst of a layer costs what was found since the last checkpoint, and nothing else.
func TestPartIsKilled(t *testing.T) {
	for _, every := range []time.Duration{time.Nanosecond, 0} {
		kills := 0
		row, err := searched(3, "", checker.Options{Every: every}, hub.Access{}, func(c *Crew, p checker.Progress) {
			if c != nil && p.Depth == 12+10*kills && kills < 2 {
				kills++
				_ = c.others[kills-1].cmd.Process.Kill()
			}
		})
		if same(t, row, err); kills < 2 {
			t.Errorf("%d parts were killed", kills)
		}
	}
}

// A part that is killed whenever it begins ends the search without a verdict.
func TestPartIsKilledForGood(t *testing.T) {
	row, err := searched(2, "", checker.Options{}, hub.Access{}, func(c *Crew, p checker.Progress) {
		if c != nil && p.Depth == 5 {
			_ = c.others[0].cmd.Process.Kill()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if row.Complete || row.Limit != "part lost" || row.Claims[0].Verdict != checker.Inconclusive {
		t.Errorf("%s; notes %q", shown(t, row), row.Notes)
	}
	if !slices.ContainsFunc(row.Notes, func(n string) bool { return strings.Contains(n, "killed") }) {
		t.Errorf("nothing says why: %q", row.Notes)
	}
}

// started is a server in a process of its own.
func started(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], serverVerb, dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close(); _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line := make([]byte, 64)
	if n, err := out.Read(line); err != nil || !strings.Contains(string(line[:n]), "nil") {
		t.Fatalf("the server says %q, %v", line[:n], err)
	}
	return cmd
}

// A server that is killed and comes back is met again, alone and together with a part.
func TestServerIsKilled(t *testing.T) {
	for _, both := range []bool{false, true} {
		dir := t.TempDir()
		server := started(t, dir)
		access, err := hub.Local(dir)
		if err != nil {
			t.Fatal(err)
		}
		killed := false
		row, err := searched(2, "", checker.Options{Every: time.Nanosecond}, access, func(c *Crew, p checker.Progress) {
			if c == nil || p.Depth < 15 || killed {
				return
			}
			killed = true
			_ = server.Process.Kill()
			_ = server.Wait()
			if both {
				_ = c.others[0].cmd.Process.Kill()
			}
			server = started(t, dir)
		})
		if same(t, row, err); !killed {
			t.Error("the server was not killed")
		}
	}
}

// lead is the leader of a search that is killed, or resumes.
func lead(dir string, resume bool) {
	row, err := searched(2, "", checker.Options{Checkpoints: dir, Resume: resume, Every: time.Nanosecond}, hub.Access{}, func(_ *Crew, p checker.Progress) {
		if !resume && p.Depth == 25 {
			fmt.Println("it is there")
			time.Sleep(time.Hour)
		}
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = json.NewEncoder(os.Stdout).Encode(row)
}

// A leader that is killed takes its server with it, and its parts end; a new one resumes.
func TestLeaderIsKilled(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kept")
	cmd := exec.Command(os.Args[0], leaderVerb, dir, "begin")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 64)
	if n, err := out.Read(line); err != nil || !strings.Contains(string(line[:n]), "it is there") {
		t.Fatalf("it says %q, %v", line[:n], err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	b, err := exec.Command(os.Args[0], leaderVerb, dir, "resume").Output()
	if err != nil {
		t.Fatal(err)
	}
	var row struct {
		States, Transitions int64
		Depth               int
		Complete            bool
		Notes               []string
	}
	if err := json.Unmarshal(b, &row); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	want, err := alone()
	if err != nil {
		t.Fatal(err)
	}
	if row.States != want.States || row.Transitions != want.Transitions || row.Depth != want.Depth || !row.Complete {
		t.Errorf("%+v, but alone %s", row, shown(t, want))
	}
	if !slices.ContainsFunc(row.Notes, func(n string) bool { return strings.Contains(n, "went on from layer 2") }) {
		t.Errorf("it began anew: %q", row.Notes)
	}
	if left, _ := filepath.Glob(dir + "/*"); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// A question that is long, or is answered late, or whose answer is lost, is answered once in effect.
func TestExchange(t *testing.T) {
	s, err := hub.Start(hub.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	h, err := s.Access().Connect(context.Background(), "test")
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	var ends []*Exchange
	for i := range 2 {
		e, err := Join(h.Conn, "test", i, 2)
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, e)
	}
	answered := map[int]int{}
	var mu sync.Mutex
	ends[1].Answer(func(_ int, what parts.Kind, q []byte) []byte {
		mu.Lock()
		answered[len(q)]++
		mu.Unlock()
		if what == parts.Expand {
			time.Sleep(2500 * time.Millisecond) // it is asked again meanwhile
		}
		return append([]byte{byte(what)}, q...)
	})
	long := bytes.Repeat([]byte("abc"), 1<<20)
	var wait sync.WaitGroup
	for n, what := range map[int]parts.Kind{0: parts.New, 7: parts.Expand, 1000: parts.New, len(long): parts.Take} {
		wait.Go(func() {
			got, err := ends[0].Ask(1, what, long[:n])
			if want := append([]byte{byte(what)}, long[:n]...); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%d bytes of %d come back, %v", len(got), len(want), err)
			}
		})
	}
	wait.Wait()
	for n, times := range answered {
		if times != 1 {
			t.Errorf("a question of %d bytes is answered %d times", n, times)
		}
	}
	ends[0].Close(errors.New("it is over"))
	if _, err := ends[0].Ask(1, parts.New, nil); err == nil || err.Error() != "it is over" {
		t.Errorf("%v", err)
	}
}

// Messages from strangers are nobody's, and none of them is a panic.
func FuzzMessages(f *testing.F) {
	f.Add(header{sort: question, kind: 2, from: 1, number: 3, pieces: 1}.append(nil))
	f.Add(header{sort: answer, from: 1, number: 3, pieces: 9, index: 2}.append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, piece, err := parse(b)
		if err != nil {
			return
		}
		if again := append(h.append(nil), piece...); !bytes.Equal(again, b) {
			t.Fatalf("%x becomes %x", b, again)
		}
		var p pieces
		if h.pieces < 100 {
			p.add(h, piece)
			p.add(h, piece)
		}
	})
}
