package impure

import (
	"time"

	"contend/model"
)

// A Stopwatch is a monitor that reads a clock.
type Stopwatch struct{ At int64 }

func (s *Stopwatch) Observe(_ model.Watch, _ model.Observation) {
	s.At = time.Now().UnixNano() // want `^Observe of Stopwatch reads a clock: time\.Now$`
}

// An Accountant is a monitor that keeps count in its configuration.
type Accountant struct{ count int }

func (a *Accountant) Observe(w model.Watch, _ model.Observation) {
	a.count++ // want `^Observe of Accountant writes Accountant\.count: `
}

// A Fickle goal asks a clock.
type Fickle struct{ N int }

func (f *Fickle) Observe(model.Watch, model.Observation) { f.N++ }

// Reached is a handler, too.
func (f *Fickle) Reached() bool { return time.Now().Unix()%2 == 0 } // want `^Reached of Fickle reads a clock: time\.Now$`
