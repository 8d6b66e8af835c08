package impure

import (
	"maps"
	"slices"

	"contend/model"
)

// Sending sends in the order of a map.
type Sending struct{ N int }

func (s *Sending) Receive(env model.Env, from model.NodeID, m any) {
	for _, n := range m.(Ping).Table {
		env.Send(from, Pong{n}) // want `^Receive of Sending uses its Env in a loop over a map: the order of the loop is not fixed$`
	}
}

// Choosing chooses in the order of a map.
type Choosing struct{ Table map[string]int }

func (s *Choosing) Receive(env model.Env, from model.NodeID, m any) {
	s.Table = map[string]int{}
	for name := range maps.Keys(m.(Ping).Table) {
		s.Table[name] = pick(env) // want `uses its Env in a loop over a map`
	}
	answer(env, from)
}

func pick(env model.Env) int { return env.Choose(2) }

// Listing makes a list in the order of a map.
type Listing struct{ Names []string }

func (s *Listing) Receive(env model.Env, from model.NodeID, m any) {
	s.Names = nil
	for name := range m.(Ping).Table {
		s.Names = append(s.Names, name) // want `^Receive of Listing appends in the order of a loop over a map, which is not fixed: sort afterwards$`
	}
	answer(env, from)
}

// Grouping makes lists, each in the order of a map.
type Grouping struct{ By map[int][]string }

func (s *Grouping) Receive(env model.Env, from model.NodeID, m any) {
	s.By = map[int][]string{}
	for name, n := range m.(Ping).Table {
		s.By[n] = append(s.By[n], name) // want `appends in the order of a loop over a map`
	}
	answer(env, from)
}

// Collecting does the same by iterators.
type Collecting struct{ Names []string }

func (s *Collecting) Receive(env model.Env, from model.NodeID, m any) {
	s.Names = slices.Collect(maps.Keys(m.(Ping).Table))                // want `^Receive of Collecting collects a map in an order that is not fixed: use slices\.Sorted$`
	s.Names = slices.AppendSeq(s.Names[:1], maps.Keys(m.(Ping).Table)) // want `collects a map`
	answer(env, from)
}

// First takes the first key.
type First struct{ Name string }

func (s *First) Receive(env model.Env, from model.NodeID, m any) {
	s.Name = first(m.(Ping).Table)
	answer(env, from)
}

func first(table map[string]int) string {
	for name := range table {
		return name // want `^first, which runs in Receive of First, returns what a loop over a map meets first: the order is not fixed$`
	}
	return ""
}

// Last takes the last key, and the first of some.
type Last struct{ Name, Other, Third string }

func (s *Last) Receive(env model.Env, from model.NodeID, m any) {
	for name := range m.(Ping).Table {
		s.Name = name // want `keeps what a loop over a map meets first or last`
	}
	for name, n := range m.(Ping).Table {
		if n > 0 {
			s.Other = name // want `keeps what a loop over a map meets first or last`
			break
		}
	}
	for name := range m.(Ping).Table {
		s.Other = max(s.Name, name) // want `keeps what a loop over a map meets first or last`
	}
	for s.Third = range m.(Ping).Table { // want `keeps what a loop over a map meets first or last`
	}
	answer(env, from)
}

// Joining adds up strings.
type Joining struct{ Names string }

func (s *Joining) Receive(env model.Env, from model.NodeID, m any) {
	s.Names = ""
	for name := range m.(Ping).Table {
		s.Names += name // want `^Receive of Joining adds up in the order of a loop over a map, which is not fixed$`
	}
	answer(env, from)
}
