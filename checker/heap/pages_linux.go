package heap

import "syscall"

// askForHugePages asks the system for huge pages where the heap will grow next. A page of 4 KiB takes the system a microsecond or more to
// provide, and ten in some virtual machines, so that a small search spends a fifth of its time there; one of 2 MiB takes as
// long as some tens of them. The memory that is asked for is not touched, and is free again at the next collection.
func askForHugePages() {
	_ = syscall.Madvise(make([]byte, ahead), syscall.MADV_HUGEPAGE) // advice; nothing depends on it
}
