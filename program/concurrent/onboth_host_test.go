//go:build !wasip1 && !contend_native

package concurrent_test

import (
	"testing"

	"contend/program/concurrent"
	"contend/program/native"
)

// onBoth skips a test where there is one guest only.
func onBoth(t *testing.T) {
	if why := native.Supported(); why != nil {
		t.Skip(why)
	}
}

// checkDefault checks which guest a body runs as where nobody chooses.
func checkDefault(t *testing.T, r *concurrent.Report) {
	want, why := concurrent.Native, native.Supported()
	if why != nil {
		want = concurrent.Wasm
	}
	if r.Guest != want || (r.NotNative != nil) != (why != nil) {
		t.Errorf("the guest is %v, since %v", r.Guest, r.NotNative)
	}
}
