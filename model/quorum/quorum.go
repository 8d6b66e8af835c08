// Package quorum has quorum systems for protocols, and the conditions of their papers on these.
//
// In a threshold system over n servers, every set of at least q servers is a quorum. Its conditions have
// formulas; tests compare them with an enumeration.
package quorum

import "fmt"

// A Threshold is the quorum system of all sets of Size servers out of N.
type Threshold struct {
	N, Size int
}

// Contained reports whether a set of the given number of servers contains a quorum.
func (t Threshold) Contained(servers int) bool { return servers >= t.Size }

// Intersection returns the smallest |Q ∩ Q′| over all pairs of quorums.
func (t Threshold) Intersection() int { return max(0, 2*t.Size-t.N) }

// Avoids reports whether every set of the given number of servers is avoided by some quorum.
func (t Threshold) Avoids(servers int) bool { return t.Size <= t.N-servers }

// A Condition is a requirement on a quorum system, given that b servers may be Byzantine.
type Condition struct {
	Name string
	// Intersect returns the least |Q ∩ Q′| for safety.
	Intersect func(b int) int
	// Avoid returns the number of servers that some quorum must avoid, for availability.
	Avoid func(b int) int
}

// Backoff is the condition of the mutual exclusion protocol: |Q ∩ Q′| ≥ 3b+1, and
// for every B with |B| = b a quorum that avoids B (Chockler–Malkhi–Reiter §4). It
// needs n > 5b.
var Backoff = Condition{
	Name:      "mutual exclusion",
	Intersect: func(b int) int { return 3*b + 1 },
	Avoid:     func(b int) int { return b },
}

// Ordering is the condition of the ordering protocol: masking quorums,
// |Q ∩ Q′| ≥ 2b+1, and for every B₁, B₂ with |B₁| = |B₂| = b a quorum that avoids
// both (Chockler–Malkhi–Reiter §6.2). It needs n > 6b.
var Ordering = Condition{
	Name:      "ordering",
	Intersect: func(b int) int { return 2*b + 1 },
	Avoid:     func(b int) int { return 2 * b },
}

// MinServers returns the least n for which a threshold system meets the condition.
func (c Condition) MinServers(b int) int { return c.Intersect(b) + 2*c.Avoid(b) }

// Smallest returns the threshold system with the smallest quorums whose intersection meets the condition. It
// does not check availability: see [Condition.Check].
func (c Condition) Smallest(n, b int) Threshold {
	return Threshold{N: n, Size: (n + c.Intersect(b) + 1) / 2}
}

// Check returns an error that names a part of the condition that the system does not meet.
func (c Condition) Check(t Threshold, b int) error {
	switch {
	case t.Size < 1 || t.Size > t.N:
		return fmt.Errorf("quorum is %d, but must be 1 to n = %d", t.Size, t.N)
	case t.Intersection() < c.Intersect(b):
		return fmt.Errorf("quorum is %d: two quorums of %d servers may share only %d, but %s needs %d with b = %d",
			t.Size, t.N, t.Intersection(), c.Name, c.Intersect(b), b)
	case !t.Avoids(c.Avoid(b)):
		return fmt.Errorf("quorum is %d: no quorum of %d servers avoids every %d, but %s needs one with b = %d",
			t.Size, t.N, c.Avoid(b), c.Name, b)
	}
	return nil
}

// Quorums returns the number of smallest quorums: the sets of Size servers.
func (t Threshold) Quorums() int { return choose(t.N, t.Size) }

// Quorum returns the servers of the k-th smallest quorum, sorted. The quorums are numbered from 0 in lexical
// order.
func (t Threshold) Quorum(k int) []int {
	var members []int
	for i := 0; i < t.N && len(members) < t.Size; i++ {
		with := choose(t.N-i-1, t.Size-len(members)-1)
		if k < with {
			members = append(members, i)
		} else {
			k -= with
		}
	}
	return members
}

// choose returns the binomial coefficient, for n ≤ 32.
func choose(n, k int) int {
	c := 1
	for i := range k {
		c = c * (n - i) / (i + 1)
	}
	return c
}
