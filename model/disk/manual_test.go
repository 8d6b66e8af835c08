package disk_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model/disk"
)

func make0(t *testing.T, d *disk.Disk, name string, dir bool) disk.File {
	f, err := d.Make(disk.Root, name, dir)
	require.NoError(t, err, name)
	return f
}

// images returns the possible disks after a crash, each by the names and contents of all files. It tries all
// choices.
func images(d *disk.Disk) map[string]bool {
	all := map[string]bool{}
	for is, more := []int{}, true; more; {
		c, a := d.Clone(), answers{is: is}
		c.Crash(a.choose)
		all[listing(c, disk.Root, "")] = true
		is, more = next(is, a.of)
	}
	return all
}

// next returns the choices that follow, in the order of an odometer, given how many there were of each.
func next(is, of []int) ([]int, bool) {
	now := make([]int, len(of))
	copy(now, is)
	for i := len(now) - 1; i >= 0; i-- {
		if now[i]+1 < of[i] {
			now[i]++
			return now[:i+1], true
		}
	}
	return nil, false
}

func listing(d *disk.Disk, dir disk.File, at string) string {
	var b strings.Builder
	for _, name := range d.List(dir) {
		f, _ := d.Lookup(dir, name)
		if d.IsDir(f) {
			b.WriteString(at + name + "/ " + listing(d, f, at+name+"/"))
		} else {
			b.WriteString(at + name + "=" + content(d, at+name) + " ")
		}
	}
	return b.String()
}

// The space of a file is free again once it has neither a name nor a descriptor.
func TestSpace(t *testing.T) {
	d := disk.New(disk.Options{Size: 1000})
	text := []byte(strings.Repeat("x", 60))
	for i := range 100 {
		f := make0(t, d, "f", false)
		require.NoError(t, put(d, f, text, 0), i)
		require.NoError(t, d.Remove(disk.Root, "f", false))
	}
	for i := range 100 {
		f := make0(t, d, "new", false)
		require.NoError(t, put(d, f, text, 0), i)
		require.NoError(t, d.Rename(disk.Root, "new", disk.Root, "old"))
	}
	f := find(d, "old")
	d.Open(f)
	d.Open(f)
	require.NoError(t, d.Remove(disk.Root, "old", false))
	g := make0(t, d, "g", false)
	n, err := d.WriteAt(g, make([]byte, 2000), 0)
	require.NoError(t, err)
	assert.Equal(t, 940, n, "a write is cut off")
	assert.Equal(t, 60, d.ReadAt(f, make([]byte, 100), 0), "an open file is there")
	d.Close(f)
	assert.ErrorIs(t, put(d, g, []byte("y"), 940), disk.ErrFull)
	d.Close(f)
	assert.NoError(t, put(d, g, text, 940))
	assert.ErrorIs(t, put(d, g, []byte("y"), 1000), disk.ErrFull)
}

// Each operation fails in the cases that the manual pages of Linux list, and then has no effect.
func TestManual(t *testing.T) {
	root := disk.Root
	rename := func(from, to string) func(*disk.Disk) error {
		return func(d *disk.Disk) error { return d.Rename(root, from, root, to) }
	}
	remove := func(name string, dir bool) func(*disk.Disk) error {
		return func(d *disk.Disk) error { return d.Remove(root, name, dir) }
	}
	long := strings.Repeat("n", 256)
	for _, c := range []struct {
		name string
		do   func(*disk.Disk) error
		err  error
		left string
	}{
		{"rename into itself", rename("a", "a/b"), disk.ErrInvalid, ""},
		{"rename far into itself", rename("a", "a/x/y"), disk.ErrInvalid, ""},
		{"rename onto what it is in", rename("a/x", "a"), disk.ErrNotEmpty, ""},
		{"rename onto a directory with names", rename("e", "a"), disk.ErrNotEmpty, ""},
		{"rename onto an empty directory", rename("a", "e"), nil, "e/ e/f=f e/x/ g=g "},
		{"rename to the same", rename("g", "g"), nil, ""},
		{"rename a directory onto a file", rename("e", "g"), disk.ErrNotDir, ""},
		{"rename a file onto a directory", rename("g", "e"), disk.ErrIsDir, ""},
		{"rename through a file", rename("g/f", "h"), disk.ErrNotDir, ""},
		{"rename to below a file", rename("e", "g/h"), disk.ErrNotDir, ""},
		{"rename the root", rename(".", "h"), disk.ErrBusy, ""},
		{"rename a dot", rename("a/.", "h"), nil, "e/ g=g h/ h/f=f h/x/ "},
		{"rename to nowhere", rename("g", "no/h"), disk.ErrNotExist, ""},
		{"rename to a long name", rename("g", long), disk.ErrNameTooLong, ""},
		{"remove the root", remove(".", true), disk.ErrBusy, ""},
		{"unlink a directory", remove("e", false), disk.ErrIsDir, ""},
		{"rmdir a file", remove("g", true), disk.ErrNotDir, ""},
		{"rmdir with names", remove("a", true), disk.ErrNotEmpty, ""},
		{"rmdir", remove("a/x", true), nil, "a/ a/f=f e/ g=g "},
		{"unlink through a file", remove("g/f", false), disk.ErrNotDir, ""},
		{"up and down", remove("a/../g", false), nil, "a/ a/f=f a/x/ e/ "},
		{"up from the root", remove("../g", false), nil, "a/ a/f=f a/x/ e/ "},
		{"mkdir that is there", func(d *disk.Disk) error { _, err := d.Make(root, "e", true); return err }, disk.ErrExist, ""},
		{"mkdir the root", func(d *disk.Disk) error { _, err := d.Make(root, "/", true); return err }, disk.ErrExist, ""},
		{"a long name", func(d *disk.Disk) error { _, err := d.Make(root, long, true); return err }, disk.ErrNameTooLong, ""},
		{"make in what is removed", func(d *disk.Disk) error {
			e := find(d, "e")
			d.Open(e)
			require.NoError(t, d.Remove(root, "e", true))
			_, err := d.Make(e, "f", false)
			return err
		}, disk.ErrNotExist, "a/ a/f=f a/x/ g=g "},
		{"write nothing far away", func(d *disk.Disk) error { return put(d, find(d, "g"), nil, 100) }, nil, ""},
		{"write too far away", func(d *disk.Disk) error { return put(d, find(d, "g"), []byte("x"), 1<<62) }, disk.ErrTooLarge, ""},
		{"write behind the end", func(d *disk.Disk) error { return put(d, find(d, "g"), []byte("x"), 3) }, nil, "a/ a/f=f a/x/ e/ g=g\x00\x00x "},
		{"truncate to less than nothing", func(d *disk.Disk) error { return d.Truncate(find(d, "g"), -1) }, disk.ErrInvalid, ""},
		{"truncate to more", func(d *disk.Disk) error { return d.Truncate(find(d, "g"), 2) }, nil, "a/ a/f=f a/x/ e/ g=g\x00 "},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := disk.New(disk.Options{})
			make0(t, d, "a", true)
			make0(t, d, "a/x", true)
			make0(t, d, "e", true)
			require.NoError(t, put(d, make0(t, d, "a/f", false), []byte("f"), 0))
			require.NoError(t, put(d, make0(t, d, "g", false), []byte("g"), 0))
			was := listing(d, root, "")
			assert.Equal(t, c.err, c.do(d))
			if c.left == "" {
				c.left = was
			}
			assert.Equal(t, c.left, listing(d, root, ""))
		})
	}
}

// Times are from the wall clock at the write. A crash that loses a write loses its time, too.
func TestTimes(t *testing.T) {
	d := disk.New(disk.Options{})
	d.SetTime(10)
	f := make0(t, d, "f", false)
	assert.EqualValues(t, 10, d.Time(disk.Root))
	d.SetTime(20)
	require.NoError(t, put(d, f, []byte("a"), 0))
	assert.EqualValues(t, 20, d.Time(f))
	sync(d, f)
	d.SetTime(30)
	require.NoError(t, d.Truncate(f, 0))
	assert.EqualValues(t, 30, d.Time(f))
	d.Touch(f, 5)
	assert.EqualValues(t, 5, d.Time(f))
	assert.EqualValues(t, 10, d.Time(disk.Root))
	named := d.Name()
	d.Touch(f, 6)
	assert.NotEqual(t, named, d.Name(), "a program sees the time")
	d.Crash((&answers{is: []int{0, 3}}).choose)
	assert.EqualValues(t, 20, d.Time(f))
}

// A crash leaves exactly these images.
func TestImages(t *testing.T) {
	strict, ordered := disk.Options{StrictNames: true}, disk.Options{}
	dirSync := func(t *testing.T, d *disk.Disk) {
		a := make0(t, d, "a", true)
		sync(d, disk.Root)
		d.Open(a)
		require.NoError(t, d.Rename(disk.Root, "a", disk.Root, "b"))
		make0(t, d, "b/x", false)
		sync(d, a)
		sync(d, disk.Root)
	}
	wal := func(t *testing.T, d *disk.Disk) {
		data := make0(t, d, "data", true)
		sync(d, make0(t, d, "data/wal", false))
		sync(d, data)
	}
	manifest := func(t *testing.T, d *disk.Disk) {
		data := make0(t, d, "data", true)
		make0(t, d, "manifest.tmp", false)
		sync(d, disk.Root)
		require.NoError(t, d.Rename(disk.Root, "manifest.tmp", disk.Root, "manifest"))
		make0(t, d, "data/wal", false)
		sync(d, data)
	}
	out := func(t *testing.T, d *disk.Disk) {
		a := make0(t, d, "a", true)
		make0(t, d, "b", true)
		make0(t, d, "a/f", false)
		sync(d, disk.Root)
		require.NoError(t, d.Rename(disk.Root, "a/f", disk.Root, "b/f"))
		sync(d, a)
	}
	overlapping := func(t *testing.T, d *disk.Disk) {
		f := make0(t, d, "f", false)
		sync(d, disk.Root)
		require.NoError(t, put(d, f, []byte("1"), 0))
		began := d.Begin()
		require.NoError(t, put(d, f, []byte("2"), 1))
		require.NoError(t, d.Rename(disk.Root, "f", disk.Root, "g"))
		require.NoError(t, d.Sync(f, began))
	}
	truncated := func(t *testing.T, d *disk.Disk) {
		f := make0(t, d, "f", false)
		require.NoError(t, put(d, f, []byte("1"), 0))
		sync(d, f)
		sync(d, disk.Root)
		require.NoError(t, d.Truncate(f, 0))
		require.NoError(t, put(d, f, []byte("2"), 0))
	}
	failed := func(t *testing.T, d *disk.Disk) {
		f := make0(t, d, "f", false)
		sync(d, disk.Root)
		require.NoError(t, put(d, f, []byte("1"), 0))
		d.Fail()
		require.ErrorIs(t, d.Sync(f, d.Begin()), disk.ErrIO)
		require.NoError(t, put(d, f, []byte("2"), 1))
		require.NoError(t, d.Sync(f, d.Begin()))
	}
	twoFiles := func(t *testing.T, d *disk.Disk) {
		a, b := make0(t, d, "a", false), make0(t, d, "b", false)
		sync(d, disk.Root)
		require.NoError(t, put(d, a, []byte("1"), 0))
		require.NoError(t, put(d, b, []byte("2"), 0))
	}
	for _, c := range []struct {
		name   string
		opt    disk.Options
		do     func(*testing.T, *disk.Disk)
		images []string
	}{
		{"a directory is synced by another name", strict, dirSync, []string{"b/ b/x= "}},
		{"a directory is synced by another name, in order", ordered, dirSync, []string{"b/ b/x= "}},
		{"a directory above is not synced", strict, wal, []string{"", "data/ data/wal= "}},
		{"a directory above is not synced, in order", ordered, wal, []string{"data/ data/wal= "}},
		{"another directory is synced", strict, manifest, []string{"data/ data/wal= manifest.tmp= ", "data/ data/wal= manifest= "}},
		{"another directory is synced, in order", ordered, manifest, []string{"data/ data/wal= manifest= "}},
		{"the old directory is synced", strict, out, []string{"a/ b/ b/f= "}},
		{"what comes while a file is synced", strict, overlapping, []string{"f=1 ", "f=12 ", "g=1 ", "g=12 "}},
		{"what comes while a file is synced, in order", ordered, overlapping, []string{"f=1 ", "f=12 ", "g=1 ", "g=12 "}},
		{"a truncation is lost", ordered, truncated, []string{"f=1 ", "f= ", "f=2 "}},
		{"a truncation is lost, or torn", disk.Options{Torn: true}, truncated, []string{"f=1 ", "f= ", "f=2 "}},
		{"an earlier write to another file is lost", ordered, twoFiles, []string{"a= b= ", "a=1 b= ", "a= b=2 ", "a=1 b=2 "}},
		{"a sync failed", ordered, failed, []string{"f=12 ", "f=\x002 "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := disk.New(c.opt)
			c.do(t, d)
			all := map[string]bool{}
			for _, image := range c.images {
				all[image] = true
			}
			assert.Equal(t, all, images(d))
		})
	}
}
