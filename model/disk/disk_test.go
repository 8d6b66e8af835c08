package disk_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model/disk"
)

// answers returns the given answers in order, and stores the numbers of alternatives.
type answers struct{ is, of []int }

func (a *answers) choose(n int) int {
	a.of = append(a.of, n)
	is := 0
	if len(a.is) > 0 {
		is, a.is = a.is[0], a.is[1:]
	}
	return is
}

func find(d *disk.Disk, name string) disk.File {
	f, _ := d.Lookup(disk.Root, name)
	return f
}

// put writes all or fails.
func put(d *disk.Disk, f disk.File, b []byte, at int64) error {
	n, err := d.WriteAt(f, b, at)
	if err == nil && n < len(b) {
		err = disk.ErrFull
	}
	return err
}

func sync(d *disk.Disk, f disk.File) { _ = d.Sync(f, d.Begin()) }

func content(d *disk.Disk, name string) string {
	f := find(d, name)
	if f == 0 {
		return "none"
	}
	b := make([]byte, d.Len(f))
	return string(b[:d.ReadAt(f, b, 0)])
}

// written returns a disk with a file "a" with the synced write "one" and the unsynced write "two", and a file
// "b" that is not synced.
func written(t *testing.T, opt disk.Options) *disk.Disk {
	d := disk.New(opt)
	a, err := d.Make(disk.Root, "a", false)
	require.NoError(t, err)
	require.NoError(t, put(d, a, []byte("one"), 0))
	sync(d, a)
	require.NoError(t, put(d, a, []byte("two"), 3))
	require.NoError(t, put(d, a, []byte("."), 6))
	_, err = d.Make(disk.Root, "b", false)
	require.NoError(t, err)
	return d
}

// After a crash the synced changes survive, and the chosen part of the others.
func TestCrash(t *testing.T) {
	for _, c := range []struct {
		name   string
		opt    disk.Options
		is, of []int
		a, b   string
	}{
		{"nothing is lost", disk.Options{}, nil, []int{2, 3}, "onetwo.", ""},
		{"all is lost", disk.Options{}, []int{1, 2}, []int{2, 3}, "one", "none"},
		{"the last write is lost", disk.Options{}, []int{0, 1}, []int{2, 3}, "onetwo", ""},
		{"a write is torn", disk.Options{Torn: true}, []int{0, 2, 1}, []int{2, 3, 3}, "onet", ""},
		{"a write keeps its first byte", disk.Options{Torn: true, TornHeader: true}, []int{0, 2, 3}, []int{2, 3, 4}, "onet", ""},
		{"a write is torn at a sector", disk.Options{Torn: true, Sector: 2}, []int{0, 2, 2}, []int{2, 3, 3}, "onet", ""},
		{"a sector holds all that is left of a write", disk.Options{Torn: true, Sector: 8}, []int{0, 2, 2}, []int{2, 3, 3}, "one", ""},
		{"an earlier write is lost", disk.Options{Reordered: true}, []int{0, 1, 0}, []int{2, 2, 2}, "one\x00\x00\x00.", ""},
		{"names are strict", disk.Options{StrictNames: true}, []int{1, 1}, []int{2, 2}, "none", "none"},
		{"a name is lost before another", disk.Options{StrictNames: true}, []int{1, 0}, []int{2, 2}, "none", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := written(t, c.opt)
			was := d.Clone()
			a := answers{is: c.is}
			d.Crash(a.choose)
			assert.Equal(t, c.of, a.of)
			assert.Equal(t, c.a, content(d, "a"))
			assert.Equal(t, c.b, content(d, "b"))
			assert.Equal(t, "onetwo.", content(was, "a"), "a copy is as it was")
			assert.NotEqual(t, was.Name(), d.Name())
			a = answers{}
			d.Crash(a.choose)
			assert.NotContains(t, a.of, 2, "a second crash finds nothing to lose")
		})
	}
}

// Copies of a disk are independent, whichever is written first.
func TestClone(t *testing.T) {
	d := written(t, disk.Options{})
	c := d.Clone()
	for _, one := range []*disk.Disk{c, d} {
		require.NoError(t, put(one, find(one, "a"), []byte("!"), 0))
		assert.Equal(t, "!netwo.", content(one, "a"))
	}
	require.NoError(t, put(d, find(d, "a"), []byte("?"), 0))
	require.NoError(t, d.Remove(disk.Root, "b", false))
	assert.Equal(t, "!netwo.", content(c, "a"))
	assert.Equal(t, "", content(c, "b"))
}

// A sync of a copy makes nothing durable on the original disk. A failed sync makes nothing durable, too.
func TestSyncOfClone(t *testing.T) {
	for _, fails := range []bool{false, true} {
		d := written(t, disk.Options{})
		was := images(d)
		c := d.Clone()
		if fails {
			c.Fail()
		}
		sync(c, find(c, "a"))
		assert.Equal(t, was, images(d))
		assert.NotEqual(t, was, images(c))
	}
}

// With strict names the sync of a directory makes the names in it durable, a rename among them.
func TestSyncDirectory(t *testing.T) {
	d := disk.New(disk.Options{StrictNames: true})
	a, _ := d.Make(disk.Root, "a", false)
	require.NoError(t, put(d, a, []byte("new"), 0))
	sync(d, a)
	require.NoError(t, d.Rename(disk.Root, "a", disk.Root, "b"))
	sync(d, disk.Root)
	lost := answers{is: []int{0}}
	d.Crash(lost.choose)
	assert.Empty(t, lost.of)
	assert.Equal(t, []string{"b"}, d.List(disk.Root))
	assert.Equal(t, "new", content(d, "b"))
}

// Operations fail with the errors of a file system, and a full disk accepts no more data.
func TestErrors(t *testing.T) {
	d := disk.New(disk.Options{Size: 4})
	f, err := d.Make(disk.Root, "f", false)
	require.NoError(t, err)
	_, err = d.Make(disk.Root, "dir", true)
	require.NoError(t, err)
	_, err = d.Make(disk.Root, "dir/g", false)
	require.NoError(t, err)
	_, err = d.Make(disk.Root, "f", false)
	assert.ErrorIs(t, err, disk.ErrExist)
	_, err = d.Make(disk.Root, "no/h", false)
	assert.ErrorIs(t, err, disk.ErrNotExist)
	_, err = d.Make(disk.Root, "f/h", false)
	assert.ErrorIs(t, err, disk.ErrNotDir)
	assert.ErrorIs(t, d.Remove(disk.Root, "dir", true), disk.ErrNotEmpty)
	assert.ErrorIs(t, d.Remove(disk.Root, "dir", false), disk.ErrIsDir)
	assert.ErrorIs(t, d.Remove(disk.Root, "f", true), disk.ErrNotDir)
	assert.ErrorIs(t, d.Rename(disk.Root, "none", disk.Root, "f"), disk.ErrNotExist)
	assert.ErrorIs(t, d.Rename(disk.Root, "f", disk.Root, "dir"), disk.ErrIsDir)
	assert.ErrorIs(t, d.Rename(disk.Root, "dir", disk.Root, "f"), disk.ErrNotDir)

	require.NoError(t, put(d, f, []byte("four"), 0))
	assert.ErrorIs(t, put(d, f, []byte("!"), 4), disk.ErrFull)
	require.NoError(t, put(d, f, []byte("FOUR"), 0))
	require.NoError(t, d.Truncate(f, 1))
	require.NoError(t, put(d, f, []byte("!"), 1))
	assert.Equal(t, "F!", content(d, "f"))

	require.NoError(t, d.Rename(disk.Root, "dir", disk.Root, "other"))
	assert.NotZero(t, find(d, "other/g"))
	assert.Zero(t, find(d, "dir/g"))
}

// Each change gives a disk another name. The name does not depend on earlier queries.
func TestName(t *testing.T) {
	changes := []func(*disk.Disk) error{
		func(d *disk.Disk) error { _, err := d.Make(disk.Root, "dir", true); return err },
		func(d *disk.Disk) error { _, err := d.Make(disk.Root, "dir/a", false); return err },
		func(d *disk.Disk) error { return put(d, find(d, "dir/a"), []byte("abc"), 0) },
		func(d *disk.Disk) error { sync(d, find(d, "dir/a")); return nil },
		func(d *disk.Disk) error { return put(d, find(d, "dir/a"), []byte("d"), 1) },
		func(d *disk.Disk) error { return d.Truncate(find(d, "dir/a"), 1) },
		func(d *disk.Disk) error { return d.Rename(disk.Root, "dir/a", disk.Root, "b") },
		func(d *disk.Disk) error { sync(d, disk.Root); return nil },
		func(d *disk.Disk) error { d.Fill(true); return nil },
		func(d *disk.Disk) error { d.Fill(false); return nil },
		func(d *disk.Disk) error { d.Fail(); return nil },
		func(d *disk.Disk) error { d.Open(find(d, "b")); return nil },
		func(d *disk.Disk) error { return d.Remove(disk.Root, "b", false) },
		func(d *disk.Disk) error { d.Crash(func(n int) int { return n - 1 }); return nil },
	}
	asked, names := disk.New(disk.Options{}), [][32]byte{disk.New(disk.Options{}).Name()}
	for i, change := range changes {
		require.NoError(t, change(asked), i)
		is := asked.Name()
		assert.NotEqual(t, names[i], is, i)
		assert.Equal(t, is, asked.Clone().Name(), i)
		fresh := disk.New(disk.Options{})
		for _, earlier := range changes[:i+1] {
			require.NoError(t, earlier(fresh))
		}
		assert.Equal(t, fresh.Name(), is, i)
		names = append(names, is)
	}
}
