// Package mutex has the common parts of locks: how applications enter and leave the critical section, their number, and
// the claims of every lock. A protocol supplies the assumptions, the source and the proof of each claim.
package mutex

import (
	"fmt"

	"contend/model"
	"contend/model/claims"
)

// Acquire and Release are the operations of an application. Acquire returns when the process enters the section.
// Release returns nothing.
type (
	Acquire struct{}
	Release struct{}
)

// Section is Δ, the longest stay in the section.
var Section = model.Param[model.Ticks]{
	Name: "section", Meaning: "Δ, the length of the critical section", Symbol: "Δ", Least: 1, Most: 1000, Default: 1,
}

// Asking is the number of processes, of N equal processes, that request the section. They are the first processes.
var Asking = model.Param[int]{
	Name: "asking", Meaning: "how many processes ask for the section: the first ones", Most: 32, All: true,
}

// CheckAsking returns an error if [Asking] exceeds the number of processes.
func CheckAsking(c model.Config) error {
	if asking := Asking.Of(c); asking > c.N {
		return fmt.Errorf("asking is %d, but must be at most n = %d", asking, c.N)
	}
	return nil
}

// Script returns the operations of the process with an index, from 0: its [Passages], or nothing if the process does
// not request the section ([Asking]).
func Script(c model.Config, index int) []model.Op {
	if asking := Asking.Of(c); asking != 0 && index >= asking {
		return nil
	}
	return Passages(c)
}

// Passages returns a script that enters and leaves as often as [model.Ops]. Each entry is at any time, and each stay
// lasts at most [Section].
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

// Linearizable claims that the history of entries and exits is a history of a [Lock].
func Linearizable(source, proof string, assumes ...model.Assumption) model.Claim {
	return claims.From(model.Claim{Name: "lock", Kind: model.Linearizable, Object: Lock}, source, proof, assumes...)
}

// DeadlockFreedom claims that no run ends while a process waits to enter.
func DeadlockFreedom(source, proof string, assumes ...model.Assumption) model.Claim {
	return claims.From(model.Claim{Name: "deadlock freedom", Kind: model.Always, Done: true}, source, proof, assumes...)
}

// Granted claims that every fair run grants each request.
func Granted(source, proof string, assumes ...model.Assumption) model.Claim {
	return claims.From(model.Claim{Name: "every request is granted", Kind: model.Eventually, Done: true}, source, proof, assumes...)
}

// HappenedBefore claims that requests are granted in the order of happened-before. It is searched apart, with at most
// two passages of each process.
func HappenedBefore(source, proof string, assumes ...model.Assumption) model.Claim {
	c := claims.From(claims.HappenedBefore(), source, proof, assumes...)
	c.Apart = func(c model.Check) model.Check {
		c.Config = c.Config.With(model.Ops.Is(min(model.Ops.Of(c.Config), 2)))
		return c
	}
	return c
}
