package describe

import "contend/model"

// Call names a call of a handler: of whom, what it was given, from whom if that is a node, and in
// which state of the node unless that is nil.
func Call(handler, who string, given any, from string, state model.Node, names Names) string {
	text := handler + " of " + who
	if given != nil {
		text += " on " + Value(given, names)
	}
	if from != "" {
		text += " from " + from
	}
	if state != nil {
		text += ", in state " + Value(state, names)
	}
	return model.Printable(text)
}
