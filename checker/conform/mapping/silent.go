package mapping

import "slices"

// Silent returns the names of fields that no entry of the table has: of receive, alarm, call, result, send and note. It
// returns none if a field of a line may have any names.
func (t *Table) Silent() (names []string) {
	made := map[string]bool{}
	for _, from := range t.templates {
		if from != nil && !from.members(made) {
			return nil
		}
	}
	for _, name := range []string{"receive", "alarm", "call", "result", "send", "note"} {
		if !made[name] {
			names = append(names, name)
		}
	}
	return names
}

// members adds the names of the members of the objects that a template makes. It reports false if they are not known.
func (t *template) members(to map[string]bool) bool {
	switch t.form {
	case object:
		for i, name := range t.names {
			if name == "..." && !t.parts[i].members(to) {
				return false
			}
			to[name] = true
		}
		return true
	case choice, list, repeat:
		return !slices.ContainsFunc(t.parts, func(part *template) bool { return !part.members(to) })
	}
	return false
}
