package main

// The mistakes that the command makes on request. Without a mistake the functions do what their comments
// claim.

// write writes an entry.
func (s *store) write(index uint64, e entry, b []byte) error {
	switch s.mistake {
	case "answer-first":
		go func() { _ = s.log.Write(index, b) }()
		return nil
	case "index-first":
		s.note(index, e)
	case "ignore-errors":
		_ = s.log.Write(index, b)
		return nil
	case "not-removed":
		if e.Gone {
			return nil
		}
	}
	return s.log.Write(index, b)
}

// cutTo returns the index at which the log is cut off, given the first entry with a value.
func (s *store) cutTo(first uint64) uint64 {
	switch s.mistake {
	case "cut-all":
		return s.last
	case "cut-one-more":
		return min(first+1, s.last)
	}
	return first
}

// recover notes an entry that the log has when the server starts.
func (s *store) recover(index uint64, e entry) {
	_, known := s.at[e.Key]
	switch s.mistake {
	case "first-unread":
		if index == max(s.first, 1) {
			return
		}
	case "removed-returns":
		if e.Gone {
			return
		}
	case "oldest-wins":
		if known {
			return
		}
	}
	s.note(index, e)
}

// lock locks the store and returns the function that unlocks it.
func (s *store) lock() func() {
	if s.mistake == "unlocked" {
		return func() {}
	}
	s.mu.Lock()
	return s.mu.Unlock
}
