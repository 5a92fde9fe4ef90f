# The same commands here and in CI. CGO is off everywhere but for the race detector.
export CGO_ENABLED := 0

.PHONY: build test race lint fuzz golden bench ci

build:
	go build -trimpath -o waymark .

test:
	go test ./... ./testdata/company

race:
	CGO_ENABLED=1 go test -race -short $(shell cat .ci/race-packages)

lint:
	gofmt -l $(shell git ls-files '*.go')
	go vet ./...
	go tool staticcheck ./...

# Each fuzz target for ten seconds.
fuzz:
	.ci/fuzz 10s

# Rewrites the ranking goldens; read the change before you commit it.
golden:
	go test ./search -run Golden -update

bench:
	go test -run '^$$' -bench . -benchtime 1s ./...

ci:
	.ci/run
