package checker_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/record"
	"contend/impl/ricartagrawala"
	"contend/model"
	"contend/traces"
)

// What a protocol does not claim is decided where it is named, and nowhere else; its run
// replays.
func TestProperties(t *testing.T) {
	p := *ricartagrawala.Protocol
	p.Findings, p.Variants, p.Checks, p.Deep = nil, nil, nil, nil
	for _, c := range ricartagrawala.Protocol.Claims {
		if c.Name == "happened-before order" {
			p.Properties = append(p.Properties, c)
		}
	}
	p.Claims = ricartagrawala.Protocol.Claims[:1]
	require.NoError(t, p.Validate())

	at := model.Check{Config: model.Config{N: 3}.With(model.Ops.Is(2))}
	rows, err := checker.Check(&p, at, checker.Options{})
	require.NoError(t, err)
	require.Len(t, rows, 1)
	require.Len(t, rows[0].Claims, 1)
	assert.Equal(t, "mutual exclusion", rows[0].Claims[0].Name)

	at.Claims = []string{"happened-before order"}
	rows, err = checker.Check(&p, at, checker.Options{})
	require.NoError(t, err)
	require.Len(t, rows, 1)
	require.Len(t, rows[0].Claims, 1)
	violated := rows[0].Claims[0]
	assert.Equal(t, checker.Violated, violated.Verdict)
	assert.Empty(t, violated.Finding)
	require.NotNil(t, violated.Counterexample)
	var run bytes.Buffer
	require.NoError(t, traces.Write(&run, violated.Counterexample))
	_, err = record.Reproduce(&p, model.Finding{Claim: violated.Name, Trace: run.Bytes()})
	assert.NoError(t, err)
}
