package heap

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPrepare sees, in what the system says of the process, that huge pages are asked for ahead of the heap, and that none of that memory is
// taken up.
func TestPrepare(t *testing.T) {
	t.Setenv("GOGC", "")
	Prepare()
	file, err := os.Open("/proc/self/smaps")
	require.NoError(t, err)
	defer file.Close()
	var size, resident, huge, taken int // of a mapping, and of all that have huge pages, in KiB
	flags := false
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		fmt.Sscanf(line, "Size: %d kB", &size)
		fmt.Sscanf(line, "Rss: %d kB", &resident)
		if is, found := strings.CutPrefix(line, "VmFlags:"); found {
			flags = true
			if strings.Contains(is+" ", " hg ") {
				huge, taken = huge+size, taken+resident
			}
		}
	}
	if !flags {
		t.Skip("the system does not say for which memory huge pages are asked")
	}
	assert.GreaterOrEqual(t, huge<<10, hugePageBytes)
	assert.Less(t, taken<<10, hugePageBytes/4)
}
