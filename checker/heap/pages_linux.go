package heap

import "syscall"

// askForHugePages requests huge pages where the heap will grow next. A page of 4 KiB takes the system a
// microsecond or more, and ten in some virtual machines, so that a small search spends a fifth of its time
// there. A page of 2 MiB takes as long as some tens of these. The allocated memory is not touched, and is free
// after the next collection.
func askForHugePages() {
	_ = syscall.Madvise(make([]byte, hugePageBytes), syscall.MADV_HUGEPAGE) // advice; nothing depends on it
}
