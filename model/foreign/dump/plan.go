package dump

import (
	"reflect"
	"sync"
	"unsafe"
)

// A plan is the sequence of steps that dump a value of a type. It is computed once for each type with the
// fields that are omitted below it, so that no paths are followed during a dump. Adjacent fields without
// pointers are copied at once. So the dump of a Raft core with some 200 fields takes a few microseconds, where
// reflection takes some hundred.

// A plan appends the dump of a value of one type.
type plan struct {
	t    reflect.Type
	size uintptr
	// plain reports that the value is size bytes of memory without pointers and padding, so that it can be
	// copied.
	plain bool
	// points reports that the value may contain a pointer, a map or an interface.
	points bool
	dump   func(e *encoder, at unsafe.Pointer)
}

// plans caches plans by type and omission.
type plans struct {
	cache sync.Map
	types sync.Map // of values in interfaces, by hash
}

type planned struct {
	t    reflect.Type
	omit *omission
}

// get returns the plan for a type.
func (ps *plans) get(t reflect.Type, omit *omission) *plan {
	key := planned{t, omit}
	if p, known := ps.cache.Load(key); known {
		return p.(*plan)
	}
	m := maker{plans: ps, open: map[planned]*plan{}}
	m.plan(t, omit)
	for key, p := range m.open {
		ps.cache.LoadOrStore(key, p)
	}
	p, _ := ps.cache.Load(key)
	return p.(*plan)
}

// A maker makes the plans of a type and of the types that it contains, perhaps itself.
type maker struct {
	plans *plans
	open  map[planned]*plan
}

func (m *maker) plan(t reflect.Type, omit *omission) *plan {
	key := planned{t, omit}
	if p, known := m.plans.cache.Load(key); known {
		return p.(*plan)
	}
	if p, ok := m.open[key]; ok {
		return p
	}
	p := &plan{t: t, size: t.Size(), points: true}
	m.open[key] = p
	m.fill(p, omit)
	return p
}

// fill sets the steps of a plan.
func (m *maker) fill(p *plan, omit *omission) {
	t := p.t
	if omit.omitted() || omitted(t) {
		p.dump = func(*encoder, unsafe.Pointer) {}
		return
	}
	if special := m.special(t, omit); special != nil {
		p.dump = special
		return
	}
	switch t.Kind() {
	case reflect.String:
		p.points, p.dump = false, func(e *encoder, at unsafe.Pointer) { e.text(*(*string)(at)) }
	case reflect.Pointer:
		p.dump = m.pointer(t, omit)
	case reflect.Map:
		p.dump = m.entries(t, omit)
	case reflect.Interface:
		p.dump = m.dumpContent(t, omit)
	case reflect.Slice:
		p.dump = m.slice(m.plan(t.Elem(), omit.under("[]")), omit.counts())
	case reflect.Array:
		m.array(p, m.plan(t.Elem(), omit.under("[]")))
	case reflect.Struct:
		m.fields(p, omit)
	case reflect.Func:
		p.dump = func(e *encoder, at unsafe.Pointer) { e.function(*(**uintptr)(at)) }
	case reflect.Chan, reflect.UnsafePointer:
		p.dump = zeroOnly(p.size)
	default:
		p.points, p.plain, p.dump = false, true, memory(p.size)
	}
}

// memory copies size bytes.
func memory(size uintptr) func(*encoder, unsafe.Pointer) {
	return func(e *encoder, at unsafe.Pointer) { e.out = append(e.out, unsafe.Slice((*byte)(at), size)...) }
}

// zeroOnly refuses values that are not zero.
func zeroOnly(size uintptr) func(*encoder, unsafe.Pointer) {
	return func(e *encoder, at unsafe.Pointer) {
		for _, b := range unsafe.Slice((*byte)(at), size) {
			if b != 0 {
				e.refused = true
			}
		}
	}
}

func (m *maker) pointer(t reflect.Type, omit *omission) func(*encoder, unsafe.Pointer) {
	to := m.plan(t.Elem(), omit)
	return func(e *encoder, at unsafe.Pointer) { e.pointer(*(*unsafe.Pointer)(at), to) }
}

func (m *maker) slice(elem *plan, capacity bool) func(*encoder, unsafe.Pointer) {
	return func(e *encoder, at unsafe.Pointer) {
		s := *(*[]byte)(at) // only its address, length and capacity are used
		if s == nil {
			e.number(0)
			return
		}
		e.number(uint64(len(s)) + 1)
		if capacity {
			e.number(uint64(cap(s)))
		}
		e.addRegion(memoryOf(unsafe.Pointer(unsafe.SliceData(s)), cap(s), elem.size))
		if e.descend() {
			e.elements(unsafe.Pointer(unsafe.SliceData(s)), len(s), elem)
			e.depth--
		}
	}
}

func (m *maker) array(p *plan, elem *plan) {
	n := p.t.Len()
	p.points, p.plain = elem.points, elem.plain
	p.dump = func(e *encoder, at unsafe.Pointer) { e.elements(at, n, elem) }
}

// A part is a field, or several adjacent ones.
type part struct {
	offset uintptr
	plan   *plan
}

// fields dumps a struct field by field.
func (m *maker) fields(p *plan, omit *omission) {
	var parts []part
	points, end, whole := false, uintptr(0), true
	for i := range p.t.NumField() {
		f := p.t.Field(i)
		own := m.plan(f.Type, omit.under(f.Name))
		points = points || own.points
		whole = whole && own.plain && f.Offset == end
		end = f.Offset + own.size
		last := len(parts) - 1
		if own.plain && last >= 0 && parts[last].plan.plain && parts[last].offset+parts[last].plan.size == f.Offset {
			size := parts[last].plan.size + own.size
			parts[last].plan = &plan{size: size, plain: true, dump: memory(size)}
			continue
		}
		parts = append(parts, part{f.Offset, own})
	}
	p.points = points
	if p.plain = whole && end == p.size; p.plain {
		p.dump = memory(p.size)
		return
	}
	p.dump = func(e *encoder, at unsafe.Pointer) {
		for _, f := range parts {
			f.plan.dump(e, unsafe.Add(at, f.offset))
		}
	}
}

// dumpContent dumps the value in an interface.
func (m *maker) dumpContent(t reflect.Type, omit *omission) func(*encoder, unsafe.Pointer) {
	plans := m.plans
	return func(e *encoder, at unsafe.Pointer) {
		v := reflect.NewAt(t, at).Elem()
		if v.IsNil() {
			e.number(0)
			return
		}
		v = v.Elem()
		p := plans.get(v.Type(), omit)
		e.number(1)
		e.fixed(plans.typeHash(v.Type()))
		if k := v.Kind(); k == reflect.Pointer || k == reflect.Map {
			word := v.UnsafePointer()
			p.dump(e, unsafe.Pointer(&word))
			return
		}
		own := reflect.New(v.Type())
		own.Elem().Set(v)
		p.dump(e, own.UnsafePointer())
	}
}

// entries dumps a map.
func (m *maker) entries(t reflect.Type, omit *omission) func(*encoder, unsafe.Pointer) {
	contents := m.contents(t, omit)
	return func(e *encoder, at unsafe.Pointer) {
		v := reflect.NewAt(t, at).Elem()
		switch id := v.UnsafePointer(); {
		case id == nil:
			e.number(0)
		case e.visit(id, t):
			contents(e, v, id)
		}
	}
}

// contents dumps the entries of a map, sorted if its keys have an order.
func (m *maker) contents(t reflect.Type, omit *omission) func(e *encoder, v reflect.Value, id unsafe.Pointer) {
	key, elem := m.plan(t.Key(), nil), m.plan(t.Elem(), omit.under("[]"))
	elems := reflect.SliceOf(t.Elem())
	return func(e *encoder, v reflect.Value, id unsafe.Pointer) {
		e.number(uint64(v.Len()))
		switch {
		case v.Len() == 0:
		case key.points || !e.sortedEntries(v, key, elem, elems):
			e.delay(v, id, key, elem)
		}
	}
}
