// Libraries is a node that locks, maps and syncs files by libraries whose files for Linux do that. Each call is the name of a library.
package main

import (
	"fmt"
	"os"

	"github.com/edsrzf/mmap-go"
	"github.com/go-kit/log/term"
	"github.com/gofrs/flock"
	"github.com/prometheus/procfs"
	"github.com/sirupsen/logrus"
	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"go.etcd.io/bbolt"
	"golang.org/x/sys/unix"

	"contend/program/sim"
)

var calls = map[string]func() any{
	"flock": func() any {
		l := flock.New("/lock")
		is, err := l.TryLock()
		return fmt.Sprint(is, err, l.Unlock())
	},
	"mmap":     mapped,
	"unsynced": func() any { shared[1] = 'U'; return "stored" },
	"unmap":    func() any { return shared.Unmap() },
	"terminal": func() any {
		logrus.SetFormatter(&logrus.TextFormatter{})
		return term.IsTerminal(os.Stdout)
	},
	"procfs": func() any { _, err := procfs.NewFS("/proc"); return err != nil },
	"bbolt": func() any {
		db, err := bbolt.Open("/bolt", 0o600, nil)
		if err != nil {
			return err
		}
		defer db.Close()
		err = db.Update(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucket([]byte("b"))
			if err == nil {
				err = b.Put([]byte("k"), []byte("v"))
			}
			return err
		})
		if err != nil {
			return err
		}
		var is string
		err = db.View(func(tx *bbolt.Tx) error { is = string(tx.Bucket([]byte("b")).Get([]byte("k"))); return nil })
		return fmt.Sprint(is, err)
	},
	"goleveldb": func() any {
		db, err := leveldb.OpenFile("/level", nil)
		if err != nil {
			return err
		}
		defer db.Close()
		if err := db.Put([]byte("k"), []byte("v"), &opt.WriteOptions{Sync: true}); err != nil {
			return err
		}
		is, err := db.Get([]byte("k"), nil)
		return fmt.Sprint(string(is), err)
	},
	"unix": system,
}

var shared mmap.MMap

// mapped maps a file twice, changes it by the one mapping and by a write, and syncs it.
func mapped() any {
	f, err := os.Create("/mapped")
	must(err)
	must(f.Truncate(10000))
	shared, err = mmap.Map(f, mmap.RDWR, 0)
	must(err)
	private, err := mmap.Map(f, mmap.COPY, 0)
	must(err)
	copy(shared, "store")
	copy(shared[9000:], "far")
	private[0] = 'p'
	_, err = f.WriteAt([]byte("write"), 100)
	must(err)
	b := make([]byte, 5)
	_, err = f.ReadAt(b, 0)
	must(err)
	must(shared.Flush())
	far := string(shared[9000:9003])
	must(private.Unmap())
	return fmt.Sprint(len(shared), " ", string(b), " ", string(shared[100:105]), " ", far)
}

// system makes system calls.
func system() any {
	f, err := os.Create("/calls")
	must(err)
	_, err = unix.Pwrite(int(f.Fd()), []byte("text"), 2)
	must(err)
	must(unix.Fallocate(int(f.Fd()), 0, 0, 5000))
	must(unix.Fdatasync(int(f.Fd())))
	b, err := unix.Mmap(int(f.Fd()), 0, 5000, unix.PROT_READ, unix.MAP_SHARED)
	must(err)
	b, err = unix.Mremap(b, 9000, unix.MREMAP_MAYMOVE)
	must(err)
	memory, err := unix.Mmap(-1, 0, 100, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	must(err)
	memory[0] = 1
	must(unix.Madvise(memory, unix.MADV_DONTNEED))
	_, bad := unix.Mmap(int(f.Fd())+50, 0, 100, unix.PROT_READ, unix.MAP_SHARED)
	_, none := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	info, err := f.Stat()
	must(err)
	text := string(b[2:6])
	return fmt.Sprint(text, " ", memory[0], " ", info.Size(), " ", len(b), " ", os.Getpagesize(), " ", bad == unix.EBADF, " ", none != nil, " ", unix.Munmap(b))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	for {
		sim.Return(fmt.Sprint(calls[sim.Invoked()]()))
	}
}
