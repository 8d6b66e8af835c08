package committee

import (
	"fmt"
	"slices"
	"sync"

	"contend/examples/dbft/payload"
	"contend/model"
	"contend/model/foreign"

	"github.com/nspcc-dev/dbft"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "dbft",
	Title:  "dBFT 2.0 of github.com/nspcc-dev/dbft v0.4.0, its own code: validators agree on a block",
	Source: "github.com/nspcc-dev/dbft",
	Params: params,
	Build:  build, Claims: claimed, Properties: properties, Variants: variants, Checks: checks, Deep: deep,
	Findings: findings,
}

// The sizes of a committee.
var (
	Liar     = model.Param[int]{Name: "liar", Meaning: "index of the Byzantine validator, if b is 1; 0, 3, 2 are primaries of the views 0, 1, 2", Most: 6}
	Views    = model.Param[int]{Name: "views", Meaning: "views that are entered, view 0 among them", Least: 1, Most: 4, Default: 2}
	Timeouts = model.Param[int]{Name: "timeouts", Meaning: "time-outs of each validator, but for those by which a primary proposes", Most: 20, Default: 1}

	Hasty = model.Param[int]{Name: "hasty", Meaning: "validators that have time-outs at all: the correct ones from the last on", Most: 7, Default: 7}

	params = []model.Parameter{
		model.N.WithMeaning("validators").WithRange(1, 7).WithDefault(4), model.B.WithMeaning("Byzantine validators").WithRange(0, 1), Liar, Views, Timeouts, Hasty,
	}
)

// A Config is the configuration that all validators of a system share.
type Config struct {
	Validators, Views int
	Liar              int   // its index, or -1
	Timeouts          []int // of each validator
	// Takes reports whether a validator hands a payload to the library.
	Takes func(v *Validator, p payload.Payload, from model.NodeID) bool
	// Writes makes a validator write its state before it sends its Commit.
	Writes bool
	// Opens is a payload of a recovery message as a validator takes it.
	Opens func(p payload.Payload) payload.Payload
	// Block makes the library's block.
	Block func(b payload.Block) dbft.Block[payload.Hash]
	// Verify has a validator look at a PrepareRequest: the library's VerifyPrepareRequest.
	Verify func(v *Validator, request payload.Payload) error
	// Unhelped has no RecoveryMessage sent.
	Unhelped bool
	// Abstract makes the relevant fields the name of a state, instead of all fields.
	Abstract bool
}

// keys returns the keys of the validators, in order.
func (c *Config) keys() []dbft.PublicKey {
	all := make([]dbft.PublicKey, c.Validators)
	for i := range all {
		all[i] = payload.Key(i)
	}
	return all
}

func (c *Config) others(index int) []model.NodeID {
	var all []model.NodeID
	for i := range c.Validators {
		if i != index {
			all = append(all, model.NodeID(i))
		}
	}
	return all
}

func build(c model.Config) (*model.System, error) {
	if f := (c.N - 1) / 3; c.B+c.Faults.Crashes > f && !c.Beyond {
		return nil, fmt.Errorf("b and crashes are %d together, but n = %d validators bear f = %d faulty ones", c.B+c.Faults.Crashes, c.N, f)
	}
	if c.B > 0 && Liar.Of(c) >= c.N {
		return nil, fmt.Errorf("liar is %d, but there are only n = %d validators, from 0 on", Liar.Of(c), c.N)
	}
	cfg := &Config{
		Validators: c.N, Views: Views.Of(c), Liar: -1,
		Takes: (*Validator).signed, Opens: func(p payload.Payload) payload.Payload { return p },
		Block:  func(b payload.Block) dbft.Block[payload.Hash] { return &b },
		Verify: func(*Validator, payload.Payload) error { return nil },
	}
	s := &model.System{
		Config: c, Setup: cfg, Types: slices.Clone(types),
		Network: model.Network{Channel: model.Set, Delay: model.Anytime(), Once: true},
		Cuts:    []model.Cut{{Name: Views.Name, Beyond: func(n model.Node) bool { return seen(n).View >= cfg.Views }}},
	}
	if c.B > 0 {
		cfg.Liar, s.Forge = Liar.Of(c), cfg.forge
	}
	cfg.Timeouts = timeouts(c, cfg.Liar)
	for i := range c.N {
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: fmt.Sprintf("cn%d", i), Role: model.Server, Byzantine: i == cfg.Liar, Crash: model.CrashStopRecovery,
			New: newer(cfg, i),
		})
	}
	return s, nil
}

// timeouts returns the number of time-outs of each validator.
func timeouts(c model.Config, liar int) []int {
	all, hasty := make([]int, c.N), Hasty.Of(c)
	for i := range slices.Backward(all) {
		if i != liar && hasty > 0 {
			all[i] = Timeouts.Of(c)
			hasty--
		}
	}
	return all
}

// newer makes a validator; the library behind it is made when variants have had their say.
func newer(cfg *Config, index int) func() model.Node {
	lib := sync.OnceValue(func() *foreign.Library[*Validator, View] {
		lib := &foreign.Library[*Validator, View]{
			New:     func() *Validator { return cfg.validator(index) },
			Recover: cfg.recovered,
			Stable:  func(v *Validator) any { return stable{v.Timeouts, v.Starts, v.Disk, v.Block, v.At} },
			View:    view,
			Omit:    omit,
		}
		if cfg.Abstract {
			lib.Snapshot = (*Validator).Matters
		}
		return lib
	})
	return func() model.Node { return lib().Node() }
}

// stable is the state of a validator that survives a crash.
type stable struct {
	Timeouts, Starts int
	Disk             *Disk
	Block            payload.Hash
	At               byte
}
