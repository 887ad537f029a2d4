package limits

import (
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// dearRows is how many rows a dear question reads at least: a second or two of a processor.
const dearRows = 2_000_000

// classOf gives the class of a question whose answer is sent as one, by the rows that it reads.
func classOf(reads int64) class {
	if reads >= dearRows {
		return dear
	}
	return cheap
}

// length is what is known of the rows of a file before it is asked for.
type length int

const (
	maybeShort length = iota
	isShort           // and cheap
	isLong            // or dear to find out
)

// shortRows is how many rows a short answer has at most: some megabytes of memory, and most of what is drilled.
const shortRows = 2500

func lengthOfCells(p *plan.Plan) length {
	switch {
	case classOf(p.Reads()) == dear:
		return isLong
	case len(p.Keys()) == 0:
		return isShort
	}
	return lengthOfPage(p.Page())
}

func lengthOfMembers(p *plan.MemberPlan) length {
	if classOf(p.Question().Reads()) == dear {
		return isLong
	}
	return lengthOfPage(p.Page())
}

func lengthOfPage(page query.Page) length {
	if page != query.Every && page.Size <= shortRows {
		return isShort
	}
	return maybeShort
}

func lengthOfFacts(p *plan.FactPlan) length {
	rows, known := p.Total()
	switch {
	case p.Cube().Rows <= shortRows || known && rows <= shortRows:
		return isShort
	case known || classOf(p.Reads()) == dear:
		return isLong
	}
	return maybeShort
}
