package flags

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"contend/model"
)

// A Size is a flag that sets a field of a configuration.
type Size struct {
	Name, short, usage string
	least              int64
	Fault              bool // every protocol reads it
	set                func(c *model.Config, v int64)
}

var sizes = []Size{
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
	{"f", "f", "crashes for good, of clients or whichever nodes may", 0, true, func(c *model.Config, v int64) { c.Faults.Crashes = int(v) }},
	{"loss", "", "messages that may be lost", 0, true, func(c *model.Config, v int64) { c.Faults.Loss = int(v) }},
	{"duplication", "", "messages that may be delivered twice", 0, true, func(c *model.Config, v int64) { c.Faults.Duplication = int(v) }},
	{"restarts", "", "crashes, of servers or whichever nodes may, from which the node comes back", 0, true, func(c *model.Config, v int64) { c.Faults.Restarts = int(v) }},
	{"suspicions", "", "false suspicions of a failure detector, each withdrawn later", 0, true, func(c *model.Config, v int64) { c.Faults.Suspicions = int(v) }},
	{"partitions", "", "cuts of the network in two, each of which heals", 0, true, func(c *model.Config, v int64) { c.Faults.Partitions = int(v) }},
}

var readings = []model.Reading{model.Untimed, model.Grid, model.Dense}

// Config are the flags that say what to check.
type Config struct {
	Flags   *pflag.FlagSet
	values  []int64
	network string
	Beyond  bool
	time    string
	Claims  []string
}

// Bind adds the flags to a command.
func (f *Config) Bind(flags *pflag.FlagSet) {
	f.BindSizes(flags, func(Size) bool { return true })
	flags.StringVar(&f.network, "network", "", "which messages are timely: `MODEL` is synchronous, constant, stable, eventually-stable or asynchronous")
	flags.BoolVar(&f.Beyond, "beyond-bounds", false, "check a configuration that the paper's bound forbids")
	flags.StringVar(&f.time, "time", "", "read time as `READING`: untimed, grid or dense")
	flags.StringArrayVar(&f.Claims, "claim", nil, "check the claim of this `NAME`; may be repeated (default all)")
}

// BindSizes makes flags of some of the sizes.
func (f *Config) BindSizes(flags *pflag.FlagSet, some func(Size) bool) {
	f.Flags, f.values = flags, make([]int64, len(sizes))
	for i, s := range sizes {
		if some(s) {
			flags.Int64VarP(&f.values[i], s.Name, s.short, 0, "`N` "+s.usage)
		}
	}
}

// Given reports whether the flags name a configuration.
func (f *Config) Given() bool {
	names := []string{"beyond-bounds", "time", "network"}
	for _, s := range sizes {
		names = append(names, s.Name)
	}
	return slices.ContainsFunc(names, f.Flags.Changed)
}

// Reading parses --time; ok is false when it is not given.
func (f *Config) Reading() (r model.Reading, ok bool, err error) {
	if !f.Flags.Changed("time") {
		return 0, false, nil
	}
	for _, r := range readings {
		if r.String() == f.time {
			return r, true, nil
		}
	}
	return 0, false, fmt.Errorf("--time is %q, but must be untimed, grid or dense", f.time)
}

// Configure returns a protocol with the configuration that the flags give. The
// protocol is a copy where an explicit 0 has to stand against its default.
func (f *Config) Configure(p *model.Protocol) (*model.Protocol, model.Config, error) {
	c := model.Config{Beyond: f.Beyond}
	for i, s := range sizes {
		v := f.values[i]
		if !f.Flags.Changed(s.Name) {
			continue
		}
		if v < s.least {
			return nil, c, fmt.Errorf("%s is %d, but must be %d or more", s.Name, v, s.least)
		}
		if !s.Fault && !slices.Contains(p.Fields, s.Name) {
			return nil, c, notRead(s.Name, p)
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
func (f *Config) timely(p *model.Protocol, c *model.Config) error {
	if !f.Flags.Changed("network") {
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
