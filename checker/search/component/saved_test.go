package component

import (
	"bytes"
	"encoding/gob"
	"reflect"
	"testing"

	"contend/model"
)

// filled is a component in which every field has a value of its own.
func filled[C any](from int) (c C) {
	v := reflect.ValueOf(&c).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Uint8, reflect.Uint32:
			f.SetUint(uint64(from + i))
		default:
			f.SetInt(int64(from + i))
		}
	}
	return c
}

// someComponents fills a store with components of every kind, in any old order.
func someComponents(st *Store) {
	for k := range 15 {
		st.Value(k)
		st.PastID([]int32{int32(k), 2})
	}
	st.Base(st.message(3)) // its trigger is itself, and those of the next are new
	for k := range 3 {
		st.Part(Part{Base: st.Base(filled[Base](1 + k)), Lo: 1, Hi: 2})
		p := filled[Part](k)
		p.Base = st.Base(st.message(k))
		st.Part(p)
		st.Local(int16(k), []byte{byte(k), 7})
		st.Seen.Id(filled[Observation](k))
	}
	st.Pending(st.Base(st.message(8)), model.Window{Hi: model.Below(2)})
	st.holdPart(st.Base(Base{Kind: Hold}), model.Below(2))
}

// A store that is restored has every component by its number and with its print, no field of any
// lost, and goes on with the next number. What the store holds as it is made comes first.
func TestSavedStoresAreRestored(t *testing.T) {
	begun := func() *Store {
		st := stored(t, act(nil))
		st.first(p1)
		st.Pending(st.Base(Base{Kind: Kind(model.Invoke), Slot: p2, Value: st.Value("go")}), model.Anytime())
		return st
	}
	old, made := begun(), begun()
	someComponents(old)
	var file bytes.Buffer
	if err := gob.NewEncoder(&file).Encode(old.Save()); err != nil {
		t.Fatal(err)
	}
	var saved Saved
	if err := gob.NewDecoder(&file).Decode(&saved); err != nil {
		t.Fatal(err)
	}
	made.Restore(&saved)
	for _, c := range []struct {
		name     string
		old, got any
	}{
		{"values", old.Values, made.Values}, {"bases", old.Bases, made.Bases}, {"parts", old.Parts, made.Parts}, {"local states", old.Locals, made.Locals},
		{"observations", old.Seen, made.Seen}, {"pasts", old.pasts, made.pasts}, {"triggers", old.Triggers, made.Triggers}, {"flat parts", old.Flats, made.Flats},
		{"prints of local states", old.LocalPrints, made.LocalPrints}, {"prints of pasts", old.PastPrints, made.PastPrints}, {"strict bounds", old.Strict, made.Strict},
	} {
		if !reflect.DeepEqual(c.got, c.old) {
			t.Errorf("%s: restored\n%+v, saved\n%+v", c.name, c.got, c.old)
		}
	}
	if a, b := old.Base(another(old)), made.Base(another(made)); a != b || int(a) != len(old.Bases.Items)-1 {
		t.Errorf("the next base is %d, and restored %d", a, b)
	}
}

// another is a base that was not met before.
func another(st *Store) Base { b := st.message(5); b.Op = 9; return b }
