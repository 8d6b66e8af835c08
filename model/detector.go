package model

import "fmt"

// A Detector is the failure detector of a system: it tells nodes that are [Suspecter]s which
// others are down. It is no node, and sends no messages: a report is a pending event with a
// window of its own, which no partition or loss touches.
//
// A crash is reported to every node that is up, and so is that a node is back. Reports say how
// things stand: a node that is back before its crash was reported at some node is not reported
// there, nor is one that is down again before it was reported to be back. A node that comes
// back itself is told anew of the others that are down, and is taken to trust the rest: what it
// was told before belongs in no stable field. Nobody is told of Byzantine nodes.
type Detector struct {
	Kind DetectorKind
	// Report is how long a report takes, from the crash or the return that it is about.
	Report Window
	// Mistake is how long a false suspicion lasts, until it is withdrawn.
	Mistake Window
}

// A DetectorKind says what may be reported: NoDetector, Perfect or EventuallyPerfect. go doc contend/model.Perfect describes each.
type DetectorKind int

// The kinds of failure detectors (Chandra and Toueg, 1996), with windows for their eventually.
const (
	NoDetector        DetectorKind = iota // nothing is reported
	Perfect                               // every crash is reported, and nothing else
	EventuallyPerfect                     // so many nodes besides as [Faults.Suspicions] says are wrongly suspected for a while
)

func (k DetectorKind) String() string {
	return [...]string{"none", "perfect", "eventually perfect"}[k]
}

// A Suspecter is told by the failure detector which nodes are down, and which are up again, or
// after all. See [Detector].
type Suspecter interface {
	Suspect(env Env, node NodeID)
	Trust(env Env, node NodeID)
}

// suspects reports whether the failure detector tells a node anything.
func suspects(n NodeSpec) bool {
	if n.Byzantine {
		return false
	}
	_, is := n.New().(Suspecter)
	return is
}

// Informs lists the nodes that the failure detector tells what it finds.
func (s *System) Informs() []NodeID {
	if s.Detector.Kind == NoDetector {
		return nil
	}
	return s.IDs(suspects)
}

// validateDetector refuses bad windows, and false suspicions of what suspects nobody.
func (s *System) validateDetector() error {
	for _, w := range []Window{s.Detector.Report, s.Detector.Mistake} {
		if err := w.Validate(); err != nil {
			return fmt.Errorf("detector: %w", err)
		}
	}
	switch n := s.Faults.Suspicions; {
	case n == 0:
	case s.Detector.Kind != EventuallyPerfect:
		return fmt.Errorf("faults: suspicions is %d, but the failure detector of this system is %v, and only one that is %v is ever wrong", n, s.Detector.Kind, EventuallyPerfect)
	case len(s.Informs()) == 0 || len(s.IDs(func(n NodeSpec) bool { return !n.Byzantine })) < 2:
		return fmt.Errorf("faults: suspicions is %d, but no node of this system can be told that another is down", n)
	}
	return nil
}
