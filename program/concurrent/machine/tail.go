//go:build !wasip1 && !contend_native

package machine

import "sync"

// tail keeps the end of what is written.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const mostKept = 1 << 16

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if over := len(t.text) - mostKept; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}

func (t *tail) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = t.text[:0]
}
