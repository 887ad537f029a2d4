package storetest

import (
	"os"
	"strconv"
	"testing"

	"fiscube/cube"
)

// Answers loads packages and compares the answers to random questions with the oracle's.
func Answers(t *testing.T, fresh func(t testing.TB) Place) {
	for _, p := range packages() {
		t.Run(p.name, func(t *testing.T) {
			files := p.files(t)
			s := open(t, fresh(t))
			version, err := withDerived(s.load(files).Cube)
			if err != nil {
				t.Fatal(err)
			}
			o, err := newOracle(files, version)
			if err != nil {
				t.Fatal(err)
			}
			e := &examination{subject: s, version: version, oracle: o, questions: p.questions}
			e.t("questions", (*examination).randomQuestions)
			e.t("pages", (*examination).pages)
			e.t("parents", (*examination).parents)
			e.t("rollups", (*examination).rollups)
			e.t("shares", (*examination).shares)
			e.t("facts", (*examination).facts)
			e.t("members", (*examination).randomMembers)
			for _, total := range p.totals {
				e.t("totals by "+total.drilldown, func(e *examination) { e.total(total) })
			}
			if p.known != nil {
				e.t("known figures", p.known)
			}
		})
	}
}

// examination is a loaded package beside the oracle.
type examination struct {
	*subject
	version   *cube.Cube
	oracle    *oracle
	questions int
}

// t runs a part of the examination as a subtest.
func (e *examination) t(name string, part func(*examination)) {
	e.T.Run(name, func(t *testing.T) {
		one, s := *e, *e.subject
		s.T = t
		one.subject = &s
		part(&one)
	})
}

// queriesEnv names the variable that says how many random questions are asked of each package.
const queriesEnv = "FISCUBE_TEST_QUERIES"

func (e *examination) howMany() int {
	text := os.Getenv(queriesEnv)
	if text == "" {
		return e.questions
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		e.Fatalf("%s is %q, which is no number", queriesEnv, text)
	}
	if e.version.Rows > manyRows {
		n = max(1, n/20)
	}
	return n
}

// manyRows is from where on the oracle takes its time: of such a package less is asked.
const manyRows = 100_000
