package search

import "contend/checker/search/fingerprint"

// A print is the fingerprint of a state, or of a component.
type print = fingerprint.Print
