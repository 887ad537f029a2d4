package cube

// Warning tells the reader of a correct answer what to keep in mind.
type Warning struct {
	Code    string `json:"code"` // for machines
	Weight  Weight `json:"weight"`
	Message string `json:"message"`
}

// Weight says how much a warning matters to whoever cites the number.
type Weight string

// The weights.
const (
	Stop       Weight = "stop"       // the total cannot be trusted
	Note       Weight = "note"       // the number may differ by more than 1 %, have another sign or rank, or be of something else than its title says
	Background Weight = "background" // how the number was made
)

// Weights has the weights, the heaviest first.
var Weights = []Weight{Stop, Note, Background}

// The codes of warnings.
const (
	WarnSnapshotDefault     = "snapshot-default"     // one of several snapshots of the same money is counted
	WarnSnapshotsAll        = "snapshots-all"        // all snapshots are counted, as the query asks
	WarnSnapshotsUndeclared = "snapshots-undeclared" // rows that look like undeclared snapshots are all counted
	WarnLooksLikeTotal      = "looks-like-total"     // rows are counted that look like totals
	WarnTotalsLeftOut       = "totals-left-out"      // rows with keys are not counted, since they are totals of others
	WarnYearsOverlap        = "years-overlap"        // rows of a year are counted that several resources have
	WarnResourceLeftOut     = "resource-left-out"    // the rows of a resource are not counted, since others have them
	WarnPeriodIncomplete    = "period-incomplete"    // the snapshot counted of a period is earlier than that of another
	WarnLevelAbsent         = "level-absent"         // a level is empty in some of the years asked
	WarnMeasureAbsent       = "measure-absent"       // a measure has no amounts in some of the years asked
	WarnMeasureZero         = "measure-zero"         // a measure has no amounts but 0 in some of the years asked
	WarnSeriesAbsent        = "series-absent"        // the series of prices or of inhabitants has no value of some of the years asked
	WarnHavingSums          = "having-sums"          // subtotals, remainders and shares include only what passes having
	WarnYearsDiffer         = "years-differ"         // the measures of a formula have amounts in different years
	WarnYearsTogether       = "years-together"       // cells put together the months, or the like, of several years
	WarnCodeReused          = "code-reused"          // a code means different things in the years of a cell
	WarnLabelChanged        = "label-changed"        // a member has other names in some of the years of a cell
	WarnLevelRenumbered     = "level-renumbered"     // many codes of a level mean another thing from a year on
	WarnOrderInexact        = "order-inexact"        // too many cells to sort quotients exactly
	WarnNothingMatches      = "nothing-matches"      // no row passes the cuts
	WarnNotCompared         = "not-compared"         // some values have nothing to be compared with
	WarnSameAs              = "same-as"              // members are compared with others, which the overlay says are the same
	WarnNoSuchMember        = "no-such-member"       // a cut names a member that does not exist
	WarnFinancing           = "financing-included"   // sums include money that is financing
	WarnQualifierUndeclared = "qualifier-undeclared" // sums add up amounts that may be of different phases, directions or currencies
	WarnLinesLeft           = "lines-left-behind"    // money of an earlier snapshot is not in the last, which is counted
	WarnUntil               = "amounts-until"        // amounts go up to the last report of each period
	WarnPartOfYear          = "part-of-year"         // some years have amounts of some months, or the like, alone
	WarnRateAbove           = "rate-above-100"       // more was executed than approved at first
	WarnRateBelow           = "rate-below-10"        // so little of what was approved was executed that some is probably not published
	WarnRateOfPart          = "rate-of-part"         // what was executed is of a part of a year, and what was approved usually of all of it
	WarnExcerpt             = "excerpt"              // the package has so few rows that it may be an excerpt
	WarnOneMember           = "one-member"           // all rows of what may be an excerpt are of these members
	WarnJump                = "amount-jumps"         // amounts of a year are of another order than those of the year before
	WarnChangeUnknown       = "change-unknown"       // amounts of the year that is compared with are probably not known
	WarnNote                = "note"                 // a note of the overlay
	WarnSynthetic           = "synthetic"            // the figures are made up
	WarnAmountsAsText       = "amounts-as-text"      // a workbook has numbers as text
	WarnQuotientsRounded    = "quotients-rounded"    // a workbook has quotients with fewer digits
	WarnYearNotCovered      = "year-not-covered"     // a cube has no rows of the year that a search names
	WarnSearchPending       = "search-pending"       // the members of a cube cannot be found yet
	WarnSearchPartial       = "search-partial"       // some members of a cube are not found
)
