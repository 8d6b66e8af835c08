//go:build !contend || !(wasip1 || contend_native)

package concurrent

// Bodies do not run outside of a machine, and so no history is recorded there.

func recorded(*History) {}
func goroutine() uint64 { return 0 }
func point(*History)    {}
func returns(*History)  {}
