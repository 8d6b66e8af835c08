package traced

import "math/bits"

// A Set is a set of members: bit i is member i.
type Set uint16

// mostMembers is the largest number of members.
const mostMembers = 15

func (s Set) has(id int) bool { return s>>id&1 == 1 }
func (s Set) with(id int) Set { return s | 1<<id }
func (s Set) size() int       { return bits.OnesCount16(uint16(s)) }

// ids returns the members in order.
func (s Set) ids() (all []int) {
	for id := 1; id <= mostMembers; id++ {
		if s.has(id) {
			all = append(all, id)
		}
	}
	return all
}

// majority reports whether a set has more than half of s. Nothing is needed of an empty set.
func (s Set) majority(of Set) bool { return s == 0 || 2*(s&of).size() > s.size() }

// A Conf is a configuration. It is joint if Outgoing has members.
type Conf struct{ Voters, Outgoing Set }

// all returns the members of both parts.
func (c Conf) all() Set { return c.Voters | c.Outgoing }

// quorum reports whether a set has a majority of both parts.
func (c Conf) quorum(of Set) bool { return c.Voters.majority(of) && c.Outgoing.majority(of) }

// changed returns the configuration after an entry.
func (c Conf) changed(e Entry) Conf {
	if e.Kind == Leave {
		return Conf{Voters: c.Voters}
	}
	next := Conf{Voters: c.Voters&^e.Remove | e.Add}
	if (e.Add | e.Remove).size() > 1 {
		next.Outgoing = c.Voters
	}
	return next
}
