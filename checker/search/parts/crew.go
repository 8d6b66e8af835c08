package parts

// A Store keeps the checkpoints of the parts of a search where a part finds them that is started anew, perhaps on
// another machine.
type Store interface {
	// Keep keeps files of this part, which make its checkpoint at a layer, and returns what the leader commits.
	Keep(dir string, names []string, layer int) ([]byte, error)
	// Commit makes what all parts kept the checkpoint of the search.
	Commit(layer int, kept [][]byte) error
	// Fetch brings the files of the committed checkpoint of this part into a directory; false where there is none.
	Fetch(dir string) (bool, error)
}

// A Crew starts the other parts of a search, for the first.
type Crew interface {
	// Gather starts the other parts, and returns what leads to them; those that were started before are ended. Lost says
	// why it is asked again, or is nil.
	Gather(lost error) (Exchange, Store, error)
}
