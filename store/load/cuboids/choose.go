package cuboids

import "slices"

// Cuboids are chosen by the greedy rule of Harinarayan, Rajaraman and Ullman ("Implementing data cubes efficiently", 1996):
// the next one is that which saves most of the rows that the questions of a dashboard read, for each row that it has itself.

// question is a set of levels that is asked for, with its weight among all questions, and the rows that are read for it.
type question struct {
	levels set
	weight float64
	rows   int64
}

// weights are how often questions have so many levels beside those that every cuboid has: totals and figures by year, one
// level by year or not, two levels or one cut by another, two levels cut by a third.
var weights = []float64{0.2, 0.4, 0.3, 0.1}

// mostCuboids is how many are chosen at most.
const mostCuboids = 64

// fewRows are read in no time: fewer are not better.
const fewRows = 1000

// leastSaving is the part of all rows read that a cuboid has to save to be chosen.
const leastSaving = 0.0005

// choice is a cuboid that was chosen.
type choice struct {
	levels set
	rows   int64   // estimated
	saves  float64 // rows of a question on average
}

// choose chooses cuboids of at most so many rows together.
func choose(l *lattice, e *estimator, most int64) []choice {
	combinations := l.combinations()
	candidates := newCandidates(combinations, l, e, most)
	questions := newQuestions(combinations, e.rows)
	for i := range candidates {
		for q := range questions {
			if candidates[i].levels.hasAll(questions[q].levels) {
				candidates[i].answers = append(candidates[i].answers, q)
			}
		}
	}
	var chosen []choice
	for len(chosen) < mostCuboids {
		at, saves := best(candidates, questions, most, leastSaving*float64(e.rows))
		if at < 0 {
			break
		}
		c := &candidates[at]
		if !c.isClose {
			c.rows, c.isClose = e.groups(l.finest(c.levels), sampleRows), true
			continue
		}
		c.chosen = true
		most -= c.rows
		for _, q := range c.answers {
			questions[q].rows = min(questions[q].rows, int64(c.cost()))
		}
		chosen = append(chosen, choice{c.levels, c.rows, saves})
	}
	return chosen
}

// best gives the candidate that saves most for each of its rows, of those that save enough and have at most so many rows; -1 if there
// is none.
func best(candidates []candidate, questions []question, most int64, least float64) (at int, saves float64) {
	at = -1
	for i := range candidates {
		c := &candidates[i]
		if c.rows > most || c.chosen {
			continue
		}
		saved := c.saves(questions)
		if saved >= least && (at < 0 || saved*candidates[at].cost() > saves*c.cost()) {
			at, saves = i, saved
		}
	}
	return at, saves
}

func newQuestions(combinations [][]set, rows int64) []question {
	var questions []question
	for size, sets := range combinations {
		for _, s := range sets {
			questions = append(questions, question{s, weights[size] / float64(len(sets)), rows})
		}
	}
	return questions
}

// candidate is a cuboid that may be chosen.
type candidate struct {
	levels  set
	rows    int64
	isClose bool  // rows was estimated by the whole sample
	answers []int // the indexes of the questions
	chosen  bool
}

// looks is how many rows of the sample are looked at for all candidates together. The whole sample is looked at for one that would be chosen.
const looks = 8_000_000

// newCandidates lists the sets whose cuboids have at most so many rows.
func newCandidates(combinations [][]set, l *lattice, e *estimator, most int64) []candidate {
	var candidates []candidate
	look := looks / max(1, len(slices.Concat(combinations...)))
	for _, sets := range combinations {
		for _, levels := range sets {
			rows := e.groups(l.finest(levels), look)
			if rows <= most {
				candidates = append(candidates, candidate{levels: levels, rows: rows})
			}
		}
	}
	return candidates
}

// cost is what a question to the cuboid costs.
func (c *candidate) cost() float64 { return float64(max(c.rows, fewRows)) }

// saves is how many rows fewer are read with the cuboid for a question on average.
func (c *candidate) saves(questions []question) float64 {
	saved := 0.0
	for _, q := range c.answers {
		if less := float64(questions[q].rows) - c.cost(); less > 0 {
			saved += questions[q].weight * less
		}
	}
	return saved
}
