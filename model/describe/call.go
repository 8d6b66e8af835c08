package describe

import "contend/model"

// Call returns a text for a call of a handler: the handler, its node, the argument, the sender or "", and the
// node's state unless it is nil.
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
