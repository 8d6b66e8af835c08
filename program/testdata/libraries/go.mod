module libraries

go 1.26.0

require (
	contend/program v0.0.0
	github.com/edsrzf/mmap-go v1.2.0
	github.com/go-kit/log v0.2.1
	github.com/gofrs/flock v0.13.2
	github.com/prometheus/procfs v0.10.1
	github.com/sirupsen/logrus v1.9.0
	github.com/syndtr/goleveldb v1.0.1-0.20220721030215-126854af5e6d
	go.etcd.io/bbolt v1.4.3
	golang.org/x/sys v0.49.0
)

require (
	github.com/go-logfmt/logfmt v0.5.1 // indirect
	github.com/golang/snappy v0.0.4 // indirect
)

replace contend => ../../..

replace contend/program => ../..
