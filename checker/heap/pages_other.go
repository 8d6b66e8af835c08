//go:build !linux

package heap

// askForHugePages does nothing: how pages are chosen is left to the system.
func askForHugePages() {}
