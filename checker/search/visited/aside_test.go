package visited

import (
	"testing"

	"contend/checker/search/fingerprint"
)

// What stands aside comes back when the table has grown enough, and goes when it is emptied.
func TestAsideComesBack(t *testing.T) {
	set := New(false, 1)
	defer set.Close()
	var keys []fingerprint.Print
	for i := range uint64(4000) {
		keys = append(keys, fingerprint.Print{A: 1<<62 + i<<50}) // in an eighth of the table
	}
	for set.groups < 40 {
		set.grow()
	}
	insertShuffled(set, keys)
	if set.aside.n.Load() != 0 {
		t.Fatalf("%d stand aside in a table with room", set.aside.n.Load())
	}
	for _, k := range keys[:100] {
		*set.noteAt(set.putAside(fingerprint.Print{A: k.A + 1}), 0) = uint32(k.A + 1)
	}
	if set.Bytes() != set.allocated.Load()+100*asideBytes {
		t.Error("what stands aside takes up nothing")
	}
	set.grow()
	if set.aside.n.Load() != 0 || set.Find(fingerprint.Print{A: keys[3].A + 1}) == nil {
		t.Errorf("%d stand aside after the table has grown", set.aside.n.Load())
	}
	set.putAside(fingerprint.Print{A: 5})
	set.empty()
	if set.Find(fingerprint.Print{A: 5}) != nil || set.aside.n.Load() != 0 {
		t.Error("the empty table holds something")
	}
}
