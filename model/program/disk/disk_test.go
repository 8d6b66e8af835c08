package disk_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model/program/disk"
)

// answers answers with what it is given, in order, and keeps of how many each was chosen.
type answers struct{ is, of []int }

func (a *answers) choose(n int) int {
	a.of = append(a.of, n)
	is := 0
	if len(a.is) > 0 {
		is, a.is = a.is[0], a.is[1:]
	}
	return is
}

func content(d *disk.Disk, name string) string {
	f := d.Lookup(name)
	if f == 0 {
		return "none"
	}
	b := make([]byte, d.Len(f))
	return string(b[:d.ReadAt(f, b, 0)])
}

// written has a file "a" of which "one" is synced and "two" is not, and a file "b" that is not synced at all.
func written(t *testing.T, opt disk.Options) *disk.Disk {
	d := disk.New(opt)
	a, err := d.Make("a", false)
	require.NoError(t, err)
	require.NoError(t, d.WriteAt(a, []byte("one"), 0))
	d.Sync(a, "a")
	require.NoError(t, d.WriteAt(a, []byte("two"), 3))
	require.NoError(t, d.WriteAt(a, []byte("."), 6))
	_, err = d.Make("b", false)
	require.NoError(t, err)
	return d
}

// A crash leaves what is synced, and of the rest what is chosen.
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
		{"an earlier write is lost", disk.Options{Reordered: true}, []int{0, 1, 0}, []int{2, 2, 2}, "one\x00\x00\x00.", ""},
		{"names are strict", disk.Options{StrictNames: true}, []int{2}, []int{3}, "none", "none"},
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
			assert.Equal(t, []int{1}, a.of, "a second crash finds nothing to lose")
		})
	}
}

// Copies of a disk go on without each other, whoever writes first.
func TestClone(t *testing.T) {
	d := written(t, disk.Options{})
	c := d.Clone()
	for _, one := range []*disk.Disk{c, d} {
		require.NoError(t, one.WriteAt(one.Lookup("a"), []byte("!"), 0))
		assert.Equal(t, "!netwo.", content(one, "a"))
	}
	require.NoError(t, d.WriteAt(d.Lookup("a"), []byte("?"), 0))
	require.NoError(t, d.Remove("b", false))
	assert.Equal(t, "!netwo.", content(c, "a"))
	assert.Equal(t, "", content(c, "b"))
}

// With strict names the sync of a directory makes the names in it durable, a rename among them.
func TestSyncDirectory(t *testing.T) {
	d := disk.New(disk.Options{StrictNames: true})
	a, _ := d.Make("a", false)
	require.NoError(t, d.WriteAt(a, []byte("new"), 0))
	d.Sync(a, "a")
	require.NoError(t, d.Rename("a", "b"))
	d.Sync(d.Lookup(disk.Root), disk.Root)
	lost := answers{is: []int{0}}
	d.Crash(lost.choose)
	assert.Equal(t, []int{1}, lost.of)
	assert.Equal(t, []string{"b"}, d.List(disk.Root))
	assert.Equal(t, "new", content(d, "b"))
}

// Operations fail as those of a file system do, and a full disk takes no more.
func TestErrors(t *testing.T) {
	d := disk.New(disk.Options{Size: 4})
	f, err := d.Make("f", false)
	require.NoError(t, err)
	_, err = d.Make("dir", true)
	require.NoError(t, err)
	_, err = d.Make("dir/g", false)
	require.NoError(t, err)
	_, err = d.Make("f", false)
	assert.ErrorIs(t, err, disk.ErrExist)
	_, err = d.Make("no/h", false)
	assert.ErrorIs(t, err, disk.ErrNotExist)
	_, err = d.Make("f/h", false)
	assert.ErrorIs(t, err, disk.ErrNotDir)
	assert.ErrorIs(t, d.Remove("dir", true), disk.ErrNotEmpty)
	assert.ErrorIs(t, d.Remove("dir", false), disk.ErrIsDir)
	assert.ErrorIs(t, d.Remove("f", true), disk.ErrNotDir)
	assert.ErrorIs(t, d.Rename("none", "f"), disk.ErrNotExist)
	assert.ErrorIs(t, d.Rename("f", "dir"), disk.ErrIsDir)
	assert.ErrorIs(t, d.Rename("dir", "f"), disk.ErrNotDir)

	require.NoError(t, d.WriteAt(f, []byte("four"), 0))
	assert.ErrorIs(t, d.WriteAt(f, []byte("!"), 4), disk.ErrFull)
	require.NoError(t, d.WriteAt(f, []byte("FOUR"), 0))
	require.NoError(t, d.Truncate(f, 1))
	require.NoError(t, d.WriteAt(f, []byte("!"), 1))
	assert.Equal(t, "F!", content(d, "f"))

	require.NoError(t, d.Rename("dir", "other"))
	assert.NotZero(t, d.Lookup("other/g"))
	assert.Zero(t, d.Lookup("dir/g"))
}

// Each change gives a disk another name, the same whether or not anybody asked for one before.
func TestName(t *testing.T) {
	changes := []func(*disk.Disk) error{
		func(d *disk.Disk) error { _, err := d.Make("dir", true); return err },
		func(d *disk.Disk) error { _, err := d.Make("dir/a", false); return err },
		func(d *disk.Disk) error { return d.WriteAt(d.Lookup("dir/a"), []byte("abc"), 0) },
		func(d *disk.Disk) error { d.Sync(d.Lookup("dir/a"), "dir/a"); return nil },
		func(d *disk.Disk) error { return d.WriteAt(d.Lookup("dir/a"), nil, 1) },
		func(d *disk.Disk) error { return d.Truncate(d.Lookup("dir/a"), 1) },
		func(d *disk.Disk) error { return d.Rename("dir/a", "b") },
		func(d *disk.Disk) error { d.Sync(d.Lookup(disk.Root), disk.Root); return nil },
		func(d *disk.Disk) error { d.Fill(true); return nil },
		func(d *disk.Disk) error { d.Fill(false); return nil },
		func(d *disk.Disk) error { return d.Remove("b", false) },
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
