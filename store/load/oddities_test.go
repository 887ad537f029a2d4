package load_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/findings"
	"fiscube/cube/plan"
	"fiscube/internal/testrequire"
	"fiscube/seeds"
	"fiscube/store/catalogue"
	"fiscube/store/duckdb"
	"fiscube/store/load"
	"fiscube/store/storetest"
)

// oddity is a test of one of the numbered oddities of real packages (real-data.md, sections A, B and C).
type oddity struct {
	name string // its number and what must come of it
	run  func(*testing.T)
}

// oddities are by number. Those with real in their names need the published files beside the checkout.
var oddities = []oddity{
	{"01_a_year_of_D5_is_its_last_statement", testYearToDate},
	{"01_real_a_year_of_D8_is_its_last_statement", testRealYearToDate},
	{"01_months_nobody_declared_are_warned_about", testUndeclaredMonths},
	{"01_months_with_leading_zeros_in_a_number_field", testMonthsMadeText},
	{"02_years_of_D8_come_from_the_rows", testYearsOfRows},
	{"02_real_names_of_files_lie", testRealYearsOfRows},
	{"03_declared_years_are_compared_with_the_rows", testDeclaredYears},
	{"03_real_declared_years_differ", testRealDeclaredYears},
	{"04_departamento_is_text", testDepartamento},
	{"04_real_departamento_is_text", testRealDepartamento},
	{"05_measures_of_D1_and_D4_are_inferred", testInferredMeasures},
	{"05_real_measures_of_D1_are_inferred", testRealInferredMeasures},
	{"06_the_whole_table_and_its_yearly_splits_load_once", testWholeAndSplits},
	{"06_rows_of_the_next_year_are_not_rows_twice", testNextYear},
	{"07_hashcopy_is_the_hash_without_the_header_line", testHashCopy},
	{"08_a_totals_row_is_left_out", testTotalsRows},
	{"08_a_true_last_row_is_kept", testTrueLastRow},
	{"08_totals_rows_stay_where_an_overlay_says_so", testTotalsRowsStay},
	{"09_real_members_of_D7_are_counted_by_path", testRealPaths},
	{"09_codes_are_unique_only_inside_their_parent", testPaths},
	{"10_real_no_programme_of_D7_has_two_meanings", testRealProgrammes},
	{"10_real_without_within_120_programmes_have", testRealProgrammesAlone},
	{"10_a_project_of_D6_needs_institution_and_programme", testProjects},
	{"11_label_drift_is_one_member", testDrift},
	{"11_case_accents_and_spaces_are_no_second_label", testSpellings},
	{"12_a_code_under_two_parents_is_two_members", testMovedCode},
	{"13_catch_all_codes_are_members_of_their_parents", testCatchAll},
	{"13_real_two_codes_Ostalo", testRealCatchAll},
	{"13_no_informado_is_one_member_under_each_parent", testNotInformed},
	{"14_ODGYAUX_stays_text", testTextThatLooksDecimal},
	{"14_real_ODGYAUX_stays_text", testRealTextThatLooksDecimal},
	{"15_a_level_empty_in_the_middle_is_a_step_of_the_path", testEmptyMiddle},
	{"15_levels_absent_in_some_years_are_warned_about", testAbsentLevels},
	{"15_missing_levels_are_derived_from_the_codes_below", testDerived},
	{"15_real_chapters_of_2017_are_derived", testRealDerivedChapters},
	{"16_leading_zeros_make_text", testLeadingZeros},
	{"16_real_leading_zeros_stay", testRealLeadingZeros},
	{"16_a_number_is_the_code_of_a_label_with_zeros", testNumberBesideJoinedCode},
	{"17_missing_is_null_and_not_zero", testMissingAmounts},
	{"17_measures_come_and_go", testMeasuresOfYears},
	{"17_real_missing_amounts_are_counted_apart", testRealMissing},
	{"18_negatives_are_added_like_any", testNegatives},
	{"18_real_negatives_of_D2", testRealNegatives},
	{"19_magnitudes_are_exact", testMagnitudes},
	{"19_real_sums_of_D7_are_exact", testRealMagnitudes},
	{"20_decimals_mixed_in_one_column", testMixedDecimals},
	{"20_forms_of_numbers_are_declared", testNumberForms},
	{"20_cells_that_are_no_numbers_are_refused", testBadNumbers},
	{"20_float_noise_is_rounded_and_counted", testFloatNoise},
	{"20_fractions_keep_their_digits", testFractions},
	{"20_cells_that_two_amounts_read_are_reported_once", testAmountsReadTwice},
	{"21_encodings_are_declared", testEncodings},
	{"21_mojibake_inside_UTF8_is_kept", testMojibake},
	{"21_real_no_break_spaces_split_no_ramo", testRealNoBreakSpaces},
	{"22_quotes_commas_and_line_breaks_in_cells", testQuoting},
	{"23_spaces_are_tidied_in_labels_and_kept_in_cells", testSpaces},
	{"23_codes_that_look_the_same_are_one_member", testPaddedCodes},
	{"23_labels_with_separate_accents_are_one_label", testSeparateAccents},
	{"23_real_labels_of_D1", testRealSpaces},
	{"24_joined_cells_have_several_separators", testSeparators},
	{"24_dates_and_quantities_are_not_joined_cells", testNotJoined},
	{"24_a_code_has_one_label_under_its_parent", testJoinedUnderParents},
	{"24_real_joined_cells_of_D1", testRealJoined},
	{"25_blank_rows_and_unnamed_columns_are_counted", testBlankRows},
	{"26_duplicate_rows_are_all_kept", testDuplicates},
	{"27_a_code_without_a_label_is_displayed_by_itself", testNoLabel},
	{"27_long_cells_are_whole", testLongCells},
	{"28_a_changed_header_is_refused_with_its_place", testHeaders},
	{"28_resources_with_other_fields_are_joined_by_name", testOtherFields},
}

func TestOddities(t *testing.T) {
	for _, o := range oddities {
		t.Run(o.name, o.run)
	}
}

func TestOddities_AreAllTested(t *testing.T) {
	for number := 1; number <= 28; number++ {
		prefix := fmt.Sprintf("%02d_", number)
		if !slices.ContainsFunc(oddities, func(o oddity) bool { return strings.HasPrefix(o.name, prefix) }) {
			t.Errorf("no test is named %s…", prefix)
		}
	}
}

// bare loads a package by its descriptor alone, shipped with the overlay that comes with fiscube.
var bare, shipped = load.Options{Allow: findings.Allowable}, load.Options{Shipped: seeds.OverlayFor, Allow: findings.Allowable}

func seed(t *testing.T, name string) fs.FS {
	t.Helper()
	files, ok := seeds.Open(name)
	if !ok {
		t.Fatalf("there is no seed %s", name)
	}
	return files
}

// published gives the folder of a real package; those of many rows to a long run.
func published(t *testing.T, folder string) fs.FS {
	t.Helper()
	if folder == "D7-mexico" || folder == "D2-croatia" {
		testrequire.Long(t)
	}
	path := filepath.Join("../../../shared/data", folder)
	if _, err := os.Stat(path); err != nil {
		testrequire.Skip(t, "data", "the real packages are not there: no folder "+path)
	}
	return os.DirFS(path)
}

// kept is what a load hands to a store.
type kept struct {
	pkg     *cube.Package
	rows    []keptRow // the first of them
	count   int       // of all rows
	members map[string][]cube.Member
	report  *findings.Report
}

type keptRow struct {
	resource string
	line     int64
	cells    []string
}

// mostKept bounds the rows that are kept.
const mostKept = 5000

// Load implements catalogue.Loader.
func (k *kept) Load(ctx context.Context, content catalogue.Content) (findings.Loaded, error) {
	k.pkg, k.members = content.Package(), map[string][]cube.Member{}
	for row, err := range content.Rows(ctx) {
		if err != nil {
			return findings.Loaded{}, err
		}
		if k.count++; k.count <= mostKept {
			k.rows = append(k.rows, keptRow{k.pkg.Resources[row.Resource].Name, row.Line, slices.Clone(row.Cells)})
		}
	}
	for _, level := range k.pkg.Model.Levels() {
		if level.Listed {
			k.members[level.Ref] = slices.Collect(content.Members(level))
		}
	}
	k.report = content.Report()
	return findings.Loaded{}, nil
}

// take loads a package that is sound and gives what came of it.
func take(t *testing.T, files fs.FS, o load.Options) *kept {
	t.Helper()
	k := &kept{}
	loadInto(t, k, files, o)
	hasSentences(t, k.report)
	return k
}

// takePublished loads a real package that is sound, bare or shipped, and gives what came of it: once for all tests, which look at
// several things in each.
func takePublished(t *testing.T, folder string, o load.Options) *kept {
	t.Helper()
	key := fmt.Sprint(folder, o.Shipped != nil)
	if taken[key] == nil {
		taken[key] = take(t, published(t, folder), o)
	}
	return taken[key]
}

var taken = map[string]*kept{}

func loadInto(t *testing.T, target catalogue.Loader, files fs.FS, o load.Options) *cube.Cube {
	t.Helper()
	source, err := load.OpenFS(t.Context(), files, o)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := load.Run(t.Context(), target, source, load.Silent{})
	if err != nil {
		t.Fatal(err)
	}
	return loaded.Cube
}

// refused gives what is found in a package that is not loaded.
func refused(t *testing.T, files fs.FS) string {
	t.Helper()
	source, err := load.OpenFS(t.Context(), files, bare)
	if err != nil {
		t.Fatal(err)
	}
	_, err = load.Run(t.Context(), &kept{}, source, load.Silent{})
	var rejected *load.Rejected
	if !errors.As(err, &rejected) {
		t.Fatalf("the package is not refused: %v", err)
	}
	rejected.Findings = slices.DeleteFunc(rejected.Findings, func(f findings.Finding) bool { return f.Code == findings.NoYear })
	return rejected.Error()
}

// found gives the findings of a code, a line each.
func (k *kept) found(code string) string {
	var lines []string
	for _, f := range k.report.Findings {
		if f.Code == code {
			lines = append(lines, f.String())
		}
	}
	return strings.Join(lines, "\n")
}

// cells gives the cells of a column, row by row.
func (k *kept) cells(column string) string {
	place := slices.IndexFunc(k.pkg.Model.Columns(), func(c cube.Column) bool { return c.Name == column })
	if place < 0 {
		return "no column " + column
	}
	var list []string
	for _, row := range k.rows {
		list = append(list, row.cells[place])
	}
	return strings.Join(list, "|")
}

// list gives the members of a level by path, each with its label.
func (k *kept) list(level string) string {
	var list []string
	for _, m := range k.members[level] {
		list = append(list, strings.TrimSpace(path(m)+" "+m.Label))
	}
	return strings.Join(list, ", ")
}

// member gives the one of a path, such as 1/11.
func (k *kept) member(t *testing.T, level, at string) cube.Member {
	t.Helper()
	i := slices.IndexFunc(k.members[level], func(m cube.Member) bool { return path(m) == at })
	if i < 0 {
		t.Fatalf("%s has no member %s, but %s", level, at, k.list(level))
	}
	return k.members[level][i]
}

func path(m cube.Member) string {
	keys := make([]string, len(m.Path))
	for i, key := range m.Path {
		keys[i] = key.String()
	}
	return strings.Join(keys, "/")
}

// asked is a package in a store that answers.
type asked struct {
	store   answer.Store
	version *cube.Cube
}

func ask(t *testing.T, files fs.FS, o load.Options) asked {
	t.Helper()
	store, err := duckdb.Open(t.Context(), duckdb.Memory, duckdb.Options{}, slog.New(slog.DiscardHandler))
	if cube.CodeOf(err) == cube.CodeUnavailable {
		t.Skip("no embedded store: the tests were built without cgo")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return asked{store, loadInto(t, store, files, o)}
}

// answer asks a question and writes the cells: keys, label in quotes, = and amounts.
func (a asked) answer(t *testing.T, question string) string {
	t.Helper()
	result, err := answer.Run(t.Context(), a.store, a.plan(t, question), cube.English)
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	var list []string
	for _, cell := range result.Cells {
		list = append(list, cellText(cell))
	}
	return strings.Join(list, " ")
}

func (a asked) plan(t *testing.T, question string) *plan.Plan {
	t.Helper()
	q, err := storetest.Query(question)
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	p, err := plan.Bind(a.version, q)
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	return p
}

func cellText(cell answer.Cell) string {
	var keys, values []string
	for _, key := range cell.Keys {
		keys = append(keys, key.String())
	}
	text := strings.Join(keys, "/")
	for _, label := range cell.Labels {
		if !label.IsMissing() {
			text += fmt.Sprintf(" %q", label.String())
		}
	}
	for _, v := range cell.Values {
		if !v.Valid {
			values = append(values, "null")
			continue
		}
		values = append(values, v.Decimal.String())
	}
	return strings.TrimSpace(text) + "=" + strings.Join(values, ",")
}

// is compares two texts.
func is(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\ngot  %s\nwant %s", what, got, want)
	}
}

// pack is a small package. Its fields are names with what they are: a@ the fiscal year, a# a whole number, a$ an
// amount, a=b the label of b, a<b a level below b, and a alone a level.
type pack struct {
	fields  string
	files   map[string]string // the rows of each resource, without the header
	missing string            // the texts that mean missing, in quotes and commas; "" for the empty text alone
	more    string            // members of the descriptor, each followed by a comma
	each    string            // members of every resource, the same
	overlay string
}

func (p pack) fs() fstest.MapFS {
	files := fstest.MapFS{}
	var resources []string
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		resources = append(resources, fmt.Sprintf(`{%s "name": %q, "path": %q}`, p.each, name, name))
		files[name] = &fstest.MapFile{Data: []byte(p.header() + p.files[name])}
	}
	files[load.DescriptorName] = &fstest.MapFile{Data: []byte(fmt.Sprintf(
		`{"name": "odd", %s "schema": {"missingValues": [%s], "fields": [%s]}, "model": %s, "resources": [%s]}`,
		p.more, cmp.Or(p.missing, `""`), p.schema(), p.model(), strings.Join(resources, ", ")))}
	if p.overlay != "" {
		files[load.OverlayName] = &fstest.MapFile{Data: []byte(p.overlay)}
	}
	return files
}

// one is the package of a single resource.
func one(fields, rows string) pack {
	return pack{fields: fields, files: map[string]string{"f.csv": rows}}
}

// with gives the package an overlay.
func (p pack) with(overlay string) fs.FS {
	p.overlay = overlay
	return p.fs()
}

// part takes a field apart into its name, what it is, and what it belongs to.
func part(field string) (name, kind, other string) {
	i := strings.IndexAny(field, "@#$%=<")
	if i < 0 {
		return field, "", ""
	}
	return field[:i], field[i : i+1], field[i+1:]
}

func (p pack) header() string {
	var names []string
	for field := range strings.FieldsSeq(p.fields) {
		name, _, _ := part(field)
		names = append(names, name)
	}
	return strings.Join(names, ",") + "\n"
}

func (p pack) schema() string {
	var list []string
	for field := range strings.FieldsSeq(p.fields) {
		name, kind, _ := part(field)
		member := map[string]string{
			"@": `"type": "integer", "columnType": "date:fiscal-year"`, "#": `"type": "integer"`, "$": `"type": "number"`, "%": `"type": "number"`,
		}[kind]
		if member == "" {
			member = `"type": "string"`
		}
		list = append(list, fmt.Sprintf(`{"name": %q, %s}`, name, member))
	}
	return strings.Join(list, ", ")
}

// model puts the year into the dimension date and all other levels into the dimension levels.
func (p pack) model() string {
	var keys, attributes, measures, dimensions []string
	for field := range strings.FieldsSeq(p.fields) {
		name, kind, other := part(field)
		quoted := fmt.Sprintf("%q", name)
		switch kind {
		case "@":
			dimensions = append(dimensions, fmt.Sprintf(`"date": {"dimensionType": "datetime", "primaryKey": [%q]}`, name))
		case "$":
			measures = append(measures, quoted+": {}")
		case "=":
			attributes = append(attributes, fmt.Sprintf(`%s: {"labelfor": %q}`, quoted, other))
		case "%":
			attributes = append(attributes, quoted+": {}")
		case "<":
			attributes = append(attributes, fmt.Sprintf(`%s: {"parent": %q}`, quoted, other))
			keys = append(keys, quoted)
		default:
			keys = append(keys, quoted)
		}
	}
	if len(keys) > 0 {
		dimensions = append(dimensions, fmt.Sprintf(`"levels": {"dimensionType": "other", "primaryKey": [%s], "attributes": {%s}}`,
			strings.Join(keys, ", "), strings.Join(attributes, ", ")))
	}
	return fmt.Sprintf(`{"measures": {%s}, "dimensions": {%s}}`, strings.Join(measures, ", "), strings.Join(dimensions, ", "))
}
