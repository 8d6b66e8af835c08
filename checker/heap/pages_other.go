//go:build !linux

package heap

// askForHugePages does nothing: the system chooses the page size.
func askForHugePages() {}
