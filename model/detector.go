package model

import "fmt"

// A Detector is the failure detector of a system. It reports crashed nodes to nodes that implement
// [Suspecter]. It is not a node and sends no messages: a report is a pending event with its own window, and
// no partition or loss affects it.
//
// A crash and a restart are reported to every node that is up. An outdated report is omitted: a crash that
// was not reported before the restart, and a restart that was not reported before the next crash. A node that
// restarts gets new reports on the other nodes that are down, and is assumed to trust the rest. So reports
// belong in no stable field. Byzantine nodes are not reported.
type Detector struct {
	Kind DetectorKind
	// Report is the delay of a report after the crash or the restart.
	Report Window
	// Mistake is the duration of a false suspicion.
	Mistake Window
}

// A DetectorKind is the kind of a failure detector: NoDetector, Perfect or EventuallyPerfect. go doc
// contend/model.Perfect describes each.
type DetectorKind int

// The kinds of failure detectors (Chandra and Toueg, 1996). Windows take the place of "eventually".
const (
	NoDetector        DetectorKind = iota // nothing is reported
	Perfect                               // every crash is reported, and there are no false reports
	EventuallyPerfect                     // up to [Faults.Suspicions] nodes that are up are suspected for a while too
)

func (k DetectorKind) String() string {
	return [...]string{"none", "perfect", "eventually perfect"}[k]
}

// A Suspecter receives the reports of the failure detector. Engines call Suspect for a report that a node is
// down. They call Trust for a report that it is up, after a restart or a false suspicion. See [Detector].
type Suspecter interface {
	Suspect(env Env, node NodeID)
	Trust(env Env, node NodeID)
}

// suspects reports whether the node receives reports.
func suspects(n NodeSpec) bool {
	if n.Byzantine {
		return false
	}
	_, ok := n.New().(Suspecter)
	return ok
}

// Informs returns the nodes that receive reports.
func (s *System) Informs() []NodeID {
	if s.Detector.Kind == NoDetector {
		return nil
	}
	return s.IDs(suspects)
}

// validateDetector returns an error if a window is invalid, or if false suspicions are budgeted but cannot
// happen.
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
