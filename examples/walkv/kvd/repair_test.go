package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A torn entry is cut off, even if a crash has left a part of the file that was to become the first segment.
func TestRepair(t *testing.T) {
	dir := t.TempDir()
	o := options{segment: 1000, most: 100}
	s, err := open(dir, o)
	require.NoError(t, err)
	require.NoError(t, s.put("x", "1"))
	require.NoError(t, s.put("x", "2"))
	require.NoError(t, s.log.Close())
	segment := filepath.Join(dir, "00000000000000000001")
	b, err := os.ReadFile(segment)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(segment, b[:len(b)-1], 0o600))
	require.NoError(t, os.WriteFile(segment+".START.TEMP", b[:3], 0o600))
	s, err = open(dir, o)
	require.NoError(t, err)
	value, err := s.get("x")
	require.NoError(t, err)
	assert.Equal(t, "1", value)
}
