package committee

import (
	"contend/model"
	"contend/model/claims"
)

const (
	source = "github.com/nspcc-dev/dbft"
	models = source + ", formal-models/README.md"

	agreement = "agreement"
	validity  = "validity"
	once      = "a Commit is final"
	prepared  = "a commit rests on M preparations"
	changed   = "a view rests on M ChangeViews"
	goesOn    = "no lock"
	possible  = "a block can always be accepted still"
)

var claimed = []model.Claim{
	named(claims.UniformAgreement(accepts), agreement, models+`: "No fork must happen. There must be no situation such that two different blocks are accepted at two different consensus rounds (views)"`),
	{
		Name: validity, Kind: model.Always, Source: source + ", check.go, checkCommit: a block is approved with M commits of its view",
		Assumes: []model.Assumption{model.NoMemoryLoss},
		Monitor: with(func(c *Config) model.Monitor { return &backed{cfg: c} }),
	},
	{
		Name: once, Kind: model.Always,
		Source:  source + ", context.go: a valid Commit can only be sent once by a single node in all views of a block (CommitPayloads); dbft.go, onChangeView: who has sent one ignores ChangeViews",
		Monitor: func(*model.System) model.Monitor { return &single{} },
	},
	{
		Name: prepared, Kind: model.Always, Source: source + ", check.go, checkPrepare", Assumes: []model.Assumption{model.NoMemoryLoss},
		Monitor: with(func(c *Config) model.Monitor { return &preparations{cfg: c} }),
	},
	claims.Vacuous(model.Claim{
		Name: changed, Kind: model.Always, Source: source + ", check.go, checkChangeView", Assumes: []model.Assumption{model.NoMemoryLoss},
		Monitor: with(func(c *Config) model.Monitor { return &changes{cfg: c} }),
	}, func(s *model.System) bool { return Timeouts.Of(s.Config) == 0 }, "no validator times out"),
	{
		Name: goesOn, Kind: model.Always, Assumes: []model.Assumption{model.NoMemoryLoss},
		Source: models + `: "The block must always be accepted. There must be no situation such that nodes are stuck in the middle of consensus process and can't take any further steps"`,
		Monitor: func(s *model.System) model.Monitor {
			return &locked{cfg: s.Setup.(*Config), stops: s.Faults.Crashes > 0}
		},
	},
}

var properties = []model.Claim{
	{
		Name: possible, Kind: model.PossibleFromEverywhere, Source: models,
		Monitor: func(*model.System) model.Monitor { return &block{} },
	},
}

func named(c model.Claim, name, source string) model.Claim {
	c.Name, c.Source = name, source
	return c
}

func accepts(o model.Observation) (any, bool) {
	a, is := o.Value.(Accepted)
	return a.Block, is
}

func with(make func(*Config) model.Monitor) func(*model.System) model.Monitor {
	return func(s *model.System) model.Monitor { return make(s.Setup.(*Config)) }
}

// m returns the number of validators in a quorum. liars returns the number of validators that may be
// Byzantine.
func (c *Config) m() int { return c.Validators - (c.Validators-1)/3 }

func (c *Config) liars() int {
	if c.Liar < 0 {
		return 0
	}
	return 1
}

// single remembers the first Commit of each validator.
type single struct{ First map[model.NodeID]Committed }

func (s *single) Observe(w model.Watch, o model.Observation) {
	first, has := s.First[o.Node]
	switch n := o.Value.(type) {
	case Committed:
		if !has {
			w.Witness()
			s.First[o.Node] = n
		} else if first != n {
			w.Violate("it commits to %s in view %d, and has committed to %s in view %d", n.Block, n.View, first.Block, first.View)
		}
	case Entered:
		if has && n.View > first.View {
			w.Violate("it enters view %d, and has committed to %s in view %d", n.View, first.Block, first.View)
		}
	}
}

// block claims that in the end a block is accepted. The other validators get the block from a validator that
// has accepted it.
type block struct{ Accepted bool }

func (b *block) Observe(w model.Watch, o model.Observation) {
	if _, is := o.Value.(Accepted); is {
		w.Witness()
		b.Accepted = true
	}
}

// Reached reports whether some validator has accepted the block.
func (b *block) Reached() bool { return b.Accepted }

// Misses returns the awaited event.
func (b *block) Misses(func(model.NodeID) string) []string {
	return []string{"no validator has accepted a block"}
}
