package why

import "contend/model"

// allowed says what the page would have shown in place of what breaks a refinement: it asks the
// monitor, led to where it was before.
func (s *scene) allowed() {
	whole, ok := s.again(s.seen)
	if !ok || whole.at < 0 {
		return
	}
	before, _ := s.again(s.seen[:whole.at]) // which it has taken already
	switch may := before.monitor.(model.Follower).Allows(s.name); {
	case len(may) == 0:
		s.sayf("the page would have shown nothing more there.")
	case len(may) > most:
		s.sayf("the page would have allowed %d other things there, such as %s.", len(may), either(may[:most]))
	default:
		s.sayf("the page would have allowed %s there.", either(may))
	}
}
