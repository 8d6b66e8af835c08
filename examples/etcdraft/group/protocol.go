// Package group model-checks a group of members. The system is in protocol.go, the workload of its
// applications in workload.go, the claims in claims.go, the library's options in options.go, and the mistakes
// in the glue in mutants.go.
package group

import (
	_ "embed" // the traces of findings
	"fmt"
	"sync"

	"contend/examples/etcdraft/member"
	"contend/model"
	"contend/model/foreign"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "etcdraft",
	Title:  "go.etcd.io/raft/v3, unmodified: RawNode on MemoryStorage",
	Source: figure3,
	Params: params,
	Build:  build,
	Claims: claims, Properties: properties, Variants: variants, Checks: checks, Deep: deep,
	Findings: findings,
}

// findings are the claims that v3.6.0 violates. README.md explains each of them.
var findings = []model.Finding{
	{Name: "read-twice", Variant: "read-twice", Claim: linearizable, Trace: readTwiceRefuted},
	{Name: "async-single", Variant: "async-single", Claim: linearizable, Trace: asyncSingleRefuted},
	{Name: "lease-alike", Variant: "lease-alike", Claim: linearizable, Trace: leaseAlikeRefuted},
	{Name: "lease-transfer", Variant: "lease-transfer", Claim: linearizable, Trace: leaseTransferRefuted},
}

var (
	//go:embed findings/read-twice.json
	readTwiceRefuted []byte
	//go:embed findings/async-single.json
	asyncSingleRefuted []byte
	//go:embed findings/lease-alike.json
	leaseAlikeRefuted []byte
	//go:embed findings/lease-transfer.json
	leaseTransferRefuted []byte
)

// Suite has the protocols of the command.
var Suite = []*model.Protocol{Protocol}

func build(c model.Config) (*model.System, error) {
	if err := check(c); err != nil {
		return nil, err
	}
	cfg := &member.Config{
		Options: member.Options{Compact: Compact.Of(c), Inflight: Inflight.Of(c), Ticking: model.Anytime(), TimingOut: model.Anytime()},
		N:       c.N, Budgets: budgets(c), Led: Led.Of(c) == 1,
	}
	cfg.Plain()
	for i := range voters(c) {
		cfg.Voters = append(cfg.Voters, uint64(i+1))
	}
	s := &model.System{
		Config: c, Setup: cfg, Types: member.Types,
		Network:  model.Network{Delay: model.Anytime(), Once: true},
		Returned: model.Window{},
	}
	scripts := workload(c, simple(c))
	for i := range c.N {
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: fmt.Sprintf("p%d", i+1), Role: model.Peer, Crash: model.CrashRecovery,
			New: newer(cfg, uint64(i+1)), Script: scripts[i],
		})
	}
	return s, nil
}

// newer makes a peer; the library behind it is made when variants have had their say.
func newer(cfg *member.Config, id uint64) func() model.Node {
	lib := sync.OnceValue(func() *foreign.Library[*member.Peer, member.View] { return cfg.Library(id) })
	return func() model.Node { return lib().Node() }
}
