// Slow writes to a file and syncs it in each way of Linux. On standard error it says how far it is.
package main

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"contend/program/sim"
)

func init() { sim.Main(main) }

func main() {
	f, err := os.Create("/f")
	must(err)
	must(f.Truncate(8))
	mapped, err := syscall.Mmap(int(f.Fd()), 0, 8, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	must(err)
	for i, sync := range []func() error{
		f.Sync,
		func() error { return syscall.Fsync(int(f.Fd())) },
		func() error { return syscall.Fdatasync(int(f.Fd())) },
		func() error { return unix.Fdatasync(int(f.Fd())) },
		func() error { return unix.Msync(mapped, unix.MS_SYNC) },
	} {
		_, err := f.WriteAt([]byte("w"), int64(i+1))
		must(err)
		mapped[i] = 'm'
		go func() { mapped[7] = byte('0' + i) }() // during the sync
		must(sync())
		fmt.Fprintln(os.Stderr, i)
	}
	select {}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
