package page

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"unicode/utf8"
)

// A packer compresses texts. The browser decompresses them when they are needed. A strip shrinks to about a
// tenth.
type packer struct{ w *flate.Writer }

func newPacker() packer {
	w, err := flate.NewWriter(nil, flate.DefaultCompression)
	if err != nil {
		panic(err) // only for an invalid level
	}
	return packer{w}
}

func (p packer) pack(text []byte) string {
	var b bytes.Buffer
	p.w.Reset(&b)
	_, _ = p.w.Write(text) // a Buffer returns no error
	_ = p.w.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// short cuts a text to mostText letters, and appends the full length.
func short(s string) string {
	n := utf8.RuneCountInString(s)
	if n <= mostText {
		return s
	}
	return fmt.Sprintf("%s… (%d letters in all)", string([]rune(s)[:mostText]), n)
}
