package overlay

import (
	_ "embed"
	"fmt"
	"go/ast"
	"strconv"
)

//go:embed hooks/sync.go.txt
var syncHook string

// syncs edits package sync: an operation has a point before it and none within.
func syncs(o *release) {
	for _, dir := range []string{"sync", "internal/sync", "internal/poll"} {
		for _, name := range o.files(dir) {
			o.open(name).within()
		}
	}
	at := func(file, signature, kind, object string) {
		o.open(file).enter(signature, fmt.Sprintf("contendPoint(%s, uintptr(unsafe.Pointer(%s)))", kind, object))
	}
	for _, p := range []struct {
		file, signature string
		kind            Kind
		object          string
	}{
		{"sync/mutex.go", "func (m *Mutex) Lock()", Lock, "m"},
		{"sync/mutex.go", "func (m *Mutex) TryLock() bool", TryLock, "m"},
		{"sync/mutex.go", "func (m *Mutex) Unlock()", Unlock, "m"},
		{"sync/rwmutex.go", "func (rw *RWMutex) RLock()", RLock, "rw"},
		{"sync/rwmutex.go", "func (rw *RWMutex) TryRLock() bool", TryRLock, "rw"},
		{"sync/rwmutex.go", "func (rw *RWMutex) RUnlock()", RUnlock, "rw"},
		{"sync/rwmutex.go", "func (rw *RWMutex) Lock()", Lock, "rw"},
		{"sync/rwmutex.go", "func (rw *RWMutex) TryLock() bool", TryLock, "rw"},
		{"sync/rwmutex.go", "func (rw *RWMutex) Unlock()", Unlock, "rw"},
		{"sync/waitgroup.go", "func (wg *WaitGroup) Wait()", Wait, "wg"},
		{"sync/cond.go", "func (c *Cond) Wait()", CondWait, "c"},
		{"sync/cond.go", "func (c *Cond) Signal()", Signal, "c"},
		{"sync/cond.go", "func (c *Cond) Broadcast()", Broadcast, "c"},
		{"sync/once.go", "func (o *Once) Do(f func())", Do, "o"},
		{"sync/pool.go", "func (p *Pool) Get() any", PoolGet, "p"},
		{"sync/pool.go", "func (p *Pool) Put(x any)", PoolPut, "p"},
		{"sync/map.go", "func (m *Map) Load(key any) (value any, ok bool)", MapRead, "m"},
		{"sync/map.go", "func (m *Map) Store(key, value any)", MapWrite, "m"},
		{"sync/map.go", "func (m *Map) Clear()", MapWrite, "m"},
		{"sync/map.go", "func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool)", MapWrite, "m"},
		{"sync/map.go", "func (m *Map) LoadAndDelete(key any) (value any, loaded bool)", MapWrite, "m"},
		{"sync/map.go", "func (m *Map) Delete(key any)", MapWrite, "m"},
		{"sync/map.go", "func (m *Map) Swap(key, value any) (previous any, loaded bool)", MapWrite, "m"},
		{"sync/map.go", "func (m *Map) CompareAndSwap(key, old, new any) (swapped bool)", MapWrite, "m"},
		{"sync/map.go", "func (m *Map) CompareAndDelete(key, old any) (deleted bool)", MapWrite, "m"},
	} {
		at(p.file, p.signature, strconv.Itoa(int(p.kind)), p.object)
	}
	for _, p := range []struct {
		file, signature string
		kind            Kind
		object          string
	}{
		{"sync/mutex.go", "func (m *Mutex) Unlock()", AfterUnlock, "m"},
		{"sync/rwmutex.go", "func (rw *RWMutex) RUnlock()", AfterUnlock, "rw"},
		{"sync/rwmutex.go", "func (rw *RWMutex) Unlock()", AfterUnlock, "rw"},
		{"sync/waitgroup.go", "func (wg *WaitGroup) Done()", AfterDone, "wg"},
		{"sync/cond.go", "func (c *Cond) Signal()", AfterSignal, "c"},
		{"sync/cond.go", "func (c *Cond) Broadcast()", AfterSignal, "c"},
	} {
		o.open(p.file).leave(p.signature, fmt.Sprintf("contendAfter(%d, uintptr(unsafe.Pointer(%s)))", p.kind, p.object))
	}
	// Nothing comes after it there.
	o.open("sync/waitgroup.go").change("func (wg *WaitGroup) Go(f func())", "wg.Done()", "wg.Add(-1)")
	at("sync/waitgroup.go", "func (wg *WaitGroup) Add(delta int)", "contendCount(delta)", "wg")
	o.open("sync/map.go").enter("func (m *Map) Range(f func(key, value any) bool)", fmt.Sprintf(
		"each, n := f, uint64(0); f = func(key, value any) bool { if n++; n == 2 { contendOrder(n) }; contendPoint(%d, uintptr(unsafe.Pointer(m))); return each(key, value) }", MapRead))
	for _, file := range []string{"sync/mutex.go", "sync/once.go", "sync/cond.go", "sync/map.go"} {
		o.open(file).importUnsafe()
	}
	o.open("sync/rwmutex.go").bare("rw.w")
	o.open("sync/once.go").bare("o.m")
	o.open("sync/pool.go").change("func (p *Pool) Get() any", "x == nil && p.New != nil", "contendLost(&x) && p.New != nil")
	o.add(o.named("sync/contend"), syncHook)
}

// within has a file use the twins of package sync/atomic, if it imports that.
func (s *source) within() {
	if s.file == nil || !s.imports("sync/atomic") {
		return
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "atomic" {
				s.replace(sel.Sel.Pos(), sel.Sel.Pos(), raw)
			}
		}
		return true
	})
}

func (s *source) imports(path string) bool {
	for _, spec := range s.file.Imports {
		if spec.Path.Value == strconv.Quote(path) && spec.Name == nil {
			return true
		}
	}
	return false
}

// importUnsafe imports package unsafe, unless a file does.
func (s *source) importUnsafe() {
	if s.file != nil && !s.imports("unsafe") {
		s.replace(s.file.Name.End(), s.file.Name.End(), `; import "unsafe"`)
	}
}

// bare has a file use the lock within a field of type Mutex, which has no points.
func (s *source) bare(field string) {
	if s.file == nil {
		return
	}
	found := false
	ast.Inspect(s.file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && s.code(sel.X) == field {
			s.replace(sel.X.End(), sel.X.End(), ".mu")
			found = true
		}
		return true
	})
	if !found {
		s.fail("has no calls of %s", field)
	}
}
