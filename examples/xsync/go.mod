module contend/examples/xsync

go 1.26.0

require (
	contend/program v0.0.0
	github.com/puzpuzpuz/xsync/v2 v2.5.1
	github.com/puzpuzpuz/xsync/v3 v3.0.2
)

require (
	contend v0.0.0 // indirect
	github.com/anishathalye/porcupine v1.3.1 // indirect
	github.com/tetratelabs/wazero v1.12.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace contend => ../..

replace contend/program => ../../program
