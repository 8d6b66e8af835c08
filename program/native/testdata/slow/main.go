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
	must(f.Truncate(10))
	whole, err := os.OpenFile("/f", os.O_WRONLY|os.O_SYNC, 0)
	must(err)
	data, err := os.OpenFile("/f", os.O_WRONLY|syscall.O_DSYNC, 0)
	must(err)
	mapped, err := syscall.Mmap(int(f.Fd()), 0, 10, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	must(err)
	for i, sync := range []func() error{
		f.Sync,
		func() error { return syscall.Fsync(int(f.Fd())) },
		func() error { return syscall.Fdatasync(int(f.Fd())) },
		func() error { return unix.Fdatasync(int(f.Fd())) },
		func() error { return unix.Msync(mapped, unix.MS_SYNC) },
		func() error { _, err := whole.WriteAt([]byte("s"), 8); return err },
		func() error { _, err := data.WriteString("d"); return err },
	} {
		_, err := f.WriteAt([]byte("w"), int64(i+1))
		must(err)
		mapped[i] = 'm'
		go func() { mapped[9] = byte('0' + i) }() // during the sync
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
