package split

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"contend/checker"
	"contend/cluster/hub"
)

// offerAs has the test's program offer itself on the server of a directory: see [TestMain].
const offerAs = "offer"

// offering is the process of that verb.
func offering(dir, below string) error {
	access, err := hub.Local(dir)
	if err != nil {
		return err
	}
	h, err := access.Connect(context.Background(), "part")
	if err != nil {
		return err
	}
	return Offer(context.Background(), h, access, below, func(format string, args ...any) { fmt.Printf(format+"\n", args...) })
}

// A volunteer is a process that offers itself.
type volunteer struct {
	cmd  *exec.Cmd
	mu   sync.Mutex
	said []string
}

func (v *volunteer) says() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return strings.Join(v.said, "; ")
}

func volunteers(t *testing.T, dir string, n int) (all []*volunteer) {
	for range n {
		v := &volunteer{cmd: exec.Command(os.Args[0], offerAs, dir, t.TempDir())}
		out, err := v.cmd.StdoutPipe()
		if err := errors.Join(err, v.cmd.Start()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = v.cmd.Process.Kill(); _ = v.cmd.Wait() })
		lines := bufio.NewScanner(out)
		if !lines.Scan() || lines.Text() != "it offers itself" {
			t.Fatalf("it says %q", lines.Text())
		}
		go func() {
			for lines.Scan() {
				v.mu.Lock()
				v.said = append(v.said, lines.Text())
				v.mu.Unlock()
			}
		}()
		all = append(all, v)
	}
	return all
}

// Processes that offer themselves take parts of a search, one after another of several searches; where they are too few the others are started
// here. One that is killed in the midst of a layer costs what was found since the last checkpoint, and nothing else.
func TestPartsElsewhere(t *testing.T) {
	dir := t.TempDir()
	s, err := hub.Start(hub.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	access, err := hub.Local(dir)
	if err != nil {
		t.Fatal(err)
	}
	two := volunteers(t, dir, 2)
	for round := 1; round <= 2; round++ {
		here := -1
		row, err := searched(4, "", checker.Options{}, access, func(c *Crew, p checker.Progress) {
			if c != nil && p.Depth == 10 {
				here = len(c.others)
			}
		})
		if same(t, row, err); here != 1 {
			t.Errorf("of three other parts %d are here, and not one, in round %d", here, round)
		}
		for _, v := range two {
			for until := time.Now().Add(20 * time.Second); strings.Count(v.says(), "it offers itself") < round; time.Sleep(10 * time.Millisecond) {
				if time.Now().After(until) {
					t.Fatalf("a part does not end: %s", v.says())
				}
			}
		}
	}
	killed := false
	row, err := searched(3, "", checker.Options{}, access, func(c *Crew, p checker.Progress) {
		if c != nil && p.Depth == 20 && !killed {
			killed = true
			if err := exec.Command("pkill", "-KILL", "-P", fmt.Sprint(two[0].cmd.Process.Pid)).Run(); err != nil {
				t.Error(err)
			}
		}
	})
	if same(t, row, err); !killed {
		t.Error("no part was killed")
	}
}

// A call that is for no part of a search is refused with a sentence.
func TestBadCalls(t *testing.T) {
	for text, want := range map[string]string{
		`{"name":"a","epoch":"B1","part":1,"of":2}`: "",
		`{`: "a call is damaged: ",
		`{"name":"a","epoch":"B1","part":0,"of":2}`:    "a call is for no part of a search",
		`{"name":"a","epoch":"B1","part":2,"of":2}`:    "a call is for no part of a search",
		`{"name":"../a","epoch":"B1","part":1,"of":2}`: "a call is for no part of a search",
		`{"name":"a","epoch":"B.*","part":1,"of":2}`:   "a call is for no part of a search",
		`{"name":"a","epoch":"","part":1,"of":2}`:      "a call is for no part of a search",
		`"` + strings.Repeat("a", mostTask) + `"`:      "a call has 1048578 bytes, but at most 1048576 are read",
	} {
		_, err := read([]byte(text))
		if got := fmt.Sprint(err); (err == nil) != (want == "") || !strings.HasPrefix(got, want) && want != "" {
			t.Errorf("%.60s: %v", text, err)
		}
	}
}

// What a call says may be anybody's bytes.
func FuzzCalls(f *testing.F) {
	f.Add([]byte(`{"name":"a","epoch":"B1","part":1,"of":2}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		is, err := read(b)
		if err != nil {
			return
		}
		if again, err := json.Marshal(is); err != nil || is.Part < 1 || is.Part >= is.Parts || strings.ContainsAny(is.Epoch+is.Name, ".*> /") {
			t.Fatalf("%q is %s, %v", b, again, err)
		}
	})
}
