package model

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
