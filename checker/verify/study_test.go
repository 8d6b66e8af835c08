package verify

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The study in docs is of the command that it prints: the page says the same one, and
// each chart is there. Whether its numbers are still those is for that command to show;
// it takes minutes.
func TestStudy(t *testing.T) {
	docs := filepath.Join(root(t), "docs")
	study, err := os.ReadFile(filepath.Join(docs, "response-time.md"))
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join(docs, "response-time", "page.html"))
	require.NoError(t, err)
	printed := regexp.MustCompile(`<pre>(.*)</pre>`).FindSubmatch(page)
	require.NotNil(t, printed)
	command := strings.Replace(string(printed[1]), "verify", "    go run ./cmd/verify", 1)
	assert.Contains(t, string(study), command+" --html docs/response-time/page.html --svg docs/response-time\n")
	images := regexp.MustCompile(`\]\((response-time/[a-z0-9-]+\.svg)\)`).FindAllStringSubmatch(string(study), -1)
	assert.NotEmpty(t, images)
	for _, image := range images {
		wellFormed(t, filepath.Join(docs, image[1]))
	}
	wellFormed(t, filepath.Join(docs, "response-time", "page.html"))
}

func wellFormed(t *testing.T, path string) {
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	d := xml.NewDecoder(f)
	for {
		_, err := d.Token()
		if err == io.EOF {
			return
		}
		require.NoError(t, err, path)
	}
}
