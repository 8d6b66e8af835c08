package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"contend/model"
)

// A size is a flag that sets a field of a configuration.
type size struct {
	name, short, usage string
	least              int64
	fault              bool // every protocol reads it
	set                func(c *model.Config, v int64)
}

var sizes = []size{
	{"n", "n", "servers, or processes where there are no servers", 1, false, func(c *model.Config, v int64) { c.N = int(v) }},
	{"b", "b", "Byzantine servers", 0, false, func(c *model.Config, v int64) { c.B = int(v) }},
	{"quorum", "", "size of a quorum", 1, false, func(c *model.Config, v int64) { c.Quorum = int(v) }},
	{"clients", "", "clients", 1, false, func(c *model.Config, v int64) { c.Clients = int(v) }},
	{"ops", "", "operations of each client", 1, false, func(c *model.Config, v int64) { c.Ops = int(v) }},
	{"tries", "", "broadcasts for each operation", 1, false, func(c *model.Config, v int64) { c.Tries = int(v) }},
	{"attempts", "", "attempts at ordering for each operation", 1, false, func(c *model.Config, v int64) { c.Attempts = int(v) }},
	{"delay", "", "ticks for δ, the bound on message delay", 1, false, func(c *model.Config, v int64) { c.Delay = model.Ticks(v) }},
	{"section", "", "ticks for Δ, the length of the critical section", 1, false, func(c *model.Config, v int64) { c.Section = model.Ticks(v) }},
	{"processing", "", "ticks a server may take for a request, from its handling to the answer's leaving", 0, false, func(c *model.Config, v int64) { c.Processing = model.Ticks(v) }},
	{"drift", "", "thousandths for ρ: clocks run at rates within 1 ± ρ of real time", 0, true, func(c *model.Config, v int64) { c.Drift = int(v) }},
	{"f", "f", "clients that may crash", 0, true, func(c *model.Config, v int64) { c.Faults.Crashes = int(v) }},
	{"loss", "", "messages that may be lost", 0, true, func(c *model.Config, v int64) { c.Faults.Loss = int(v) }},
	{"duplication", "", "messages that may be delivered twice", 0, true, func(c *model.Config, v int64) { c.Faults.Duplication = int(v) }},
	{"restarts", "", "server crashes, each with loss of memory and a restart", 0, true, func(c *model.Config, v int64) { c.Faults.Restarts = int(v) }},
}

var readings = []model.Reading{model.Untimed, model.Grid, model.Dense}

// configFlags say what to check.
type configFlags struct {
	flags   *pflag.FlagSet
	values  []int64
	network string
	beyond  bool
	time    string
	claims  []string
}

func (f *configFlags) bind(flags *pflag.FlagSet) {
	f.bindSizes(flags, func(size) bool { return true })
	flags.StringVar(&f.network, "network", "", "which messages are timely: `MODEL` is synchronous, constant, stable, eventually-stable or asynchronous")
	flags.BoolVar(&f.beyond, "beyond-bounds", false, "check a configuration that the paper's bound forbids")
	flags.StringVar(&f.time, "time", "", "read time as `READING`: untimed, grid or dense")
	flags.StringArrayVar(&f.claims, "claim", nil, "check the claim of this `NAME`; may be repeated (default all)")
}

// bindSizes makes flags of some of the sizes.
func (f *configFlags) bindSizes(flags *pflag.FlagSet, some func(size) bool) {
	f.flags, f.values = flags, make([]int64, len(sizes))
	for i, s := range sizes {
		if some(s) {
			flags.Int64VarP(&f.values[i], s.name, s.short, 0, "`N` "+s.usage)
		}
	}
}

// given reports whether the flags name a configuration.
func (f *configFlags) given() bool {
	names := []string{"beyond-bounds", "time", "network"}
	for _, s := range sizes {
		names = append(names, s.name)
	}
	return slices.ContainsFunc(names, f.flags.Changed)
}

// reading parses --time; ok is false when it is not given.
func (f *configFlags) reading() (r model.Reading, ok bool, err error) {
	if !f.flags.Changed("time") {
		return 0, false, nil
	}
	for _, r := range readings {
		if r.String() == f.time {
			return r, true, nil
		}
	}
	return 0, false, fmt.Errorf("--time is %q, but must be untimed, grid or dense", f.time)
}

// configure returns a protocol with the configuration that the flags give. The
// protocol is a copy where an explicit 0 has to stand against its default.
func (f *configFlags) configure(p *model.Protocol) (*model.Protocol, model.Config, error) {
	c := model.Config{Beyond: f.beyond}
	for i, s := range sizes {
		v := f.values[i]
		if !f.flags.Changed(s.name) {
			continue
		}
		if v < s.least {
			return nil, c, fmt.Errorf("%s is %d, but must be %d or more", s.name, v, s.least)
		}
		if !s.fault && !slices.Contains(p.Fields, s.name) {
			return nil, c, notRead(s.name, p)
		}
		s.set(&c, v)
		if v == 0 {
			without := *p
			s.set(&without.Config, 0)
			p = &without
		}
	}
	return p, c, f.timely(p, &c)
}

// timely sets the network model. Synchronous is what stands where none is named.
func (f *configFlags) timely(p *model.Protocol, c *model.Config) error {
	if !f.flags.Changed("network") {
		return nil
	}
	if !slices.Contains(p.Fields, "network") {
		return notRead("network", p)
	}
	if f.network == "" {
		return fmt.Errorf("network is empty, but must name a network model")
	}
	c.Network = model.NetworkModel(f.network)
	if c.Network == model.SynchronousNetwork {
		c.Network = ""
	}
	return c.Network.Validate()
}

// notRead says that a protocol does not read a flag.
func notRead(flag string, p *model.Protocol) error {
	return fmt.Errorf("--%s is set, but the protocol does not read it: it reads %s", flag, strings.Join(p.Fields, ", "))
}
