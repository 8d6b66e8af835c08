module contend/examples/puddle

go 1.26.0

require (
	contend/program v0.0.0
	github.com/jackc/puddle v1.1.0
	old.example/puddle v1.0.0
)

require (
	contend v0.0.0 // indirect
	github.com/anishathalye/porcupine v1.3.1 // indirect
	github.com/tetratelabs/wazero v1.12.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace contend => ../..

replace contend/program => ../../program

// The release before, under a path of its own.
replace old.example/puddle => github.com/jackc/puddle v1.0.0
