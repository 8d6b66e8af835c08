package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Config holds the sizes and bounds of a check: what all protocols have in common in
// its fields, and the settings of a protocol's own parameters, which [Config.With] adds.
// It is a value: no two share anything, and those with equal settings are equal.
type Config struct {
	N       int          // servers, or processes where there are no servers; 0 leaves it to the protocol
	B       int          // Byzantine servers
	Network NetworkModel // which messages are timely
	// Drift is ρ in thousandths, in [0, 500]: clocks run at rates within 1 ± ρ of real
	// time; see [Drift].
	Drift  int
	Faults Faults
	// Beyond lets a configuration break the paper's bound on purpose.
	Beyond bool

	// settings are NAME=VALUE, by name, with a space between two: comparable, and never
	// shared. They are read when a system is built, not while it runs.
	settings string
}

// A Setting is a parameter with a value.
type Setting struct {
	Name  string
	Value int64
}

// With is c with these settings, in place of what it says of their parameters.
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
	i, found := slices.BinarySearchFunc(all, s.Name, func(at Setting, name string) int { return strings.Compare(at.Name, name) })
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

// Settings are those of c, by name, but for [N] and [B].
func (c Config) Settings() []Setting {
	var all []Setting
	for word := range strings.FieldsSeq(c.settings) {
		name, value, _ := strings.Cut(word, "=")
		v, _ := strconv.ParseInt(value, 10, 64) // as set wrote it
		all = append(all, Setting{name, v})
	}
	return all
}

// Setting returns what c says of a parameter, if anything. Of [B] it always does.
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

// Validate says in a sentence which field that all protocols have is out of range, or
// nil. [Protocol.System] looks at parameters too.
func (c Config) Validate() error {
	if c.Drift < 0 || c.Drift > 500 {
		return fmt.Errorf("drift is %d, but must be 0 to 500", c.Drift)
	}
	if err := c.Network.Validate(); err != nil {
		return err
	}
	return c.Faults.Validate()
}

// Covers reports whether c allows at least what another configuration allows: each number
// that least sets (N, B, drift, each budget of faults, each parameter) is as large in c, and
// both have the same network, if least names one. A run at least is then, as a rule, a part of a run at c. It is a
// rule and no proof: a quorum grows with N, and a window of time may hide what a smaller one shows.
func (c Config) Covers(least Config) bool {
	for _, s := range least.Settings() {
		if v, set := c.Setting(s.Name); !set || v < s.Value {
			return false
		}
	}
	return c.N >= least.N && c.B >= least.B && c.Drift >= least.Drift && c.Faults.cover(least.Faults) &&
		(least.Network == "" || c.Network == least.Network)
}

// Matches reports whether c has just what another configuration sets: its parameters, its N
// unless that is 0, its B, its faults, and its network if it names one.
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
