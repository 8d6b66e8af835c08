package explore

import (
	"crypto/subtle"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"
)

// A door lets requests in that come from the page it serves, and no others. The port is open to every
// program on the machine and to every page in its browsers; so a request must name the host that is
// listened on, which a page from elsewhere cannot make a name of its own stand for; must not say that it
// comes from another origin; and must have the token in its path. All else is answered in one way.
type door struct {
	hosts  []string
	path   string
	inside http.Handler
}

// policy lets the page fetch from its own server alone, and nobody put it into a frame. Styles may
// stand in the pictures that are put into it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	if why := d.refuses(r); why != "" {
		http.Error(w, why, http.StatusForbidden)
		return
	}
	if r.Method == http.MethodPost {
		if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
			http.Error(w, "the content type of a request must be application/json", http.StatusUnsupportedMediaType)
			return
		}
		most := d.most(r.URL.Path)
		if r.ContentLength > most {
			refuse(w, tooLarge(most))
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, most)
	}
	d.inside.ServeHTTP(w, r)
}

// How large the body of a request may be, in bytes. A trace, which one call alone reads, is larger than a place: the other calls read their
// bodies before they have a turn.
const (
	mostBytes      = 64 << 10
	mostTraceBytes = 17 << 20
)

// most returns how large the body of a request to a path may be.
func (d *door) most(path string) int64 {
	if path == d.path+"api/load" {
		return mostTraceBytes
	}
	return mostBytes
}

// tooLarge refuses a request with a larger body.
func tooLarge(most int64) bad {
	return bad{http.StatusRequestEntityTooLarge, fmt.Sprintf("the request is larger than %d KiB", most>>10)}
}

// refuses says why a request is not let in, or nothing.
func (d *door) refuses(r *http.Request) string {
	origin, site := r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")
	switch {
	case !slices.Contains(d.hosts, r.Host):
		return "the host is not the one that this server listens on"
	case origin != "" && origin != "http://"+r.Host:
		return "the request comes from another origin"
	case site != "" && site != "same-origin" && site != "none":
		return "the request comes from another site"
	case !d.knows(r.URL.Path):
		return "the address needs the token that the explorer printed when it began"
	}
	return ""
}

// knows reports whether a path has the token, in a time that does not depend on how much of it is right.
func (d *door) knows(path string) bool {
	at := min(len(d.path), len(path))
	return subtle.ConstantTimeCompare([]byte(path[:at]), []byte(d.path)) == 1 && !strings.Contains(path, "..")
}
