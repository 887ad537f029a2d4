package main

// leftover is the catch-all member: code and label are the same at every level.
const leftover = "Ostalo/Ostalo/Ostalo"

// croatiaBooks are the classifications of the package. Names are the general words of any Croatian
// budget; codes are made up.
type croatiaBooks struct {
	admin, activity, function, source, economic *member
}

func croatiaMembers() croatiaBooks {
	return croatiaBooks{
		admin:    tree(croatiaAdmin),
		activity: tree(croatiaActivity),
		function: tree(croatiaFunction),
		source:   tree(croatiaSource),
		economic: tree(croatiaEconomic),
	}
}

const croatiaAdmin = `
010 HRVATSKI SABOR
  01005 Hrvatski sabor
020 VLADA
  02005 Vlada
  02010 Ured za udruge | 2018 Ured za suradnju s udrugama
025 MINISTARSTVO FINANCIJA
  02505 Ministarstvo financija
  02506 Ministarstvo financija - javni dug
  02510 Porezna uprava
  02515 Carinska uprava
027 OBAVJEŠTAJNA SLUŽBA
  Ostalo Ostalo
030 MINISTARSTVO OBRANE
  03005 Ministarstvo obrane
040 MINISTARSTVO UNUTARNJIH POSLOVA
  04005 Ministarstvo unutarnjih poslova
  04010 Civilna zaštita
048 MINISTARSTVO GOSPODARSTVA | 2018 MINISTARSTVO GOSPODARSTVA I ENERGETIKE
  04805 Ministarstvo gospodarstva | 2018 Ministarstvo gospodarstva i energetike
055 MINISTARSTVO KULTURE
  05505 Ministarstvo kulture
  05520 Javna ustanova "Muzej otoka"
065 MINISTARSTVO PROMETA I VEZA
  06505 Ministarstvo prometa i veza
080 MINISTARSTVO OBRAZOVANJA
  08005 Ministarstvo obrazovanja
  08020 Sveučilišta
096 MINISTARSTVO ZDRAVSTVA
  09605 Ministarstvo zdravstva
  09620 Zavod za javno zdravstvo
102 MINISTARSTVO RADA
  10205 Ministarstvo rada
  10210 Zavod za mirovine
240 URED ZA SIGURNOST
  Ostalo Ostalo
241 CENTAR ZA NADZOR VEZA
  Ostalo Ostalo
`

const croatiaActivity = `
21 POLITIČKI SUSTAV
  2101 ZAKONODAVNA VLAST
    A100001 UPRAVLJANJE
    A100002 MEĐUNARODNA SURADNJA
  2102 RAD VLADE
    A100010 UPRAVLJANJE
    A100011 RAZVOJ CIVILNOG DRUŠTVA | 2018 RAZVOJ I POTPORA CIVILNOG DRUŠTVA
22 FINANCIJSKI SUSTAV
  2201 JAVNE FINANCIJE
    A200001 UPRAVLJANJE
    K200002 INFORMATIZACIJA RIZNICE
  2202 PRIKUPLJANJE PRIHODA
    A200010 POREZNI NADZOR
    A200020 CARINSKI NADZOR
25 OBRANA
  2501 OBRAMBENA SPOSOBNOST
    A250001 UPRAVLJANJE
    K250002 OPREMANJE, ODRŽAVANJE I OBNOVA
    Ostalo Ostalo
26 JAVNA SIGURNOST
  2601 POLICIJA
    A260001 REDOVNI RAD POLICIJE
  2602 CIVILNA ZAŠTITA
    A260010 VJEŽBE CIVILNE ZAŠTITE "POTRES"
31 GOSPODARSTVO
  3101 POTICANJE PODUZETNIŠTVA
    A310001 POTPORE MALIM PODUZETNICIMA
    A310002 SAJMOVI I PROMOCIJA
  3103 ENERGETIKA
    A310002 SAJMOVI I PROMOCIJA
    T310003 ENERGETSKA OBNOVA
32 PROMET
  3201 CESTE I ŽELJEZNICA
    K320001 OBNOVA PRUGA, CESTA I MOSTOVA
    A320002 UPRAVLJANJE
36 OBRAZOVANJE
  3601 ŠKOLE
    A360001 UPRAVLJANJE
    T360003 DIGITALNE ŠKOLE
  3602 VISOKO OBRAZOVANJE
    A360010 REDOVNI RAD SVEUČILIŠTA
    T360003 DIGITALNE ŠKOLE
38 KULTURA
  3801 ZAŠTITA BAŠTINE
    A380001 MUZEJI I GALERIJE
    T380002 PROJEKT "OTVORENI MUZEJI"
40 ZDRAVSTVO
  4001 JAVNO ZDRAVSTVO
    A400001 UPRAVLJANJE
    A400002 PREVENCIJA | 2019 PREVENCIJA I RANO OTKRIVANJE
41 SOCIJALNA SIGURNOST
  4101 MIROVINE
    A410001 MIROVINE
  4102 SOCIJALNA SKRB
    A410010 NAKNADE OBITELJIMA
42 JAVNI DUG
  4201 OTPLATA DUGA
    A420001 KREDITI
    A420002 OBVEZNICE
Ostalo Ostalo
  Ostalo Ostalo
    Ostalo Ostalo
`

const croatiaFunction = `
01 Opće javne usluge
02 Obrana
03 Javni red i sigurnost
04 Ekonomski poslovi
07 Zdravstvo
08 Rekreacija, kultura i religija
09 Obrazovanje
10 Socijalna zaštita
99 Ostalo
Ostalo Ostalo
`

const croatiaSource = `
1 OPĆI PRIHODI
2 DOPRINOSI
3 VLASTITI PRIHODI
5 POMOĆI
8 PRIMICI OD ZADUŽIVANJA
Ostalo Ostalo
`

const croatiaEconomic = `
3 Rashodi poslovanja
  31 Rashodi za zaposlene
    311 Plaće (bruto) | 2018 Plaće (Bruto)
    312 Ostalo za zaposlene
    313 Doprinosi na plaće
  32 Materijalni rashodi
    321 Naknade zaposlenima
    322 Materijal i energija
    323 Usluge
    329 Ostali rashodi
  34 Financijski rashodi
    342 Kamate
    343 Ostale naknade bankama
  35 Subvencije
    352 Subvencije poduzećima, zadrugama i obrtima
  36 Pomoći
    363 Pomoći unutar proračuna
  37 Naknade građanima
    371 Naknade iz osiguranja
    372 Ostale naknade iz proračuna
  38 Donacije
    381 Tekuće donacije
    382 Kapitalne donacije
4 Nefinancijska imovina
  42 Proizvedena imovina
    421 Građevinski objekti
    422 Postrojenja i oprema
    426 Nematerijalna imovina
5 Izdaci za financijsku imovinu
  54 Otplata kredita
    544 Otplata kredita bankama
  55 Otplata vrijednosnih papira
    552 Otplata obveznica
Ostalo Ostalo
  Ostalo Ostalo
    Ostalo Ostalo
`
