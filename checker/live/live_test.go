package live

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/conform"
	"contend/impl/backoff"
	"contend/impl/raft"
	"contend/model"
	"contend/model/world"
)

// nodeVariable is set in the environment of the processes of nodes.
const nodeVariable = "CONTEND_TEST_NODE"

// TestMain makes the test binary serve as a node.
func TestMain(m *testing.M) {
	if os.Getenv(nodeVariable) == "" {
		os.Exit(m.Run())
	}
	if err := Serve(find, os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func find(name string) (*model.Protocol, error) {
	for _, p := range []*model.Protocol{backoff.Protocol, raft.Protocol} {
		if p.Name == name {
			return p, nil
		}
	}
	return nil, fmt.Errorf("no protocol %q", name)
}

// options returns the options of a short run.
func options(t *testing.T) Options {
	self, err := os.Executable()
	require.NoError(t, err)
	return Options{For: 500 * time.Millisecond, Tick: 2 * time.Millisecond, Pace: 20, Seed: 1, Dir: t.TempDir(), Command: func() *exec.Cmd {
		c := exec.Command(self)
		c.Env = append(os.Environ(), nodeVariable+"=1")
		return c
	}}
}

// A killed node finds what its log has shown: votes and terms of raft are stable, and its run is one of the page.
func TestKilledNodesKeepStableFields(t *testing.T) {
	r, err := Run(raft.Protocol, "", model.Config{N: 2, Faults: model.Faults{Restarts: 3, Loss: 2}}, options(t))
	require.NoError(t, err)
	assert.Equal(t, conform.Explained, r.Validation.Verdict, "%v", r.Validation.Stuck)
	assert.Contains(t, r.Judged, "Election Safety")
	assert.Empty(t, r.Violations)
	assert.LessOrEqual(t, r.Tally.Restarts, 3)
}

// Clients crash for good, a server lies, and the network is cut: what the logs show is a run of the page.
func TestFaults(t *testing.T) {
	c := model.Config{N: 6, B: 1, Network: model.AsynchronousNetwork, Faults: model.Faults{Crashes: 1, Loss: 1, Partitions: 1}}.With(model.Clients.Is(3))
	r, err := Run(backoff.Protocol, "", c, options(t))
	require.NoError(t, err)
	assert.Equal(t, conform.Explained, r.Validation.Verdict, "%v", r.Validation.Stuck)
	assert.Equal(t, 8, r.Nodes, "the liar has no process")
	assert.Equal(t, []string{"Lemma 1, grants"}, r.Judged, "Lemma 1 assumes time")
	assert.Empty(t, r.Violations)
}

// A mutant runs with its bug, and its log is not one of the page.
func TestMutantsAreHeldAgainstThePage(t *testing.T) {
	opt := options(t)
	opt.Tick = time.Millisecond // a client hears earlier tries
	r, err := Run(backoff.Protocol, "tolerates-more", model.Config{N: 1, Network: model.AsynchronousNetwork}.With(model.Clients.Is(3)), opt)
	require.NoError(t, err)
	assert.Equal(t, conform.NotExplained, r.Validation.Verdict)
	assert.True(t, r.Broken())
}

// A message that is late on purpose is outside of its window, and excuses claims on time after it, and only those.
func TestLateMessages(t *testing.T) {
	opt := options(t)
	opt.Late = 5
	r, err := Run(backoff.Protocol, "", model.Config{N: 1}.With(model.Clients.Is(3)), opt)
	require.NoError(t, err)
	assert.Equal(t, conform.Explained, r.Validation.Verdict)
	assert.Positive(t, r.Tally.Late)
	require.Positive(t, r.Delays.Outside)
	assert.Len(t, r.Assumptions, 1)
	assert.NotEmpty(t, r.Predicted)
	assert.NotNil(t, r.Chart())
	timed, untimed := world.Violation{Claim: "Lemma 1", Step: r.untimely}, world.Violation{Claim: "Lemma 1, grants", Step: r.untimely}
	assert.True(t, r.Excused(timed))
	assert.False(t, r.Excused(untimed))
	timed.Step--
	assert.False(t, r.Excused(timed))
}

// A run that its caller stops is judged as far as it came.
func TestStop(t *testing.T) {
	opt := options(t)
	stop := make(chan struct{})
	opt.For, opt.Stop = time.Hour, stop
	starts := 0
	command := opt.Command
	opt.Command = func() *exec.Cmd {
		if starts++; starts == 3 {
			time.AfterFunc(time.Second/2, func() { close(stop) })
		}
		return command()
	}
	r, err := Run(backoff.Protocol, "", model.Config{N: 1, Network: model.AsynchronousNetwork}, opt)
	if err != nil {
		assert.Equal(t, errStopped, err, "it was stopped before the nodes had started")
		return
	}
	assert.True(t, r.Interrupted)
	assert.Equal(t, conform.Explained, r.Validation.Verdict, "%v", r.Validation.Stuck)
}

// A log whose last entry a kill has cut loses that entry, and no other.
func TestJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s1.log")
	whole := `{"node":"s1","at":1,"start":true,"after":{"Term":1}}` + "\n" + `{"node":"s1","at":2,"call":null,"op":1}` + "\n"
	require.NoError(t, os.WriteFile(path, []byte(whole+`{"node":"s1","at":3,"af`), 0o600))
	j, stable, ops, err := openJournal(path)
	require.NoError(t, err)
	assert.Equal(t, "1", string(stable["Term"]))
	assert.Equal(t, 1, ops)
	require.NoError(t, j.append(entry{Node: "s1", At: 4, Start: true}))
	require.NoError(t, j.file.Close())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, whole+`{"node":"s1","at":4,"start":true}`+"\n", string(text))
}

// A process that cannot run ends the run with what it wrote.
func TestProcessesThatFail(t *testing.T) {
	opt := options(t)
	opt.Command = func() *exec.Cmd { return exec.Command("sh", "-c", "echo out of order >&2; exit 3") }
	_, err := Run(backoff.Protocol, "", model.Config{N: 1}, opt)
	assert.ErrorContains(t, err, "does not start: out of order")
}
