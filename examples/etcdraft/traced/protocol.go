package traced

import (
	_ "embed" // the mapping
	"fmt"

	"contend/model"
)

// Mapping is the mapping of the library's trace log to the page.
//
//go:embed etcdraft.json
var Mapping []byte

// Protocol is the page.
var Protocol = &model.Protocol{
	Name:   "etcdraft-log",
	Title:  "what the trace log of go.etcd.io/raft/v3 may show",
	Source: "go.etcd.io/raft/v3 v3.6.0",
	Params: []model.Parameter{model.N.WithMeaning("members").WithRange(1, mostMembers).WithDefault(3), Bootstrap},
	Build:  build,
	Claims: claims,
	// The alarms never end, and neither would a search.
	Checks: []model.Check{{Config: model.Config{N: 3}, Schedules: 200}, {Config: model.Config{N: 3}.With(Bootstrap.Is(2)), Schedules: 200}},
}

// Bootstrap is the number of members that begin with an empty log and add each other by its first entries, as after
// StartNode. The others begin with an empty log, too, and join later. If it is 0, all begin with a snapshot.
var Bootstrap = model.Param[int]{Name: "bootstrap", Meaning: "members of the first entries of the log; the others join later; 0: all begin with a snapshot", Most: mostMembers}

func build(c model.Config) (*model.System, error) {
	bootstrap := Bootstrap.Of(c)
	if bootstrap > c.N {
		return nil, fmt.Errorf("bootstrap is %d, but must be at most n = %d", bootstrap, c.N)
	}
	s := &model.System{
		Config:  c,
		Network: model.Network{Channel: model.Bag, Once: true, Delay: model.Anytime()},
		Types:   append([]any{Vote{}, VoteResp{}, App{}, AppResp{}, Snap{}, Beat{}, BeatResp{}, Shows{}, Switches{}, Refuses{}}, alarms...),
	}
	for i := range c.N {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint(i + 1), Role: model.Server, New: func() model.Node { return &Server{size: c.N, bootstrap: bootstrap} }})
	}
	return s, nil
}
