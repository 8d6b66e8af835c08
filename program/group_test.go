package program_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/model/disk"
	"contend/program"
)

// groups is a protocol of a server that syncs its log in groups, and two clients.
func groups(args ...string) *model.Protocol {
	return logs(program.Config{Package: "./testdata/group"}, args...)
}

// logs is a protocol of a log server and two clients, as a configuration has them.
func logs(config program.Config, args ...string) *model.Protocol {
	config.Hosts, config.Slow, config.Disk = []string{"server", "c1", "c2"}, 5, &disk.Options{}
	config.Args = func(string) []string { return args }
	return &model.Protocol{Name: "groups", Title: "a log that is synced in groups", Params: program.Budgets(), Build: func(c model.Config) (*model.System, error) {
		p, err := program.New(config)
		if err != nil {
			return nil, err
		}
		s := &model.System{Config: c, Types: program.Types(), Network: model.Network{Delay: model.By(10), Once: true}, Nodes: []model.NodeSpec{
			{Name: "server", Role: model.Server, New: p.Node, Crash: model.CrashRecovery},
			{Name: "c1", Role: model.Client, New: p.Node, Script: []model.Op{{Call: "a", After: model.By(10)}, {Call: "b", After: model.By(10)}}},
			{Name: "c2", Role: model.Client, New: p.Node, Script: []model.Op{{Call: "c", After: model.By(10)}, {Call: "d", After: model.By(10)}}}}}
		t, err := p.Trouble(c, 30)
		s.Nodes = append(s.Nodes, t...)
		return s, err
	}, Claims: []model.Claim{{Name: "added for good", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &added{} }}}}
}

// added claims that a server which starts reads all that was acknowledged.
type added struct{ Entries []string }

func (a *added) Observe(w model.Watch, seen model.Observation) {
	text, _ := seen.Value.(string)
	if entry, is := strings.CutPrefix(text, "added "); is && seen.Kind == model.Noted {
		a.Entries = append(a.Entries, entry)
	}
	read, is := strings.CutPrefix(text, "read ")
	if !is || seen.Kind != model.Noted {
		return
	}
	for _, entry := range a.Entries {
		w.Witness()
		if !strings.Contains(read, entry) {
			w.Violate("%s was acknowledged, but the server reads %q", entry, read)
		}
	}
}

// An acknowledgement for what was written during a sync is lost in a crash, and one for what was written before is not.
func TestGroupCommit(t *testing.T) {
	crash := model.Config{Faults: model.Faults{Restarts: 1}}
	assert.Empty(t, violated(t, groups(), crash, few(6000)))
	assert.Contains(t, violated(t, groups("late"), crash, 300)["added for good"], "was acknowledged, but the server reads")
}

// A newcomer's service that knows only net/http and a file is right, unless it takes those who wait for a sync when the sync is over.
func TestNewcomer(t *testing.T) {
	crash, web := model.Config{Faults: model.Faults{Restarts: 1}}, program.Config{Package: "./testdata/commit", Net: true}
	assert.Empty(t, violated(t, logs(web), crash, few(6000)))
	assert.Contains(t, violated(t, logs(web, "late"), crash, 300)["added for good"], "was acknowledged, but the server reads")
}

// A server that adds nothing once a sync has failed loses nothing that it acknowledged; one that syncs again does.
func TestBadSyncs(t *testing.T) {
	c := model.Config{Faults: model.Faults{Restarts: 1}}.With(program.BadSyncs.Is(2))
	assert.Empty(t, violated(t, groups(), c, few(6000)))
	assert.Contains(t, violated(t, groups("retry"), c, 300)["added for good"], "was acknowledged, but the server reads")
}
