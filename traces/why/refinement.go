package why

import "contend/model"

// explainAllowed adds the observations that the page may show instead of the observation that violates a
// refinement. It asks a monitor in the state before this observation.
func (s *scene) explainAllowed() {
	whole, ok := s.rerun(s.seen)
	if !ok || whole.index < 0 {
		return
	}
	before, _ := s.rerun(s.seen[:whole.index]) // no error: whole has run through them
	switch may := before.monitor.(model.Follower).Allows(s.name); {
	case len(may) == 0:
		s.sayf("the page would have shown nothing more there.")
	case len(may) > most:
		s.sayf("the page would have allowed %d other things there, such as %s.", len(may), either(may[:most]))
	default:
		s.sayf("the page would have allowed %s there.", either(may))
	}
}
