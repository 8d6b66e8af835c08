// Package calls makes calls of package os, and says what came of each.
package calls

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

var numbers = map[syscall.Errno]string{syscall.EBADF: "EBADF", syscall.EBUSY: "EBUSY", syscall.EEXIST: "EEXIST", syscall.EFBIG: "EFBIG",
	syscall.EINVAL: "EINVAL", syscall.EIO: "EIO", syscall.EISDIR: "EISDIR", syscall.ENAMETOOLONG: "ENAMETOOLONG", syscall.ENOENT: "ENOENT",
	syscall.ENOSPC: "ENOSPC", syscall.ENOSYS: "ENOSYS", syscall.ENOTDIR: "ENOTDIR", syscall.ENOTEMPTY: "ENOTEMPTY"}

func named(err error) string {
	var n syscall.Errno
	switch {
	case err == nil:
		return "ok"
	case errors.As(err, &n) && numbers[n] != "":
		return numbers[n]
	case err == io.EOF:
		return "EOF"
	case errors.Is(err, os.ErrClosed):
		return "closed"
	}
	return err.Error()
}

// Make makes the calls below a directory that is empty, and says a line for each.
func Make(root string, say func(string)) {
	s := &script{root: root, say: say, began: time.Now()}
	s.opens()
	s.access()
	s.offsets()
	s.trees()
	s.renames()
	s.removed()
	s.times()
}

type script struct {
	root  string
	say   func(string)
	began time.Time
}

func (s *script) at(name string) string { return filepath.Join(s.root, name) }

func (s *script) tell(what string, err error) { s.say(what + ": " + named(err)) }

// open opens a file, and tells of it.
func (s *script) open(name string, how int) *os.File {
	f, err := os.OpenFile(s.at(name), how, 0o600)
	s.tell(fmt.Sprintf("open %.9s %s", name, flags(how)), err)
	return f
}

func flags(how int) string {
	all := []string{map[int]string{os.O_RDONLY: "RDONLY", os.O_WRONLY: "WRONLY", os.O_RDWR: "RDWR"}[how&(os.O_RDONLY|os.O_WRONLY|os.O_RDWR)]}
	for _, f := range []struct {
		is   int
		name string
	}{{os.O_CREATE, "CREATE"}, {os.O_EXCL, "EXCL"}, {os.O_TRUNC, "TRUNC"}, {os.O_APPEND, "APPEND"}, {os.O_SYNC, "SYNC"}} {
		if how&f.is == f.is {
			all = append(all, f.name)
		}
	}
	return strings.Join(all, " ")
}

// content says what a file has.
func (s *script) content(name string) {
	b, err := os.ReadFile(s.at(name))
	s.say(fmt.Sprintf("%s has %q: %s", name, b, named(err)))
}

func (s *script) opens() {
	s.tell("mkdir d", os.Mkdir(s.at("d"), 0o700))
	for _, how := range []int{os.O_RDONLY, os.O_WRONLY, os.O_RDWR, os.O_RDWR | os.O_CREATE, os.O_RDONLY | os.O_CREATE, os.O_RDWR | os.O_TRUNC,
		os.O_WRONLY | os.O_CREATE | os.O_EXCL, os.O_WRONLY | os.O_APPEND} {
		for _, name := range []string{"d", "new", "new/below", "no/below", strings.Repeat("n", 256)} {
			s.open(name, how).Close()
		}
		_ = os.Remove(s.at("new"))
	}
	s.tell("mkdir d again", os.Mkdir(s.at("d"), 0o700))
	s.tell("mkdir no/below", os.Mkdir(s.at("no/below"), 0o700))
}

func (s *script) access() {
	for _, how := range []int{os.O_RDWR | os.O_CREATE, os.O_RDONLY, os.O_WRONLY, os.O_WRONLY | os.O_APPEND, os.O_WRONLY | os.O_SYNC} {
		f := s.open("f", how)
		n, err := f.Write([]byte("text"))
		s.tell(fmt.Sprint("write ", n), err)
		_, err = f.Seek(0, io.SeekStart)
		s.tell("seek", err)
		b := make([]byte, 3)
		n, err = f.Read(b)
		s.tell(fmt.Sprint("read ", n), err)
		n, err = f.ReadAt(b, 2)
		s.tell(fmt.Sprint("pread ", n), err)
		if how&os.O_APPEND == 0 {
			_, err = f.WriteAt([]byte("+"), 1)
			s.tell("pwrite", err)
		}
		s.tell("truncate", f.Truncate(6))
		s.tell("sync", f.Sync())
		_, err = f.Readdirnames(1)
		s.tell("readdir of a file", err)
		s.tell("close", f.Close())
		s.content("f")
	}
	d := s.open("d", os.O_RDONLY)
	_, err := d.Read(make([]byte, 1))
	s.tell("read a directory", err)
	_, err = d.ReadAt(make([]byte, 1), 0)
	s.tell("pread a directory", err)
	_, err = d.Write([]byte("x"))
	s.tell("write a directory", err)
	s.tell("truncate a directory", d.Truncate(0))
	s.tell("sync a directory", d.Sync())
	s.tell("truncate by path", os.Truncate(s.at("d"), 0))
	s.tell("truncate nothing", os.Truncate(s.at("none"), 0))
	d.Close()
}

func (s *script) offsets() {
	f := s.open("o", os.O_RDWR|os.O_CREATE|os.O_TRUNC)
	_, err := f.WriteAt(nil, 100)
	s.tell("write nothing at 100", err)
	s.content("o")
	_, err = f.WriteAt([]byte("x"), 3)
	s.tell("write at 3", err)
	s.content("o")
	s.tell("truncate to -1", f.Truncate(-1))
	for _, to := range []struct {
		by   int64
		from int
	}{{-1, io.SeekStart}, {2, io.SeekEnd}, {-1, io.SeekCurrent}, {-9, io.SeekEnd}, {0, 7}} {
		at, err := f.Seek(to.by, to.from)
		s.tell(fmt.Sprint("seek ", to, " to ", at), err)
	}
	_, err = f.Write([]byte("y"))
	s.tell("write behind the end", err)
	s.content("o")
	a := s.open("o", os.O_WRONLY|os.O_APPEND)
	_, _ = f.WriteAt([]byte("z"), 9)
	_, err = a.Write([]byte("end"))
	s.tell("append", err)
	s.content("o")
	n, err := f.ReadAt(make([]byte, 9), 8)
	s.tell(fmt.Sprint("pread across the end ", n), err)
	n, err = f.ReadAt(make([]byte, 9), 99)
	s.tell(fmt.Sprint("pread behind the end ", n), err)
	f.Close()
	a.Close()
}

func (s *script) trees() {
	s.tell("mkdir t/a/b", os.MkdirAll(s.at("t/a/b"), 0o700))
	s.tell("write t/a/f", os.WriteFile(s.at("t/a/f"), []byte("f"), 0o600))
	s.tell("rmdir t/a", os.Remove(s.at("t/a")))
	s.tell("unlink through a file", os.Remove(s.at("t/a/f/g")))
	s.tell("unlink nothing", os.Remove(s.at("t/none")))
	_, err := os.Stat(s.at("t/a/f/g"))
	s.tell("stat through a file", err)
	_, err = os.Lstat(s.at("t/none"))
	s.tell("lstat nothing", err)
	_, err = os.Readlink(s.at("t/a/f"))
	s.tell("readlink of a file", err)
	_, err = os.Readlink(s.at("t/none"))
	s.tell("readlink of nothing", err)
	s.tell("unlink a directory", syscall.Unlink(s.at("t/a")))
	s.tell("rmdir a file", syscall.Rmdir(s.at("t/a/f")))
	all, err := os.ReadDir(s.at("t/a"))
	s.tell(fmt.Sprint("list ", all), err)
	s.tell("remove all", os.RemoveAll(s.at("t")))
	_, err = os.ReadDir(s.at("t"))
	s.tell("list nothing", err)
}

func (s *script) renames() {
	_ = os.MkdirAll(s.at("r/a/b"), 0o700)
	_ = os.MkdirAll(s.at("r/e"), 0o700)
	_ = os.WriteFile(s.at("r/f"), []byte("f"), 0o600)
	_ = os.WriteFile(s.at("r/g"), []byte("g"), 0o600)
	for _, c := range [][2]string{{"a", "a/c"}, {"a", "a/b/c"}, {"a/b", "a"}, {"e", "a"}, {"e", "f"}, {"f", "e"}, {"f", "f"}, {"f", "g"}, {"none", "h"},
		{"g", "none/h"}, {"g", "g/h"}, {"g/h", "h"}, {"a", "e"}, {"e/b", "b"}, {"e", "b/e"}, {"b/e", "b/e/b"}} {
		s.tell("rename "+c[0]+" "+c[1], syscall.Rename(s.at("r/"+c[0]), s.at("r/"+c[1])))
	}
	_ = filepath.WalkDir(s.at("r"), func(path string, d os.DirEntry, err error) error {
		s.tell("there is "+strings.TrimPrefix(path, strings.TrimSuffix(s.root, "/")), err)
		return nil
	})
	s.content("r/g")
}

func (s *script) removed() {
	f := s.open("u", os.O_RDWR|os.O_CREATE)
	s.tell("remove", os.Remove(s.at("u")))
	_, err := f.Write([]byte("still"))
	s.tell("write to what is removed", err)
	b := make([]byte, 5)
	n, err := f.ReadAt(b, 0)
	s.tell(fmt.Sprint("read ", string(b[:n])), err)
	info, err := f.Stat()
	s.tell(fmt.Sprint("stat ", info.Size()), err)
	s.tell("sync", f.Sync())
	s.tell("close", f.Close())
	s.tell("close again", f.Close())
	d := s.open("d", os.O_RDONLY)
	s.tell("rename d", os.Rename(s.at("d"), s.at("d2")))
	_ = os.WriteFile(s.at("d2/in"), nil, 0o600)
	all, err := d.Readdirnames(-1)
	s.tell(fmt.Sprint("list ", all), err)
	s.tell("sync", d.Sync())
	d.Close()
}

func (s *script) times() {
	f := s.open("m", os.O_RDWR|os.O_CREATE)
	s.recent("made", f)
	then := time.Unix(1000, 5000)
	s.tell("set the time", os.Chtimes(s.at("m"), then, then))
	info, _ := f.Stat()
	s.say(fmt.Sprint("modified at ", info.ModTime().UnixNano()))
	_, _ = f.Write([]byte("m"))
	s.recent("written", f)
	_ = os.Chtimes(s.at("m"), then, then)
	_ = f.Truncate(9)
	s.recent("truncated", f)
	f.Close()
	d := s.open("d2", os.O_RDONLY)
	_ = os.Chtimes(s.at("d2"), then, then)
	_ = os.Remove(s.at("d2/in"))
	s.recent("a name removed", d)
	d.Close()
}

// recent says whether a file was modified since the script began, to the second.
func (s *script) recent(what string, f *os.File) {
	info, err := f.Stat()
	at := info.ModTime()
	s.tell(fmt.Sprint(what, " lately ", at.After(s.began.Add(-time.Second)) && at.Before(time.Now().Add(time.Second))), err)
}
