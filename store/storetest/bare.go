package storetest

import (
	"bytes"
	"compress/gzip"
	"maps"
	"slices"
	"strings"
	"testing/fstest"

	"fiscube/store/describe"
	"fiscube/store/load"
)

// bareTests describe files that come without a descriptor, in the forms in which budgets are published, load what was described, and ask for the
// sums of each year, which are worked out by hand.
var bareTests = func() []test {
	var tests []test
	for _, f := range bareForms {
		tests = append(tests, test{f.name, func(s *subject) {
			if got := s.sumsOf(s.described(f)); got != f.want {
				s.Errorf("the sums are\n%s\nwant\n%s", got, f.want)
			}
		}})
	}
	return tests
}()

// bareForm is files in one form, with their sums by year and measure.
type bareForm struct {
	name    string
	files   map[string]string
	options describe.Options
	want    string
}

// described gives the package that is made of bare files.
func (s *subject) described(f bareForm) fstest.MapFS {
	s.Helper()
	files := fstest.MapFS{}
	for name, text := range f.files {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	d, err := describe.Read(s.context(), files, slices.Sorted(maps.Keys(f.files)), f.options, load.Silent{})
	if err != nil {
		s.Fatalf("describe: %v", err)
	}
	descriptor, err := d.Descriptor()
	if err != nil {
		s.Fatal(err)
	}
	files[load.DescriptorName], files[load.OverlayName] = &fstest.MapFile{Data: descriptor}, &fstest.MapFile{Data: d.Overlay()}
	return files
}

// sumsOf asks for the sums of all measures by year: 2023 paid=3 plan=4; 2024 paid=5.
func (s *subject) sumsOf(files fstest.MapFS) string {
	s.Helper()
	version := s.load(files).Cube
	year, ok := version.Model.FiscalYear()
	if !ok {
		s.Fatalf("no fiscal year in\n%s", files[load.DescriptorName].Data)
	}
	sums := map[string][]string{}
	for _, m := range version.Model.Measures() {
		for _, cell := range s.ask(version, "drilldown=\""+year.Name+"\"&aggregates=\""+m.Ref+"\".sum").Cells {
			if v := cell.Values[0]; v.Valid {
				key := cell.Keys[0].String()
				sums[key] = append(sums[key], m.Ref+"="+v.Decimal.String())
			}
		}
	}
	var list []string
	for _, key := range slices.Sorted(maps.Keys(sums)) {
		list = append(list, key+" "+strings.Join(slices.Sorted(slices.Values(sums[key])), " "))
	}
	return strings.Join(list, "; ")
}

// lined writes a table of lines.
func lined(lines ...string) map[string]string {
	return map[string]string{"budget.csv": strings.Join(lines, "\n") + "\n"}
}

// packed compresses a text.
func packed(text string) string {
	var data bytes.Buffer
	w := gzip.NewWriter(&data)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return data.String()
}

var bareForms = []bareForm{
	{"years as numbers", lined("year,office,amount", "2023,A,1.5", "2023,B,2.25", "2024,A,10.5"), describe.Options{}, "2023 amount=3.75; 2024 amount=10.5"},
	{"fiscal years with letters", lined("Year,office,amount", "FY2023,A,1.5", "FY2023,B,2.25", "FY2024,A,10.5"), describe.Options{}, "2023 amount=3.75; 2024 amount=10.5"},
	{"spans of short years", lined("fiscal_year,office,amount", "FY21-22,A,1.5", "FY21-22,B,2.25", "FY22-23,A,10.5"), describe.Options{}, "2022 amount=3.75; 2023 amount=10.5"},
	{"spans of years", lined("year,office,amount", "2021/22,A,1.5", "2021/22,B,2.25", "2022/23,A,10.5"), describe.Options{}, "2022 amount=3.75; 2023 amount=10.5"},
	{"years with a fraction", lined("year,office,amount", "2023.0,A,1.5", "2023.0,B,2.25", "2024.0,A,10.5"), describe.Options{}, "2023 amount=3.75; 2024 amount=10.5"},
	{"years of another calendar", lined("year,office,amount", "2566 B.E.,A,1.5", "2566 B.E.,B,2.25", "2567 B.E.,A,10.5"), describe.Options{}, "2023 amount=3.75; 2024 amount=10.5"},
	{"years of Thailand", lined("ปีงบประมาณ,กรม,amount", "2565,A,1.5", "2565,B,2.25", "2566,A,10.5"), describe.Options{}, "2022 amount=3.75; 2023 amount=10.5"},
	{"years with their periods", lined("FISCPER,office,amount", "2022012,A,1.5", "2022012,B,2.25", "2023016,A,10.5"), describe.Options{}, "2022 amount=3.75; 2023 amount=10.5"},
	{"a total among the years", lined("Year,office,amount", "2022,Police,100.5", "2022,Fire,7.25", "2023,Police,50", "Total,,157.75"), describe.Options{}, "2022 amount=107.75; 2023 amount=50"},
	{"a year in words", lined("Periodo,oficina,monto", "Ejercicio 2023,A,\"1.5\"", "Ejercicio 2024,B,2.25"), describe.Options{}, "2023 monto=1.5; 2024 monto=2.25"},
	{"a year in the name of the file", map[string]string{"budget-2023.csv": "office,amount\nA,1.5\nB,2.25\n"}, describe.Options{}, "2023 amount=3.75"},
	{"a year in the name of each file", map[string]string{"budget-2023.csv": "office,amount\nA,1.5\nB,2.25\n", "budget-2024.csv": "office,amount\nA,10.5\n"}, describe.Options{},
		"2023 amount=3.75; 2024 amount=10.5"},
	{"a year in the title", lined("Budget of the town 2023,", "office,amount", "A,1.5", "B,2.25"), describe.Options{}, "2023 amount=3.75"},
	{"a year that a person says", lined("office,amount", "A,1.5", "B,2.25"), describe.Options{Year: "2023/24"}, "2024 amount=3.75"},
	{"dates", lined("day,office,amount", "2023-05-31,A,1.5", "2023-11-30,B,2.25", "2024-01-02,A,10.5"), describe.Options{}, "2023 amount=3.75; 2024 amount=10.5"},
	{"dates with points", lined("day;office;amount", "31.05.2023;A;1,5", "30.11.2023;B;2,25", "2.1.2024;A;10,5"), describe.Options{}, "2023 amount=3.75; 2024 amount=10.5"},
	{"dates with the month first, and times", lined("day,office,amount", "05/31/2023 00:00,A,1.5", "11/30/2023 12:30,B,2.25", "01/02/2024 00:00,A,10.5"), describe.Options{}, "2023 amount=3.75; 2024 amount=10.5"},
	{"years in columns", lined("office,2022,2023,2024", "A,1,2,3", "B,10,20,30"), describe.Options{}, "2022 amount=11; 2023 amount=22; 2024 amount=33"},
	{"years and phases in columns", lined("office,FY22 Actual Expense,FY23 Actual Expense,FY24 Appropriation", "A,1,2,3", "B,10,20,30"), describe.Options{},
		"2022 amount_executed=11; 2023 amount_executed=22; 2024 amount_approved=33"},
	{"two phases of each year in columns", lined("office,Appropriations 1993,Appropriations 1994,Expenditures 1993,Expenditures 1994", "A,1,2,3,4", "B,10,20,30,40"), describe.Options{},
		"1993 amount_approved=11 amount_executed=33; 1994 amount_approved=22 amount_executed=44"},
	{"years above phases", lined(",,2023,,2024,", "Code,Office,Approved,Executed,Approved,Executed", "01,A,1,2,3,4", "02,B,10,20,30,40"), describe.Options{},
		"2023 amount_approved=11 amount_executed=22; 2024 amount_approved=33 amount_executed=44"},
	{"accounts that look like years", lined("Account,office,FY23 Budget,FY24 Budget", "2010,A,1,2", "2020,B,10,20"), describe.Options{}, "2023 amount=11; 2024 amount=22"},
	{"spans of years in columns", lined("office,2021-22,2022-23", "A,1,2", "B,10,20"), describe.Options{}, "2022 amount=11; 2023 amount=22"},
	{"a span of years beside both", lined("office,2021,2022,2021-2022", "A,1,2,3", "B,10,20,30"), describe.Options{}, "2021 amount=11; 2022 amount=22"},
	{"totals of spans alone", lined("office,Total 2021-22,Total 2022-23", "A,1,2", "B,10,20"), describe.Options{}, "2022 amount=11; 2023 amount=22"},
	{"a year in the names of some columns", lined("office,FY2014 Adopted Budget,Amendments,FY2014 Amended Budget", "A,1,2,3", "B,10,20,30"), describe.Options{},
		"2014 Amendments=22 FY2014 Adopted Budget=11 FY2014 Amended Budget=33"},
	{"phases in rows", lined("Jahr;Betrag-Typ;Amt;Betrag", "2023;Plan;A;1,5", "2023;Ist;A;2,5", "2024;Plan;A;10"), describe.Options{}, "2023 Betrag_approved=1.5 Betrag_executed=2.5; 2024 Betrag_approved=10"},
	{"phases of another country in rows", lined("FinancialYear,BudgetPhase,Programme,Value", "2018,Audited Outcome,A,1.5", "2018,Main appropriation,A,2.5", "2019,Medium Term Estimates,A,10"), describe.Options{},
		"2018 Value_approved=2.5 Value_executed=1.5; 2019 Value_medium_term_estimates=10"},
	{"directions in rows", lined("year,account_type,office,amount", "2023,Revenue,A,100", "2023,Expense,A,40", "2023,Expense,B,50"), describe.Options{}, "2023 amount_expenditure=90 amount_revenue=100"},
	{"directions in longer words", lined("year,tipo,office,amount", "2023,Ingresos corrientes,A,100", "2023,Gastos corrientes,A,40"), describe.Options{}, "2023 amount_gastos_corrientes=40 amount_ingresos_corrientes=100"},
	{"programmes that begin with words for directions", lined("year,programme,amount", "2023,Income Support,100", "2023,Spending Review,40"), describe.Options{}, "2023 amount=140"},
	{"sides of accounts", lined("Anno;Segno;Voce;Importo", "2022;D;Strade;1000", "2022;A;Strade;1500"), describe.Options{}, "2022 Importo_credit=1500 Importo_debit=1000"},
	{"sides of accounts in words", lined("Jahr;Seite;Konto;Betrag", "2022;Soll;Reise;1000", "2022;Haben;Reise;1500"), describe.Options{}, "2022 Betrag_credit=1500 Betrag_debit=1000"},
	{"commitments, expenditure and receipts in rows", lined("Jaar;VUO;Artikel;Bedrag", "2022;V;Wegen;1000", "2022;U;Wegen;1500", "2022;O;Wegen;20"), describe.Options{}, "2022 Bedrag_o=20 Bedrag_u=1500 Bedrag_v=1000"},
	{"shares of another name in rows", lined("Year,Function,Unit,Value", "2019,Health,MLN_USD,4000.5", "2019,Health,PC_GDP,7.2", "2019,Defence,MLN_USD,900.1", "2019,Defence,PC_GDP,1.3"), describe.Options{},
		"2019 Value_mln_usd=4900.6 Value_pc_gdp=8.5"},
	{"currencies in rows", lined("year,currency,office,amount", "2023,EUR,A,1.5", "2023,USD,A,2.5"), describe.Options{}, "2023 amount_eur=1.5 amount_usd=2.5"},
	{"a total at the end", lined("year,code,office,amount", "2023,1,A,1000", "2023,2,B,2000", "2023,3,C,500", ",,,3500"), describe.Options{}, "2023 amount=3500"},
	{"a total of a year that no cell says", map[string]string{"budget-2023.csv": "code,office,amount\n1,A,1000\n2,B,2000\n3,C,500\n,,3500\n"}, describe.Options{}, "2023 amount=3500"},
	{"subtotals of a spreadsheet", lined("year,office,object,amount", "2023,Police,Pay,1000", "2023,Police,Cars,300", "2023,Police Total,,1300", "2023,Fire,Pay,500", "2023,Fire,Cars,20", "2023,Fire Total,,520", "2023,Grand Total,,1820"),
		describe.Options{}, "2023 amount=1820"},
	{"a first amount like a year", map[string]string{"budget-2023.csv": "office,amount\nA,1936\nB,500\nC,77000\n"}, describe.Options{}, "2023 amount=79436"},
	{"amounts in parentheses, with signs", lined("year,office,amount", "2023,A,\"$1,200.50\"", "2023,B,\"($200.50)\"", "2023,C,-"), describe.Options{}, "2023 amount=1000"},
	{"amounts in euros, with a minus behind", lined("year;office;amount", "2023;A;1.200,50 €", "2023;B;200,50- €", "2023;C;5,00 €"), describe.Options{}, "2023 amount=1005"},
	{"a minus of typesetters, and spaces", lined("year;office;amount", "2023;A;49 441 000", "2023;B;−441 000", "2023;C; -   "), describe.Options{}, "2023 amount=49000000"},
	{"groups between no-break spaces", lined("year;office;amount", "2023;A;49\u00a0441\u00a0000,5", "2023;B;441\u00a0000,5"), describe.Options{}, "2023 amount=49882001"},
	{"groups between thin spaces", lined("year;office;amount", "2023;A;49\u2009441\u2009000,5", "2023;B;441\u2009000,5"), describe.Options{}, "2023 amount=49882001"},
	{"groups between narrow spaces, with points", lined("year;office;amount", "2023;A;49\u202f441\u202f000.5", "2023;B;441\u202f000.5"), describe.Options{}, "2023 amount=49882001"},
	{"debits and credits of a ledger", lined("year;office;amount", "2023;A;1,100.50 Dr", "2023;B;100.25 Cr", "2023;C;1.75CR"), describe.Options{}, "2023 amount=998.5"},
	{"a dash of India behind whole rupees", lined("year;office;amount", "2023;A;1,100/-", "2023;B;725/-"), describe.Options{}, "2023 amount=1825"},
	{"groups between apostrophes", lined("year;office;amount", "2023;A;49'441'000.50", "2023;B;1'000.25"), describe.Options{}, "2023 amount=49442000.75"},
	{"groups of India", lined("year;office;amount", "2023;A;1,23,45,678.50", "2023;B;1,000.25"), describe.Options{}, "2023 amount=12346678.75"},
	{"exponents", lined("year,office,amount", "2023,A,1.2E+09", "2023,B,5.5"), describe.Options{}, "2023 amount=1200000005.5"},
	{"digits of another script", lined("year,office,amount", "2023,A,١٢٣٤", "2023,B,١٠"), describe.Options{}, "2023 amount=1244"},
	{"words for nothing", lined("year,office,amount", "2023,A,n/a", "2023,B,5.5", "2023,C,nfp", "2023,D,…"), describe.Options{}, "2023 amount=5.5"},
	{"percents are no amounts", lined("year,office,amount,share of all", "2023,A,1.5,60%", "2023,B,1,40%"), describe.Options{}, "2023 amount=2.5"},
	{"units in the title", lined("Budget (in thousands of EUR),,", "year,office,amount", "2023,A,1.5", "2023,B,2"), describe.Options{}, "2023 amount=3.5"},
	{"a title, two blank lines, and notes at the end", lined("Town of X", "", "", "year,office,amount", "2023,A,1.5", "2023,B,2", "", "Source: the ministry", "* provisional"), describe.Options{}, "2023 amount=3.5"},
	{"the names again on each page", map[string]string{"budget-2023.csv": "office,amount\nA,100.50\nB,7.25\noffice,amount\nC,3.00\noffice,amount\nD,1\n"}, describe.Options{}, "2023 amount=111.75"},
	{"what spreadsheets write first", lined("sep=;", "year;office;amount", "2023;A;1,5", "2023;B;2"), describe.Options{}, "2023 amount=3.5"},
	{"no names", lined("2023,A,Schools,1500.5", "2023,B,Roads,200.25", "2024,A,Schools,10.25"), describe.Options{}, "2023 amount=1700.75; 2024 amount=10.25"},
	{"no names, and a comma at each end", lined("2023,A,Schools,1500.5,", "2023,B,Roads,200.25,", "2024,A,Schools,10.25,"), describe.Options{}, "2023 amount=1700.75; 2024 amount=10.25"},
	{"names that no field may have", lined(`_id,year, Office ,"line`+"\n"+`break",,amount,Amount`, "1,2023,A,x,y,1.5,7.5", "2,2023,B,x,y,2,8"), describe.Options{}, "2023 Amount 2=15.5 amount=3.5"},
	{"padded cells, empty lines and a comma at each end", lined("year,office,amount,", "2023, A  ,1.5,", "", ",,,", "2023,B, 2 ,"), describe.Options{}, "2023 amount=3.5"},
	{"rows that end early", lined("year,office,amount,note", "2023,A,1.5,x", "2023,B,2", "2023,C,3,y"), describe.Options{}, "2023 amount=6.5"},
	{"tabs", map[string]string{"budget.tsv": "year\toffice\tamount\n2023\tA\t1.5\n2023\tB\t2\n"}, describe.Options{}, "2023 amount=3.5"},
	{"a compressed file", map[string]string{"budget.csv.gz": packed("year,office,amount\n2023,A,1.5\n2023,B,2\n")}, describe.Options{}, "2023 amount=3.5"},
	{"a workbook with a title", map[string]string{"budget.xlsx": workbook([][]any{{"Budget 2023"}, {}, {"office", "amount"}, {"A", 1.5}, {"B", 1234.5600000000001}, {"Source: the ministry"}})}, describe.Options{}, "2023 amount=1236.06"},
	{"a hidden sheet before the table", map[string]string{"budget.xlsx": workbook([][]any{{"year", "office", "amount"}, {2023, "A", 1.5}, {2024, "B", 2}})}, describe.Options{},
		"2023 amount=1.5; 2024 amount=2"},
	{"a row above the names of which columns have marks alone", lined("name", "a,;,1000.5,;,2023", "b,;,20,;,2023", "c,;,3,;,2024"), describe.Options{}, "2023 amount=1020.5; 2024 amount=3"},
	{"a first row that names a part", lined("Budget 2023,,", "concept,,total", "I - Own income,,900000", "1.,Taxes,700000", "2.,Fees,200000", "II - Grants,,55000", "3.,State,55000"), describe.Options{},
		"2023 total=1910000"},
	{"a line that numbers some columns", lined("Budget 2023,,,,", "zone,town,amount,cost,balance", ",,1,2,3=1-2", "1,A,1000,700,300", "1,B,2000,1600,400", "2,C,4000,3500,500"), describe.Options{},
		"2023 amount=7000 balance=1200 cost=5800"},
	{"chapters above their parts", lined("code,name,2023,2024", ",State,1000,1210", "1,Health,600,700", ",Doctors,400,450", ",Drugs,200,250", "2,Schools,300,400", ",Pay,250,300", ",Books,50,100",
		"3,Roads,100,110", ",Repairs,100,110"), describe.Options{}, "2023 amount=1000; 2024 amount=1210"},
	{"totals below their parts, one of them rounded", lined("Budget 2023,", "name,amount", "Police,", "Pay,1002", "Cars,305", "TOTAL DEPT.,1307", "Fire,", "Pay,511", "Cars,20", "TOTAL DEPT.,531", "Parks,", "Pay,77", "Cars,10",
		"TOTAL DEPT.,87", "Roads,", "Pay,42", "Cars,33", "TOTAL DEPT.,76"), describe.Options{}, "2023 amount=2000"},
	{"funds of which one is the sum of two", lined("year,office,fund,amount", "2023,A,1,10", "2023,A,2,20", "2023,A,3,30", "2023,B,1,15", "2023,B,2,2", "2023,B,3,17", "2023,C,1,40", "2023,C,2,8", "2023,C,3,48"),
		describe.Options{}, "2023 amount=190"},
	{"a row for each year", lined("Year,01,02,Total", "2021,1200,17,1217", "2022,1300,,1300", "2023,1400,18,1418"), describe.Options{},
		"2021 01=1200 02=17 Total=1217; 2022 01=1300 Total=1300; 2023 01=1400 02=18 Total=1418"},
	{"amounts that are mostly nothing, beside one of their name", lined("year,project,fy1,fy2", "2023,A,500000,0", "2023,B,70000,0", "2023,C,9000,0", "2023,D,1234,900"), describe.Options{},
		"2023 fy1=580234 fy2=900"},
	{"numbers of rows, of orders and of levels", lined("OBJECT,P.O. N°,level_3,year,office,amount", "101,7161076,\"31,32\",2023,A,5", "102,82,323,2023,B,6", "103,7161201,3721,2023,C,7", "104,900,\"31,32\",2023,D,8", "105,12345,3,2023,E,9",
		"106,7,41,2023,F,10", "107,71,5,2023,G,11", "108,716107,72,2023,H,12", "109,71610,81,2023,I,13", "110,7161,9,2023,J,14"), describe.Options{}, "2023 amount=95"},
	{"transactions of both signs", lined("date,supplier,invoice,amount", "2023-01-05,Hafen AG,1001,500.25", "2023-02-05,Hafen AG,1002,-100.25", "2024-02-05,Kai GmbH,1003,7.5"), describe.Options{}, "2023 amount=400; 2024 amount=7.5"},
}
