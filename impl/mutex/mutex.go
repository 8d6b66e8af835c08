// Package mutex is what the suite's locks have in common: how an application asks for the
// critical section and leaves it, how many do, and what is claimed of every lock. A protocol
// says under which assumptions it makes a claim, where its text makes it, and where the proof is.
package mutex

import (
	"fmt"

	"contend/model"
	"contend/model/claims"
)

// Acquire and Release are what the application invokes. Acquire returns when the section is
// entered; nothing returns from Release.
type (
	Acquire struct{}
	Release struct{}
)

// Section is Δ: how long a process may stay inside.
var Section = model.Param[model.Ticks]{
	Name: "section", Meaning: "Δ, the length of the critical section", Symbol: "Δ", Least: 1, Most: 1000, Default: 1,
}

// Asking is how many of N equal processes ever ask for the section: the first ones.
var Asking = model.Param[int]{
	Name: "asking", Meaning: "how many processes ask for the section: the first ones", Most: 32, All: true,
}

// CheckAsking refuses a configuration in which more processes ask than there are.
func CheckAsking(c model.Config) error {
	if asking := Asking.Of(c); asking > c.N {
		return fmt.Errorf("asking is %d, but must be at most n = %d", asking, c.N)
	}
	return nil
}

// Script is what the application of the process with an index, from 0, does: it enters and
// leaves as often as [model.Ops] says, whenever it likes; nothing where the process is not one
// of those that are [Asking].
func Script(c model.Config, index int) []model.Op {
	if asking := Asking.Of(c); asking != 0 && index >= asking {
		return nil
	}
	return Passages(c)
}

// Passages is the script of a process that enters and leaves as often as [model.Ops] says,
// whenever it likes, and stays inside for [Section] at most.
func Passages(c model.Config) []model.Op {
	script := make([]model.Op, model.Ops.Of(c))
	for k := range script {
		script[k] = model.Op{Call: Acquire{}, After: model.Anytime(), Release: Release{}, Stay: model.By(Section.Of(c))}
	}
	return script
}

// Exclusion claims that at most one process is in the section at a time.
func Exclusion(source, proof string, assumes ...model.Assumption) model.Claim {
	return claims.From(claims.MutualExclusion(), source, proof, assumes...)
}

// Linearizable claims that the history of entries and exits is that of a [Lock].
func Linearizable(source, proof string, assumes ...model.Assumption) model.Claim {
	return claims.From(model.Claim{Name: "lock", Kind: model.Linearizable, Object: Lock}, source, proof, assumes...)
}

// DeadlockFreedom claims that no run is stuck while a process wants to enter.
func DeadlockFreedom(source, proof string, assumes ...model.Assumption) model.Claim {
	return claims.From(model.Claim{Name: "deadlock freedom", Kind: model.Always, Done: true}, source, proof, assumes...)
}

// Granted claims that in every fair run each request is granted: nobody starves.
func Granted(source, proof string, assumes ...model.Assumption) model.Claim {
	return claims.From(model.Claim{Name: "every request is granted", Kind: model.Eventually, Done: true}, source, proof, assumes...)
}

// HappenedBefore claims that requests of which one happened before the other are granted in
// that order. It is searched apart, with two passages of each process at most.
func HappenedBefore(source, proof string, assumes ...model.Assumption) model.Claim {
	c := claims.From(claims.HappenedBefore(), source, proof, assumes...)
	c.Apart = func(c model.Check) model.Check {
		c.Config = c.Config.With(model.Ops.Is(min(model.Ops.Of(c.Config), 2)))
		return c
	}
	return c
}
