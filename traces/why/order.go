package why

// order explains a history that is not linearizable.
func (s *scene) order() { s.sudden() }
