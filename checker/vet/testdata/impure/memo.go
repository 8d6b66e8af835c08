package impure

import (
	"sync"
	"time"

	"contend/model"
)

var (
	memo    = map[string]int{}
	seen    sync.Map
	once    sync.Once
	winner  int
	ledger  = &tally{}
	aliased = map[int]int{}
	passed  = map[int]int{}
	listed  = []int{0}
	number  = counter()
	total2  int
	numbers = func() int { total2++; return total2 }
	last    *Meddling
	table   = map[int]int{1: 2}
)

// Memoing keeps what the first caller came to.
type Memoing struct{ N int }

func (s *Memoing) Receive(env model.Env, from model.NodeID, m any) {
	if _, known := memo["first"]; !known {
		memo["first"] = int(from) // want `^Receive of Memoing writes the package-level variable memo$`
	}
	s.N = memo["first"]
	answer(env, from)
}

// Storing keeps it in a map of package sync.
type Storing struct{ N int }

func (s *Storing) Receive(env model.Env, from model.NodeID, m any) {
	first, _ := seen.LoadOrStore("first", int(from)) // want `reads the package-level variable seen, which is not constant` `locks or waits: sync\.LoadOrStore`
	s.N = first.(int)
	answer(env, from)
}

// Once keeps what is computed once.
type Once struct{ N int }

func (s *Once) Receive(env model.Env, from model.NodeID, m any) {
	once.Do(func() { winner = int(from) }) // want `reads the package-level variable once` `locks or waits: sync\.Do` `writes the package-level variable winner`
	s.N = winner
	answer(env, from)
}

// Pointing counts by a method of what a package-level variable points to.
type Pointing struct{ N int }

func (s *Pointing) Receive(env model.Env, from model.NodeID, _ any) {
	s.N = ledger.add() // want `^Receive of Pointing reads the package-level variable ledger, which is not constant$`
	answer(env, from)
}

// Aliasing writes by another name.
type Aliasing struct{ N int }

func (s *Aliasing) Receive(env model.Env, from model.NodeID, _ any) {
	known := aliased // want `^Receive of Aliasing reads the package-level variable aliased, which is not constant$`
	known[0]++
	s.N = known[0]
	answer(env, from)
}

// Passing has a function of its own write.
type Passing struct{ N int }

func (s *Passing) Receive(env model.Env, from model.NodeID, _ any) {
	s.N = remember(passed)   // want `^Receive of Passing reads the package-level variable passed, which is not constant$`
	s.N += remembers(listed) // want `reads the package-level variable listed, which is not constant`
	s.N += look(table)
	answer(env, from)
}

func remember(in map[int]int) int { return note(in, 0) }

func note(in map[int]int, key int) int {
	in[key]++
	return in[key]
}

func remembers(in []int) int {
	all := in[:1]
	all[0]++
	return in[0]
}

func look(in map[int]int) int { return in[1] }

// Closing calls functions that keep variables.
type Closing struct{ N int }

func (s *Closing) Receive(env model.Env, from model.NodeID, _ any) {
	s.N = number()   // want `^Receive of Closing reads the package-level variable number, which is not constant$`
	s.N += numbers() // want `reads the package-level variable numbers, which is not constant`
	answer(env, from)
}

func counter() func() int {
	n := 0
	return func() int { n++; return n }
}

// Seconds reads a clock that seldom ticks.
type Seconds struct{ N int64 }

func (s *Seconds) Receive(env model.Env, from model.NodeID, _ any) {
	s.N = time.Now().Unix() / (1 << 40) // want `^Receive of Seconds reads a clock: time\.Now$`
	answer(env, from)
}

// Noting lets a goroutine use its Env.
type Noting struct{ N int }

func (s *Noting) Receive(env model.Env, from model.NodeID, _ any) {
	go env.Send(from, Pong{}) // want `^Receive of Noting starts a goroutine$`
	answer(env, from)
}

// Writing lets one write to it later.
type Writing struct{ N int }

func (s *Writing) Receive(env model.Env, from model.NodeID, _ any) {
	go func() { // want `^Receive of Writing starts a goroutine$`
		time.Sleep(time.Minute) // want `^Receive of Writing waits on a clock: time\.Sleep$`
		s.N++
	}()
	answer(env, from)
}

// Idling leaves one behind.
type Idling struct{ N int }

func (s *Idling) Receive(env model.Env, from model.NodeID, _ any) {
	go time.Sleep(time.Minute) // want `^Receive of Idling starts a goroutine$` `^Receive of Idling waits on a clock: time\.Sleep$`
	answer(env, from)
}

// Ringing leaves a timer.
type Ringing struct{ N int }

func (s *Ringing) Receive(env model.Env, from model.NodeID, _ any) {
	time.AfterFunc(time.Hour, func() { env.Send(from, Pong{}) }) // want `^Receive of Ringing waits on a clock: time\.AfterFunc$`
	answer(env, from)
}

// Meddling writes to the node of another state.
type Meddling struct{ N int }

func (s *Meddling) Receive(env model.Env, from model.NodeID, _ any) {
	if last != nil {
		last.N = 7 // want `^Receive of Meddling writes the package-level variable last$`
	}
	last = s // want `^Receive of Meddling writes the package-level variable last$`
	answer(env, from)
}
