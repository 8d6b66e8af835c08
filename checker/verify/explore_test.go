//go:build unix

package verify

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/verify/console"
)

// lockedBuilder keeps what several goroutines write.
type lockedBuilder struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *lockedBuilder) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuilder) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// TestExploreServes: the page is at the address that is printed, and an interrupt ends it.
func TestExploreServes(t *testing.T) {
	t.Chdir(t.TempDir())
	address := make(chan string, 1)
	var told lockedBuilder
	stdout := writerFunc(func(b []byte) { address <- strings.TrimSpace(string(b)) })
	code := make(chan int, 1)
	go func() {
		code <- Run(suite, []string{"explore", "starter", "--clients", "2", "--at", "1.2"}, stdout, &told)
	}()
	answer, err := http.Post(<-address+"api/begin", "application/json", strings.NewReader("{}"))
	require.NoError(t, err)
	about, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	assert.Contains(t, string(about), `"start":"1.2"`)
	assert.Contains(t, string(about), `"command":"verify explore starter --clients 2`)
	require.NoError(t, syscall.Kill(syscall.Getpid(), syscall.SIGINT))
	assert.Equal(t, console.ExitHolds, <-code)
	assert.Contains(t, told.String(), "only this machine can open the page")
}
