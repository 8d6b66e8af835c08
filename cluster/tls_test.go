package cluster_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nkeys"
)

// certify writes the certificate and key of a server on an address, and the certificate of their authority.
func certify(t *testing.T, ip net.IP, cert, key, ca string) {
	t.Helper()
	keys := [2]*ecdsa.PrivateKey{}
	for i := range keys {
		var err error
		if keys[i], err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
			t.Fatal(err)
		}
	}
	root := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "server"}, NotBefore: root.NotBefore, NotAfter: root.NotAfter,
		IPAddresses: []net.IP{ip}, KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	write := func(file, kind string, der []byte, err error) {
		t.Helper()
		if err == nil {
			err = os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, root, root, &keys[0].PublicKey, keys[0])
	write(ca, "CERTIFICATE", der, err)
	der, err = x509.CreateCertificate(rand.Reader, leaf, root, &keys[1].PublicKey, keys[0])
	write(cert, "CERTIFICATE", der, err)
	der, err = x509.MarshalPKCS8PrivateKey(keys[1])
	write(key, "PRIVATE KEY", der, err)
}

// beyond returns an address of this machine that is not on loopback.
func beyond(t *testing.T) net.IP {
	t.Helper()
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if n, is := a.(*net.IPNet); is && n.IP.IsGlobalUnicast() && n.IP.To4() != nil {
			return n.IP
		}
	}
	t.Skip("this machine has no network")
	return nil
}

// Beyond loopback, a worker with the credentials and the certificate of the server's authority does the jobs.
// A worker without either is refused with a sentence. On the server's own machine the server's directory is
// enough.
func TestTLS(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	ip := beyond(t)
	certify(t, ip, "cert.pem", "key.pem", "ca.pem")
	server := process(t, dir, append([]string{"campaign", "start", "far", "--listen", "0.0.0.0:0", "--tls-cert", "cert.pem", "--tls-key", "key.pem", "--workers", "0"}, small...)...)
	line := regexp.MustCompile(`--server (tls://HOST:\d+) --creds FILE, a copy of contend-campaigns/key`)
	waits(t, "the server tells where it is", func() bool { return line.MatchString(said(t, dir)) })
	url := strings.Replace(line.FindStringSubmatch(said(t, dir))[1], "HOST", ip.String(), 1)

	stranger, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	seed, err := stranger.Seed()
	if err == nil {
		err = os.WriteFile("stranger", seed, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ args, says string }{
		{"", "not on loopback: it needs --creds"},
		{"--ca ca.pem", "not on loopback: it needs --creds"},
		{"--creds contend-campaigns/key", "is refused: x509: "},
		{"--creds contend-campaigns/key --ca key.pem", "--ca: key.pem has no certificate"},
		{"--creds stranger --ca ca.pem", "refuses the credentials in stranger"},
	} {
		for _, verb := range []string{"worker far", "campaign results far"} {
			_, errs := verifies(t, 2, strings.Fields(verb+" --server "+url+" "+x.args)...)
			says(t, errs, x.says)
			if strings.Count(errs, "\n") != 1 {
				t.Errorf("it is one sentence: %s", errs)
			}
		}
	}
	if is := statusOf(t, "far"); is.Jobs != 6 || is.Done != 0 {
		t.Errorf("on this machine the status is %+v", is)
	}
	worker := process(t, dir, "worker", "far", "--server", url, "--creds", "contend-campaigns/key", "--ca", "ca.pem")
	waits(t, "all jobs are done", func() bool { return !server.alive() || !worker.alive() })
	if !worker.alive() {
		t.Fatalf("the worker has ended:\n%s", said(t, dir))
	}
	worker.end()
	far, _ := verifies(t, 0, "campaign", "results", "far", "--json")
	near, _ := verifies(t, 0, append([]string{"campaign", "start", "near", "--workers", "1", "--json"}, small...)...)
	if got, want := summed(t, far), summed(t, near); got.Sum != want.Sum || got.Done != 6 {
		t.Errorf("over TLS the results are %+v, without %+v", got, want)
	}
}
