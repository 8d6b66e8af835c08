package impure

import (
	"log"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"time"

	"contend/model"
)

// Clock reads a clock.
type Clock struct{ At int64 }

func (s *Clock) Receive(env model.Env, from model.NodeID, _ any) {
	s.At = time.Now().UnixNano() // want `^Receive of Clock reads a clock: time\.Now$`
	answer(env, from)
}

// Started reads one at boot.
type Started struct{ At int64 }

func (s *Started) Start(model.Env) {
	s.At = time.Now().UnixNano() // want `^Start of Started reads a clock: time\.Now$`
}

func (s *Started) Receive(env model.Env, from model.NodeID, _ any) { answer(env, from) }

// Exposed reads one in an exported method that another package may call in a handler.
type Exposed struct{ At int64 }

// Stamp is no handler of the language.
func (s *Exposed) Stamp(model.Env) {
	s.At = time.Now().UnixNano() // want `^Stamp of Exposed reads a clock: time\.Now$`
}

func (s *Exposed) Receive(env model.Env, from model.NodeID, _ any) {
	s.Stamp(env)
	answer(env, from)
}

// Hidden reads one behind an interface.
type Hidden struct{ At int64 }

type watch interface{ read() int64 }

type sundial struct{}

func (sundial) read() int64 { return time.Now().UnixNano() } // want `^read of sundial, which runs in Receive of Hidden, reads a clock: time\.Now$`

func (s *Hidden) Receive(env model.Env, from model.NodeID, _ any) {
	var w watch = sundial{}
	s.At = w.read()
	answer(env, from)
}

// Helped reads one in a function that it calls.
type Helped struct{ At int64 }

func (s *Helped) Receive(env model.Env, from model.NodeID, _ any) {
	s.At = stamp()
	answer(env, from)
}

func stamp() int64 { return int64(time.Since(time.Time{})) + time.Now().UnixNano() } // want `^stamp, which runs in Receive of Helped, reads a clock: time\.Since$` `reads a clock: time\.Now`

// Sleeper waits.
type Sleeper struct{ N int }

func (s *Sleeper) Receive(env model.Env, from model.NodeID, _ any) {
	time.Sleep(time.Nanosecond) // want `^Receive of Sleeper waits on a clock: time\.Sleep$`
	answer(env, from)
}

// Random draws random numbers of its own.
type Random struct{ N int }

func (s *Random) Receive(env model.Env, from model.NodeID, _ any) {
	s.N = rand.IntN(1 << 30) // want `^Receive of Random draws a random number: rand\.IntN$`
	answer(env, from)
}

// Goroutine starts one and waits for its result.
type Goroutine struct{ N int }

func (s *Goroutine) Receive(env model.Env, from model.NodeID, _ any) {
	done := make(chan int)
	go func() { done <- 1 }() // want `^Receive of Goroutine starts a goroutine$` `sends on a channel`
	s.N = <-done              // want `receives from a channel`
	answer(env, from)
}

// Ranging receives in a loop.
type Ranging struct{ N int }

func (s *Ranging) Receive(env model.Env, from model.NodeID, _ any) {
	queue := make(chan int, 1)
	queue <- 1 // want `sends on a channel`
	close(queue)
	for n := range queue { // want `receives from a channel`
		s.N = n
	}
	answer(env, from)
}

// Selecting lets Go choose.
type Selecting struct{ N int }

func (s *Selecting) Receive(env model.Env, from model.NodeID, _ any) {
	a, b := make(chan int), make(chan int)
	close(a)
	close(b)
	s.N = 0
	for range 30 {
		select { // want `^Receive of Selecting selects among channels$`
		case <-a:
			s.N *= 2
		case <-b:
			s.N = s.N*2 + 1
		}
	}
	answer(env, from)
}

// Locking takes a lock.
type Locking struct{ N int }

func (s *Locking) Receive(env model.Env, from model.NodeID, _ any) {
	var lock sync.Mutex
	lock.Lock()         // want `^Receive of Locking locks or waits: sync\.Lock$`
	defer lock.Unlock() // want `locks or waits: sync\.Unlock`
	answer(env, from)
}

// Process asks for what is outside of the model.
type Process struct{ Args, N int }

func (s *Process) Receive(env model.Env, from model.NodeID, _ any) {
	s.Args = len(os.Args)     // want `^Receive of Process reaches outside of the process: os\.Args$`
	if os.Getenv("X") != "" { // want `os\.Getenv`
		log.Fatal("X is set") // want `^Receive of Process ends the process: log\.Fatal$`
	}
	s.N = runtime.NumCPU() // want `^Receive of Process depends on the state of the process: runtime\.NumCPU$`
	answer(env, from)
}
