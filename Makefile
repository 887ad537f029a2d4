.DEFAULT_GOAL := help
.PHONY: help build run test long check lint lint-openapi clients race fmt fuzz questions faults bench bench-load bench-kept overload hostile release docker

FUZZTIME ?= 1m
QUERIES ?= 600
PACKAGE ?= seeds/example-croatia
OVERLOAD ?= 30s
HOSTILE ?= 10000

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build ./fiscube
	go build -o fiscube .

run: ## serve the example packages on http://127.0.0.1:8080
	go run . serve --seed

test: ## run all tests
	go test -timeout 30m ./...

# Tests of the real packages beside the checkout, of obstacles on pages and of memory. The test run leaves them out.
long: ## run all tests, those that take long too, as CI does
	.ci/run tests

check: ## run exactly what CI runs
	.ci/run

lint: ## run golangci-lint as CI does
	.ci/run lint

lint-openapi: ## check openapi.yaml as CI does
	.ci/run lint-openapi

clients: ## generate clients of openapi.yaml, build them and let them ask, as CI does
	.ci/run clients

# DuckDB's driver reads texts through pointers that are not aligned, which the check of pointers that comes with -race refuses.
race: ## run all tests with the race detector
	go test -race -gcflags=github.com/duckdb/duckdb-go/v2=-d=checkptr=0 -timeout 60m ./...

fmt: ## format the Go files
	gofmt -w .

fuzz: ## fuzz each target for FUZZTIME (1m)
	@grep -rEo --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*' . | sed 's/:func / /' | while read -r file name; do \
		echo "==> $$name in $$(dirname $$file)"; \
		go test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) "$$(dirname $$file)" </dev/null || exit 1; \
	done

questions: ## check QUERIES (600) random questions of each package on both stores, and what the tests check in part
	FISCUBE_TEST_LONG=1 FISCUBE_TEST_QUERIES=$(QUERIES) go test -count 1 -timeout 24h -run '^(TestStore|TestAnswers|TestStores_Agree|TestResident|TestViews_AddUpAsAnswersDo|TestRealData_.*|TestExport_.*|TestDashboards_DrawTheMoneyOfTheRealFiles|TestWholePackage_OfRealData|TestQuestions_.*|TestMistakes_.*)$$' -v ./store ./store/duckdb ./store/postgres ./e2e

faults: ## plant each fault of a list, and see that the tests of stores catch it
	.ci/faults store/storetest/testdata/faults.txt

bench: ## measure what a dashboard asks of PACKAGE, beside plain SQL, on the store that FISCUBE_DB names
	go run . bench $(PACKAGE)

bench-load: ## measure loads on both stores, beside what psql and DuckDB do alone
	go test -run '^$$' -bench '^BenchmarkLoad$$' -benchtime 3x ./store

bench-kept: ## compare answers, kept and not kept, with an Echo handler that sends as many bytes
	go test -run '^$$' -bench '^Benchmark(Kept|Asked)' -benchtime 20x ./internal/command

overload: ## let 100 clients ask by all doors for OVERLOAD (30s), ten of which export, on both stores, in a gigabyte
	FISCUBE_TEST_LONG=1 FISCUBE_TEST_OVERLOAD=$(OVERLOAD) go test -count 1 -timeout 1h -run '^TestOverload$$' -v ./e2e

hostile: ## send HOSTILE (10000) hostile requests and packages, made from openapi.yaml and the tools of assistants, to both stores
	FISCUBE_TEST_HOSTILE=$(HOSTILE) go test -count 1 -timeout 1h -run '^TestHostile$$' -v ./e2e

release: ## make the archives of this machine in dist/, and try them as a newcomer would
	packaging/release

# The version is that of the tag; an image has no checkout to read it from.
docker: ## build the image fiscube
	docker build -t fiscube --build-arg VERSION=$$(git describe --tags --always --dirty) \
		--build-arg COMMIT=$$(git rev-parse HEAD) --build-arg TIME=$$(TZ=UTC git log -1 --format=%cd --date=format-local:%Y-%m-%dT%H:%M:%SZ) .
