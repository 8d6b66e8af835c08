package explore

import (
	"crypto/subtle"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"
)

// A gate admits only requests from the page that it serves. The port is open to every program and browser
// page of the machine. So a request must name the listening host, to prevent DNS rebinding. It must not have
// another origin, and its path must contain the token.
type gate struct {
	hosts  []string
	path   string
	inside http.Handler
}

// policy restricts the page to its own server, and forbids frames. Styles may occur inside embedded pictures.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func (d *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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
			refuse(w, sizeError(most))
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, most)
	}
	d.inside.ServeHTTP(w, r)
}

// Maximum sizes of request bodies, in bytes. Only the call that loads a trace accepts large bodies. The other
// calls read their bodies before they wait for a turn.
const (
	mostBytes      = 64 << 10
	mostTraceBytes = 17 << 20
)

// most returns the maximum size of a request body for a path.
func (d *gate) most(path string) int64 {
	if path == d.path+"api/load" {
		return mostTraceBytes
	}
	return mostBytes
}

// sizeError returns the error of a larger body.
func sizeError(most int64) bad {
	return bad{http.StatusRequestEntityTooLarge, fmt.Sprintf("the request is larger than %d KiB", most>>10)}
}

// refuses returns the reason to reject a request, or "".
func (d *gate) refuses(r *http.Request) string {
	origin, site := r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")
	switch {
	case !slices.Contains(d.hosts, r.Host):
		return "the host is not the one that this server listens on"
	case origin != "" && origin != "http://"+r.Host:
		return "the request comes from another origin"
	case site != "" && site != "same-origin" && site != "none":
		return "the request comes from another site"
	case !d.authorized(r.URL.Path):
		return "the address needs the token that the explorer printed when it began"
	}
	return ""
}

// authorized reports whether a path contains the token, in constant time.
func (d *gate) authorized(path string) bool {
	at := min(len(d.path), len(path))
	return subtle.ConstantTimeCompare([]byte(path[:at]), []byte(d.path)) == 1 && !strings.Contains(path, "..")
}
