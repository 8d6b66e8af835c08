package flags

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"contend/model"
)

// A size is a flag for a value that every protocol reads.
type size struct {
	name, short, usage string
	set                func(c *model.Config, v int64)
}

var sizes = []size{
	{"drift", "", "thousandths for ρ: clocks run at rates within 1 ± ρ of real time", func(c *model.Config, v int64) { c.Drift = int(v) }},
	{"f", "f", "crashes without restart, of clients or of the nodes that may crash", func(c *model.Config, v int64) { c.Faults.Crashes = int(v) }},
	{"loss", "", "messages that may be lost", func(c *model.Config, v int64) { c.Faults.Loss = int(v) }},
	{"duplication", "", "messages that may be delivered twice", func(c *model.Config, v int64) { c.Faults.Duplication = int(v) }},
	{"restarts", "", "crashes with restart, of servers or of the nodes that may crash", func(c *model.Config, v int64) { c.Faults.Restarts = int(v) }},
	{"suspicions", "", "false suspicions of a failure detector, each later withdrawn", func(c *model.Config, v int64) { c.Faults.Suspicions = int(v) }},
	{"partitions", "", "partitions of the network into two parts, each of which heals", func(c *model.Config, v int64) { c.Faults.Partitions = int(v) }},
}

var readings = []model.Reading{model.Untimed, model.Grid, model.Dense}

// Config are the flags of a configuration.
type Config struct {
	Flags        *pflag.FlagSet
	params       params
	sizes        []int64
	network      string
	BeyondBounds bool
	time         string
	Claims       []string
	Anyway       bool // claims are checked whose assumptions are not met
}

// Bind adds the flags to a command: the flags of the suite's parameters, and the common flags.
func (f *Config) Bind(flags *pflag.FlagSet, suite []*model.Protocol) {
	f.BindSizes(flags, suite)
	flags.StringVar(&f.time, "time", "", "how time is read: `READING` is untimed, grid (whole ticks) or dense (real numbers)")
	flags.StringArrayVar(&f.Claims, "claim", nil, "check only the claim `NAME`; may be repeated")
	flags.BoolVar(&f.Anyway, "assume-anyway", false, "also check claims whose assumptions the configuration does not meet")
}

// BindSizes adds the flags of a configuration without those of a check.
func (f *Config) BindSizes(flags *pflag.FlagSet, suite []*model.Protocol) {
	f.BindParams(flags, suite)
	f.sizes = make([]int64, len(sizes))
	for i, s := range sizes {
		flags.Int64VarP(&f.sizes[i], s.name, s.short, 0, "`N` "+s.usage)
	}
	flags.StringVar(&f.network, "network", "", "which messages arrive in time: `MODEL` is synchronous, constant, stable, eventually-stable or asynchronous")
	flags.BoolVar(&f.BeyondBounds, "beyond-bounds", false, "allow a configuration that the paper's bound forbids")
}

// BindParams adds the flags of parameters alone, but for some.
func (f *Config) BindParams(flags *pflag.FlagSet, suite []*model.Protocol, but ...model.Parameter) {
	f.Flags, f.params = flags, newParams(suite, but)
	f.params.bind(flags)
}

// Changed reports whether the flags name a configuration.
func (f *Config) Changed() bool {
	names := append(f.params.names(), "beyond-bounds", "time", "network", "assume-anyway")
	for _, s := range sizes {
		names = append(names, s.name)
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

// Configure returns a configuration of a protocol, changed by the flags.
func (f *Config) Configure(p *model.Protocol, c model.Config) (model.Config, error) {
	c, err := f.params.set(p, f.Flags, c)
	if err != nil {
		return c, err
	}
	c.Beyond = c.Beyond || f.BeyondBounds
	for i, v := range f.sizes {
		if !f.Flags.Changed(sizes[i].name) {
			continue
		}
		if v < 0 {
			return c, fmt.Errorf("%s is %d, but must be 0 or more", sizes[i].name, v)
		}
		sizes[i].set(&c, v)
	}
	return c, f.timely(p, &c)
}

// timely sets the network model. The default is synchronous.
func (f *Config) timely(p *model.Protocol, c *model.Config) error {
	if !f.Flags.Changed("network") {
		return nil
	}
	if len(p.Networks) == 0 {
		return f.params.notRead("network", p)
	}
	if f.network == "" {
		return fmt.Errorf("--network is empty, but must name a network model")
	}
	c.Network = model.NetworkModel(f.network)
	if c.Network == model.SynchronousNetwork {
		c.Network = ""
	}
	return c.Network.Validate()
}
