package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Config has the sizes and bounds of a check. Its fields are those that all protocols have; [Config.With]
// sets the parameters of a protocol. A Config is an immutable value, and configurations with equal settings are
// == equal.
type Config struct {
	N       int          // servers, or processes if there are no servers; 0 means the protocol's default
	B       int          // Byzantine servers
	Network NetworkModel // which messages are timely
	// Drift is ρ in thousandths, in [0, 500]: clocks run at rates within 1 ± ρ of real time; see [Drift].
	Drift  int
	Faults Faults
	// Beyond permits a configuration that violates the bounds of the paper.
	Beyond bool

	// settings has entries NAME=VALUE, sorted by name and separated by spaces. A string is comparable and
	// immutable. It is parsed only when a system is built.
	settings string
}

// A Setting is a parameter with a value.
type Setting struct {
	Name  string
	Value int64
}

// With returns c with the given settings. It panics with a [Misuse] if a parameter's name is invalid.
func (c Config) With(settings ...Setting) Config {
	for _, s := range settings {
		switch s.Name {
		case N.Name:
			c.N = int(s.Value)
		case B.Name:
			c.B = int(s.Value)
		default:
			c.set(s)
		}
	}
	return c
}

// set adds or replaces a setting.
func (c *Config) set(s Setting) {
	if !ParamName.MatchString(s.Name) {
		Misused("a parameter is named %.60q, but must be named by lower-case letters, digits and dashes, a letter first", s.Name)
	}
	all := c.Settings()
	i, found := slices.BinarySearchFunc(all, s.Name, func(setting Setting, name string) int { return strings.Compare(setting.Name, name) })
	if found {
		all[i] = s
	} else {
		all = slices.Insert(all, i, s)
	}
	words := make([]string, len(all))
	for i, s := range all {
		words[i] = s.Name + "=" + strconv.FormatInt(s.Value, 10)
	}
	c.settings = strings.Join(words, " ")
}

// Settings returns the settings of c except [N] and [B], sorted by name.
func (c Config) Settings() []Setting {
	var all []Setting
	for word := range strings.FieldsSeq(c.settings) {
		name, value, _ := strings.Cut(word, "=")
		v, _ := strconv.ParseInt(value, 10, 64) // no error: set formatted it
		all = append(all, Setting{name, v})
	}
	return all
}

// Setting returns the value of a parameter. It reports false if the parameter is not set. [B] always is.
func (c Config) Setting(name string) (v int64, ok bool) {
	switch name {
	case N.Name:
		return int64(c.N), c.N != 0
	case B.Name:
		return int64(c.B), true
	}
	for _, s := range c.Settings() {
		if s.Name == name {
			return s.Value, true
		}
	}
	return 0, false
}

// Validate returns an error that names a field out of range. [Protocol.System] also checks parameters.
func (c Config) Validate() error {
	if c.Drift < 0 || c.Drift > 500 {
		return fmt.Errorf("drift is %d, but must be 0 to 500", c.Drift)
	}
	if err := c.Network.Validate(); err != nil {
		return err
	}
	return c.Faults.Validate()
}

// Covers reports whether c allows at least what least allows. Each number that least sets (N, B, drift, each
// budget of faults, each parameter) is at least as large in c. The networks are equal, if least names one. As a
// rule, a run in least is then part of a run in c. There are exceptions: a quorum grows with N, and a larger
// window may hide what a smaller one shows.
func (c Config) Covers(least Config) bool {
	for _, s := range least.Settings() {
		if v, set := c.Setting(s.Name); !set || v < s.Value {
			return false
		}
	}
	return c.N >= least.N && c.B >= least.B && c.Drift >= least.Drift && c.Faults.cover(least.Faults) &&
		(least.Network == "" || c.Network == least.Network)
}

// Matches reports whether c agrees with all settings of other: its parameters, its N unless 0, its B, its
// faults, and its network unless "".
func (c Config) Matches(other Config) bool {
	for _, s := range other.Settings() {
		if v, set := c.Setting(s.Name); !set || v != s.Value {
			return false
		}
	}
	return (other.N == 0 || c.N == other.N) && c.B == other.B && c.Faults == other.Faults && (other.Network == "" || c.Network == other.Network)
}

func (f Faults) cover(least Faults) bool {
	return f.Loss >= least.Loss && f.Duplication >= least.Duplication && f.Crashes >= least.Crashes &&
		f.Restarts >= least.Restarts && f.Suspicions >= least.Suspicions && f.Partitions >= least.Partitions
}
