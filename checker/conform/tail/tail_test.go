package tail

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rest returns all lines up to the end, each with its file and number.
func rest(t *testing.T, r *Reader, behind func(int) int) (all []string) {
	for {
		b, err := r.Next(behind)
		require.NoError(t, err)
		if b == nil {
			return all
		}
		for i, line := range b.Lines {
			all = append(all, fmt.Sprintf("%d:%d:%s", b.File, b.First+i, line))
		}
	}
}

func none(int) int { return 0 }

func appendTo(t *testing.T, path, text string) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	require.NoError(t, err)
	_, err = f.WriteString(text)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

// What is added to a file is read when a line is complete. Another file of the same name continues it.
func TestGrowth(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	appendTo(t, path, "a\nb\nc")
	r, err := Open([]string{path}, nil, 300*time.Millisecond)
	require.NoError(t, err)
	defer r.Close()
	b, err := r.Next(none)
	require.NoError(t, err)
	assert.Equal(t, [][]byte{[]byte("a"), []byte("b")}, b.Lines)
	appendTo(t, path, "c\nd\n")
	b, err = r.Next(none)
	require.NoError(t, err)
	assert.Equal(t, &Batch{Lines: [][]byte{[]byte("cc"), []byte("d")}, First: 3}, b)
	appendTo(t, path, "e")
	require.NoError(t, os.Rename(path, path+".1"))
	appendTo(t, path, "f\n")
	assert.Equal(t, []string{"0:5:e", "0:1:f"}, rest(t, r, none))
}

// A pipe ends where it ends, also within a line.
func TestPipe(t *testing.T) {
	in, out, err := os.Pipe()
	require.NoError(t, err)
	r, err := Open([]string{"-"}, in, 0)
	require.NoError(t, err)
	defer r.Close()
	_, _ = out.WriteString("a\n\nb")
	require.NoError(t, out.Close())
	assert.Equal(t, []string{"0:1:a", "0:2:", "0:3:b"}, rest(t, r, none))
}

// The file that its user is behind with least comes first.
func TestBehind(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for _, name := range []string{"a", "b"} {
		paths = append(paths, filepath.Join(dir, name))
		appendTo(t, paths[len(paths)-1], strings.Repeat(name+"\n", 2*usualRead))
	}
	r, err := Open(paths, nil, time.Millisecond)
	require.NoError(t, err)
	defer r.Close()
	read := []int{0, 0}
	for {
		b, err := r.Next(func(file int) int { return read[file] })
		require.NoError(t, err)
		if b == nil {
			break
		}
		read[b.File] += len(b.Lines)
		assert.LessOrEqual(t, max(read[0], read[1])-min(read[0], read[1]), usualRead)
	}
	assert.Equal(t, []int{2 * usualRead, 2 * usualRead}, read)
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	_, err := Open([]string{filepath.Join(dir, "none")}, nil, 0)
	assert.ErrorContains(t, err, "none: no such file or directory")
	for name, c := range map[string]struct {
		text, then, want string
	}{
		"long":    {"a\n" + strings.Repeat("x", mostLine+usualRead), "", "line 2: it has more than 1048576 bytes"},
		"shorter": {"a\nb\n", "c\n", "line 3: the file has become shorter"},
	} {
		path := filepath.Join(dir, name)
		appendTo(t, path, c.text)
		r, err := Open([]string{path}, nil, 0)
		require.NoError(t, err)
		_, err = r.Next(none)
		require.NoError(t, err)
		if c.then != "" {
			require.NoError(t, os.WriteFile(path, []byte(c.then), 0o644))
		}
		_, err = r.Next(none)
		assert.EqualError(t, err, path+": "+c.want)
		r.Close()
	}
}

// A reader that is stopped ends, also while lines wait.
func TestStop(t *testing.T) {
	long := filepath.Join(t.TempDir(), "long")
	appendTo(t, long, strings.Repeat("a\n", 8*usualRead))
	r, err := Open([]string{long}, nil, 0)
	require.NoError(t, err)
	defer r.Close()
	_, err = r.Next(none)
	require.NoError(t, err)
	r.Stop()
	assert.Less(t, len(rest(t, r, none)), 4*usualRead)

	path := filepath.Join(t.TempDir(), "log")
	appendTo(t, path, "a\n")
	r, err = Open([]string{path}, nil, 0)
	require.NoError(t, err)
	defer r.Close()
	_, err = r.Next(none)
	require.NoError(t, err)
	time.AfterFunc(2*pause, r.Stop)
	assert.Empty(t, rest(t, r, none))
}
