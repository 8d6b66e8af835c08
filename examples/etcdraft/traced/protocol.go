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
	Params: []model.Parameter{model.N.WithMeaning("members").WithRange(1, mostMembers).WithDefault(3)},
	Build:  build,
	Claims: claims,
	// The alarms never end, and neither would a search.
	Checks: []model.Check{{Config: model.Config{N: 3}, Schedules: 200}},
}

func build(c model.Config) (*model.System, error) {
	s := &model.System{
		Config:  c,
		Network: model.Network{Channel: model.Bag, Once: true, Delay: model.Anytime()},
		Types:   append([]any{Vote{}, VoteResp{}, App{}, AppResp{}, Snap{}, Beat{}, BeatResp{}, Shows{}, Switches{}, Refuses{}}, alarms...),
	}
	for i := range c.N {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint(i + 1), Role: model.Server, New: func() model.Node { return &Server{size: c.N} }})
	}
	return s, nil
}
