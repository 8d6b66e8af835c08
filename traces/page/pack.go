package page

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"unicode/utf8"
)

// packer deflates texts, for the browser to inflate them when they are looked at. Strips of a run
// repeat themselves: they become about a tenth.
type packer struct{ w *flate.Writer }

func newPacker() packer {
	w, err := flate.NewWriter(nil, flate.DefaultCompression)
	if err != nil {
		panic(err) // of another level only
	}
	return packer{w}
}

func (p packer) pack(text []byte) string {
	var b bytes.Buffer
	p.w.Reset(&b)
	_, _ = p.w.Write(text) // a buffer takes everything
	_ = p.w.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// short cuts a text that nobody would read to its end, and says so.
func short(s string) string {
	n := utf8.RuneCountInString(s)
	if n <= mostText {
		return s
	}
	return fmt.Sprintf("%s… (%d letters in all)", string([]rune(s)[:mostText]), n)
}
