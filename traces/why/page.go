package why

import "contend/model"

// allowed says what the page would have shown in place of what breaks a refinement: it asks the
// monitor, led to where it was before.
func (s *scene) allowed() {
	whole, ok := s.again(s.seen)
	if !ok || whole.at < 0 {
		return
	}
	before, ok := s.again(s.seen[:whole.at])
	if !ok {
		return
	}
	follower, follows := before.monitor.(model.Follower)
	if !follows {
		return
	}
	switch may := follower.Allows(s.name); {
	case len(may) == 0:
		s.sayf("the page would have shown nothing more there.")
	case len(may) > most:
		s.sayf("the page would have allowed %d other things there, such as %s.", len(may), either(may[:most]))
	default:
		s.sayf("the page would have allowed %s there.", either(may))
	}
}
