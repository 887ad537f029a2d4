package prose

import (
	"fiscube/cube"
)

// findingTexts are the sentences of findings by code and, where a code has several, their names. A list of parameters has a sentence
// of its own under the name of the list.
var findingTexts = map[string]sentence{
	"schema-union": {"fields", map[cube.Language]string{
		cube.English:  "it lacks %s, which other resources have: missing in its rows",
		cube.Spanish:  "no tiene estos campos de otros recursos: %s; en sus filas quedan sin informar",
		cube.Croatian: "nema ovih polja iz drugih resursa: %s; u njegovim redcima ostaju bez podatka",
	}},
	"resource-covers": {"", map[cube.Language]string{
		cube.English:  "every row of it stands in other resources of the package, so it is left out",
		cube.Spanish:  "todas sus filas están en otros recursos del paquete, así que no se carga",
		cube.Croatian: "svi su njegovi redci i u drugim resursima paketa, pa se ne učitava",
	}},
	"years-overlap": {"year resources", map[cube.Language]string{
		cube.English:  "fiscal year %s stands in %s",
		cube.Spanish:  "el ejercicio %s está en varios recursos: %s",
		cube.Croatian: "fiskalna godina %s nalazi se u više resursa: %s",
	}},
	"years-overlap.same": {"resources:and year", map[cube.Language]string{
		cube.English:  "%s have the same rows of fiscal year %s, all or many of them, and all are counted: leave one out, or declare in an overlay that they are statements of the same money",
		cube.Spanish:  "%s tienen las mismas filas del ejercicio %s, todas o muchas, y se cuentan todas: quite uno, o declare en un overlay que son declaraciones del mismo dinero",
		cube.Croatian: "%s imaju iste retke za fiskalnu godinu %s, sve ili mnoge, i svi se broje: izostavite jedan ili u overlayu navedite da su to izvještaji o istom novcu",
	}},
	"looks-like-total.named": {"rows lines", map[cube.Language]string{
		cube.English:  "%d rows are called totals, and are counted, since the other rows that are counted do not add up to them: those at line %s; take them out of the file if they are totals",
		cube.Spanish:  "%d {fila se llama total y se cuenta|filas se llaman totales y se cuentan}, porque las demás filas que se cuentan no suman lo mismo (líneas: %s); si son totales, quítelas del archivo",
		cube.Croatian: "%d {redak nazvan je zbrojem i broji se|retka nazvana su zbrojem i broje se|redaka nazvano je zbrojem i broji se} jer ostali redci koji se broje ne daju isti iznos (brojevi redaka: %s); ako su to zbrojevi, uklonite ih iz datoteke",
	}},
	"looks-like-total.sum": {"line measure amount rows lines", map[cube.Language]string{
		cube.English:  "the row at line %d looks like a total, and is counted: its %s of %s is the sum of the %d rows at line %s; take it out of the file if it is a total",
		cube.Spanish:  "la fila de la línea %d parece un total y se cuenta: su %s de %s es la suma de %d {fila|filas} (líneas: %s); si es un total, quítela del archivo",
		cube.Croatian: "redak %d izgleda kao zbroj, a broji se: njegov %s od %s jednak je zbroju %d {retka|retka|redaka} (brojevi redaka: %s); ako je to zbroj, uklonite ga iz datoteke",
	}},
	"looks-like-total.difference": {"line measure amount rows lines", map[cube.Language]string{
		cube.English:  "the row at line %d looks like a balance, and is counted: its %s of %s is the difference of %d rows, those at line %s; take it out of the file if it is one",
		cube.Spanish:  "la fila de la línea %d parece un saldo y se cuenta: su %s de %s es la diferencia de %d {fila|filas} (líneas: %s); si lo es, quítela del archivo",
		cube.Croatian: "redak %d izgleda kao saldo, a broji se: njegov %s od %s razlika je %d {retka|retka|redaka} (brojevi redaka: %s); ako jest, uklonite ga iz datoteke",
	}},
	"looks-like-total.sum-of": {"line measure amount rows lines resource", map[cube.Language]string{
		cube.English:  "the row at line %d looks like a total, and is counted: its %s of %s is the sum of the %d rows at line %s of %s; take it out of the file if it is a total",
		cube.Spanish:  "la fila de la línea %d parece un total y se cuenta: su %s de %s es la suma de %d {fila|filas} (líneas: %s) de %s; si es un total, quítela del archivo",
		cube.Croatian: "redak %d izgleda kao zbroj, a broji se: njegov %s od %s jednak je zbroju %d {retka|retka|redaka} (brojevi redaka: %s) iz resursa %s; ako je to zbroj, uklonite ga iz datoteke",
	}},
	"looks-like-total.sum-elsewhere": {"line measure amount rows", map[cube.Language]string{
		cube.English:  "the row at line %d looks like a total, and is counted: its %s of %s is the sum of %d rows of other resources; take it out of the file if it is a total",
		cube.Spanish:  "la fila de la línea %d parece un total y se cuenta: su %s de %s es la suma de %d {fila|filas} de otros recursos; si es un total, quítela del archivo",
		cube.Croatian: "redak %d izgleda kao zbroj, a broji se: njegov %s od %s jednak je zbroju %d {retka|retka|redaka} iz drugih resursa; ako je to zbroj, uklonite ga iz datoteke",
	}},
	"looks-like-total.more": {"rows line", map[cube.Language]string{
		cube.English:  "%d more rows look like totals, and are counted; the first is at line %d",
		cube.Spanish:  "%d {fila más parece un total y se cuenta|filas más parecen totales y se cuentan}; la primera está en la línea %d",
		cube.Croatian: "još %d {redak izgleda kao zbroj, a broji se|retka izgledaju kao zbrojevi, a broje se|redaka izgleda kao zbrojevi, a broji se}; prvi je redak %d",
	}},
	"totals-row.left-out": {"line", map[cube.Language]string{
		cube.English:  "the row at line %d is the total of the others, so it is left out",
		cube.Spanish:  "la fila de la línea %d es el total de las demás, así que no se carga",
		cube.Croatian: "redak %d zbroj je ostalih, pa se izostavlja",
	}},
	"totals-row.more": {"rows line", map[cube.Language]string{
		cube.English:  "%d more rows are totals of others, so they are left out; the first is at line %d",
		cube.Spanish:  "%d {fila más es un total de otras, así que no se carga|filas más son totales de otras, así que no se cargan}; la primera está en la línea %d",
		cube.Croatian: "još %d {redak zbroj je drugih, pa se izostavlja|retka zbrojevi su drugih, pa se izostavljaju|redaka zbrojevi su drugih, pa se izostavljaju}; prvi je redak %d",
	}},
	"totals-row.sibling": {"member rows line", map[cube.Language]string{
		cube.English:  "%s is the sum of its siblings for all other keys, so its %d rows are left out; the first is at line %d",
		cube.Spanish:  "%s es la suma de sus hermanos para todas las demás claves, así que no se cargan sus %d filas; la primera está en la línea %d",
		cube.Croatian: "%s je zbroj ostalih članova uz sve ostale iste ključeve, pa se izostavlja njegovih %d {redak|retka|redaka}; prvi je redak %d",
	}},
	"totals-row.codes": {"members rows line", map[cube.Language]string{
		cube.English:  "%d members are the sums of those whose codes begin with theirs, so their %d rows are left out; the first is at line %d",
		cube.Spanish:  "%d miembros son las sumas de aquellos cuyos códigos empiezan por los suyos, así que no se cargan sus %d filas; la primera está en la línea %d",
		cube.Croatian: "%d {član zbroj je|člana zbrojevi su|članova zbrojevi su} onih čije šifre počinju njihovima, pa se izostavlja njihovih %d {redak|retka|redaka}; prvi je redak %d",
	}},
	"totals-row.codes-kept": {"members member", map[cube.Language]string{
		cube.English:  "%d {member whose code begins others has|members whose codes begin others have} other amounts than these, and {is|are} counted; the first is %s",
		cube.Spanish:  "%d {miembro con cuyo código empiezan otros tiene montos distintos de los de estos y se cuenta|miembros con cuyos códigos empiezan otros tienen montos distintos de los de estos y se cuentan}; el primero es %s",
		cube.Croatian: "%d {član čijom šifrom počinju druge ima druge iznose nego oni i broji se|člana čijim šiframa počinju druge imaju druge iznose nego oni i broje se|članova čijim šiframa počinju druge ima druge iznose nego oni i broji se}; prvi je %s",
	}},
	"totals-row.kept": {"rows line", map[cube.Language]string{
		cube.English:  "%d rows have no keys and are no totals of the others, so they are kept; the first is at line %d",
		cube.Spanish:  "%d {fila no tiene códigos ni es un total de las demás, así que se conserva|filas no tienen códigos ni son totales de las demás, así que se conservan}; la primera está en la línea %d",
		cube.Croatian: "%d {redak nema šifara i nije zbroj ostalih, pa ostaje|retka nemaju šifara i nisu zbroj ostalih, pa ostaju|redaka nema šifara i nije zbroj ostalih, pa ostaje}; prvi je redak %d",
	}},
	"label-paired.column-type": {"level level", map[cube.Language]string{
		cube.English:  "no labelfor; its columnType is the label's of %s, so it labels %s",
		cube.Spanish:  "no declara labelfor; su columnType corresponde al nombre de %s, así que se toma como nombre de %s",
		cube.Croatian: "nema labelfor; njegov columnType odgovara nazivu za %s, pa se uzima kao naziv za %s",
	}},
	"label-paired.name": {"level level", map[cube.Language]string{
		cube.English:  "no labelfor; its name is the label's of %s, so it labels %s",
		cube.Spanish:  "no declara labelfor; así se llama el campo con los nombres de %s, de modo que se toma como nombre de %s",
		cube.Croatian: "nema labelfor; tako se zove polje s nazivima za %s, pa se uzima kao naziv za %s",
	}},
	"code-label-split.conflict": {"code", map[cube.Language]string{
		cube.English:  "its cells join codes and labels, but the code %s has two labels, so they stay whole",
		cube.Spanish:  "sus celdas unen código y nombre, pero el código %s tiene dos nombres, así que quedan enteras",
		cube.Croatian: "u ćelijama su zajedno šifra i naziv, ali šifra %s ima dva naziva, pa ostaju cijele",
	}},
	"code-label-split.prefix": {"cells level", map[cube.Language]string{
		cube.English:  "its %d cells begin with the code of %s, which the label leaves out",
		cube.Spanish:  "%d {celda empieza|celdas empiezan} por el código de %s, que se omite en el nombre",
		cube.Croatian: "%d {ćelija počinje|ćelije počinju|ćelija počinje} šifrom za %s, koja se u nazivu izostavlja",
	}},
	"code-label-split.label": {"cells level", map[cube.Language]string{
		cube.English:  "its %d cells join the code of %s and a label, so it labels that",
		cube.Spanish:  "%d {celda une|celdas unen} el código de %s y un nombre, así que se toma como su nombre",
		cube.Croatian: "%d {ćelija sadržava|ćelije sadržavaju|ćelija sadržava} šifru za %s i naziv, pa se uzima kao njezin naziv",
	}},
	"code-label-split.both": {"cells of", map[cube.Language]string{
		cube.English:  "%d of %d cells join a code and a label, so it is both",
		cube.Spanish:  "%d de %d {celda|celdas} unen código y nombre, así que el campo es ambas cosas",
		cube.Croatian: "%d od %d {ćelije|ćelije|ćelija} sadržava i šifru i naziv, pa je polje oboje",
	}},
	"code-padded": {"cells of first field", map[cube.Language]string{
		cube.English:  "%d of its %d cells have outer spaces, no-break spaces or separate accents, as %q: its codes are read without them, the published cells are in %s_cell",
		cube.Spanish:  "%d de sus %d {celda|celdas} tienen espacios a los lados, espacios duros o acentos sueltos, como «%s»: los códigos se leen sin ellos; las celdas publicadas están en %s_cell",
		cube.Croatian: "%d od %d {ćelije|ćelije|ćelija} ima razmake na rubovima, tvrde razmake ili odvojene dijakritike, kao „%s“: šifre se čitaju bez njih, a objavljene su ćelije u %s_cell",
	}},
	"not-informed": {"spellings:quoted marker", map[cube.Language]string{
		cube.English:  "its cells %s are one member, %q",
		cube.Spanish:  "sus celdas %s son un solo miembro, «%s»",
		cube.Croatian: "ćelije %s jedan su član, „%s“",
	}},
	"type-widened.not-integers": {"cells of", map[cube.Language]string{
		cube.English:  "declared integer; %d of its %d cells are none, so it is text",
		cube.Spanish:  "declarado entero; %d de sus %d {celda|celdas} no lo son, así que es texto",
		cube.Croatian: "naveden je cijeli broj; %d od %d {ćelije|ćelije|ćelija} to nije, pa je polje tekst",
	}},
	"type-widened.leading-zeros": {"cells of", map[cube.Language]string{
		cube.English:  "declared integer; %d of its %d cells begin with 0, so its codes are text",
		cube.Spanish:  "declarado entero; %d de sus %d {celda|celdas} empiezan por 0, así que sus códigos son texto",
		cube.Croatian: "naveden je cijeli broj; %d od %d {ćelije|ćelije|ćelija} počinje s 0, pa su šifre tekst",
	}},
	"measure-inferred.number": {"", map[cube.Language]string{
		cube.English:  "no measures are declared; it is declared a number",
		cube.Spanish:  "no se declara ninguna medida; este campo se declara como número",
		cube.Croatian: "nijedna mjera nije navedena; ovo je polje navedeno kao broj",
	}},
	"measure-inferred.money": {"cells", map[cube.Language]string{
		cube.English:  "no measures are declared; its name says money and all of its %d cells are numbers",
		cube.Spanish:  "no se declara ninguna medida; su nombre indica dinero y todas sus celdas (%d) son números",
		cube.Croatian: "nijedna mjera nije navedena; naziv polja upućuje na novac i sve su njegove ćelije (%d) brojevi",
	}},
	"measure-inferred.not": {"cells of", map[cube.Language]string{
		cube.English:  "its name says money, but %d of its %d cells are no numbers, so it is no measure",
		cube.Spanish:  "su nombre indica dinero, pero %d de sus %d {celda|celdas} no son números, así que no es una medida",
		cube.Croatian: "naziv polja upućuje na novac, ali %d od %d {ćelije|ćelije|ćelija} nije broj, pa polje nije mjera",
	}},
	"year-outside-resource": {"year rows of", map[cube.Language]string{
		cube.English:  "its name says %s; %d of its %d rows are of another fiscal year",
		cube.Spanish:  "su nombre dice %s; %d de sus %d {fila|filas} son de otro ejercicio",
		cube.Croatian: "u nazivu piše %s; %d od %d {retka|retka|redaka} iz druge je fiskalne godine",
	}},
	"declared-years-differ": {"declared years", map[cube.Language]string{
		cube.English:  "the package says that it has the years %s (years_included); its rows are of %s",
		cube.Spanish:  "el paquete dice que tiene los años %s (years_included); sus filas son de %s",
		cube.Croatian: "u paketu piše da ima godine %s (years_included); redci su za %s",
	}},
	"package-schema-differs": {"", map[cube.Language]string{
		cube.English:  "its fields are not those of the package's own schema",
		cube.Spanish:  "sus campos no son los del esquema del propio paquete",
		cube.Croatian: "njegova polja nisu ona iz sheme samoga paketa",
	}},
	"sample-differs": {"line", map[cube.Language]string{
		cube.English:  "the descriptor's sample differs from the file at line %d",
		cube.Spanish:  "la muestra del descriptor no coincide con el archivo en la línea %d",
		cube.Croatian: "uzorak u opisu paketa ne odgovara datoteci u retku %d",
	}},
	"field-left-out": {"", map[cube.Language]string{
		cube.English:  "it is left out: names that begin with _ are fiscube's own; give it another name to load it",
		cube.Spanish:  "no se carga: los nombres que empiezan por _ son propios de fiscube; cámbiele el nombre para cargarlo",
		cube.Croatian: "izostavljeno: nazivi koji počinju s _ pripadaju programu fiscube; preimenujte polje da se učita",
	}},
	"column-type-differs.unknown": {"column_type meant", map[cube.Language]string{
		cube.English:  "its columnType %q is none that is known; did you mean %s?",
		cube.Spanish:  "su columnType «%s» no se conoce; ¿quiso decir %s?",
		cube.Croatian: "columnType „%s“ nije poznat; jeste li mislili na %s?",
	}},
	"column-type-differs.dimension": {"column_type concept dimension", map[cube.Language]string{
		cube.English:  "its columnType %q says %s, and the model has it in the dimension %s, which counts",
		cube.Spanish:  "su columnType «%s» dice %s, pero el modelo lo pone en la dimensión %s, que es lo que cuenta",
		cube.Croatian: "columnType „%s“ upućuje na %s, a u modelu je u dimenziji %s, i to vrijedi",
	}},
	"column-type-differs.key": {"column_type", map[cube.Language]string{
		cube.English:  "its columnType %q is that of a label, and the model makes it a key, which counts",
		cube.Spanish:  "su columnType «%s» es el de un nombre, pero en el modelo es una clave, que es lo que cuenta",
		cube.Croatian: "columnType „%s“ označuje naziv, a u modelu je ključ, i to vrijedi",
	}},
	"column-type-differs.label": {"column_type", map[cube.Language]string{
		cube.English:  "its columnType %q is that of a code, and the model makes it a label, which counts",
		cube.Spanish:  "su columnType «%s» es el de un código, pero en el modelo es un nombre, que es lo que cuenta",
		cube.Croatian: "columnType „%s“ označuje šifru, a u modelu je naziv, i to vrijedi",
	}},
	"no-rows": {"", map[cube.Language]string{
		cube.English:  "it has no row below its header: look at how it was exported",
		cube.Spanish:  "no tiene filas debajo del encabezado: revise cómo se exportó",
		cube.Croatian: "nema redaka ispod zaglavlja: provjerite kako je datoteka izvezena",
	}},
	"no-rows.all": {"", map[cube.Language]string{
		cube.English:  "no file has a row below its header: look at how they were exported",
		cube.Spanish:  "ningún archivo tiene filas debajo del encabezado: revise cómo se exportaron",
		cube.Croatian: "nijedna datoteka nema redaka ispod zaglavlja: provjerite kako su izvezene",
	}},
	"no-levels": {"", map[cube.Language]string{
		cube.English:  "no field is a level, so no question can ask for parts of the money: list the keys of each dimension under primaryKey in model.dimensions, or give levels a dimension in the overlay",
		cube.Spanish:  "ningún campo es un nivel, así que no se puede preguntar por partes del dinero: indique las claves de cada dimensión en primaryKey, dentro de model.dimensions, o dé una dimensión a los niveles en el overlay",
		cube.Croatian: "nijedno polje nije razina, pa se ne može pitati za dijelove novca: navedite ključeve svake dimenzije pod primaryKey u model.dimensions ili u overlayu razinama dajte dimenziju",
	}},
	"model-guessed": {"levels", map[cube.Language]string{
		cube.English:  "the descriptor says neither by a model nor by columnType what its fields mean, so each field that holds no amounts was made a level: %s; give fields a columnType, or describe them in an overlay",
		cube.Spanish:  "el descriptor no dice ni con un modelo ni con columnType qué significan sus campos, así que cada campo sin montos se tomó como un nivel: %s; dé un columnType a los campos o descríbalos en un overlay",
		cube.Croatian: "opis paketa ni modelom ni svojstvom columnType ne navodi što polja znače, pa je svako polje bez iznosa postalo razina: %s; navedite columnType polja ili ih opišite u overlayu",
	}},
	"qualified": {"measures fields", map[cube.Language]string{
		cube.English:  "its amounts are what their rows say they are, so there is a measure for each: %s (by %s)",
		cube.Spanish:  "sus montos son lo que dicen sus filas, así que hay una medida para cada caso: %s (según %s)",
		cube.Croatian: "njegovi su iznosi ono što kažu redci, pa za svako postoji mjera: %s (prema %s)",
	}},
	"too-many-combinations": {"fields most", map[cube.Language]string{
		cube.English:  "the cells of %s have more than %d combinations, and amounts of different ones are never added: say in the overlay which field is no qualifier, with none under qualifiers",
		cube.Spanish:  "las celdas de %s tienen más de %d combinaciones, y los montos de combinaciones distintas nunca se suman: diga en el overlay qué campo no es un calificador, con none en qualifiers",
		cube.Croatian: "ćelije polja %s imaju više od %d kombinacija, a iznosi različitih kombinacija nikad se ne zbrajaju: u overlayu navedite koje polje nije odrednica, s none pod qualifiers",
	}},
	"qualifier-undeclared": {"qualifier members", map[cube.Language]string{
		cube.English:  "it looks like the %s of amounts (%s), and nobody says that it is: answers that add over it may add what must not be added. Declare it in the overlay under qualifiers, or none",
		cube.Spanish:  "parece decir qué son los montos (%s: %s), y nadie lo declara: las respuestas que suman por encima de él pueden sumar lo que no se debe sumar. Declárelo en el overlay, en qualifiers, o none",
		cube.Croatian: "izgleda kao odrednica iznosa (%s: %s), a nitko to ne navodi: odgovori koji zbrajaju preko njega mogu zbrajati što se ne smije. Navedite ga u overlayu pod qualifiers, ili none",
	}},
	"code-not-listed": {"list", map[cube.Language]string{
		cube.English:  "the code list %s does not have the code, so its row has no name",
		cube.Spanish:  "la lista de códigos %s no tiene el código, así que su fila queda sin nombre",
		cube.Croatian: "popis šifara %s nema tu šifru, pa je redak bez naziva",
	}},
	"constraint-broken": {"constraint", map[cube.Language]string{
		cube.English:  "the cell breaks the constraint %s of its field; it is loaded as it is",
		cube.Spanish:  "la celda no cumple la restricción %s de su campo; se carga tal cual",
		cube.Croatian: "ćelija krši ograničenje %s svojeg polja; učitava se takva kakva jest",
	}},
	"column-types-not-fetched": {"addresses", map[cube.Language]string{
		cube.English:  "its columnTypes name %s, which is not fetched: fields of its types are read by the last part of the name. Write its types in the descriptor",
		cube.Spanish:  "sus columnTypes nombran %s, que no se descarga: los campos de esos tipos se leen por la última parte del nombre. Escriba los tipos en el descriptor",
		cube.Croatian: "njegovi columnTypes navode %s, što se ne dohvaća: polja tih vrsta čitaju se po zadnjem dijelu naziva. Napišite vrste u opisnik",
	}},
	"type-unknown": {"type", map[cube.Language]string{
		cube.English:  "its type %s is none of Table Schema; its cells are read as text",
		cube.Spanish:  "su tipo %s no es de Table Schema; sus celdas se leen como texto",
		cube.Croatian: "njegova vrsta %s nije iz Table Scheme; ćelije se čitaju kao tekst",
	}},
	"cell-of-other-type": {"", map[cube.Language]string{
		cube.English:  "the cell is not of the declared type and format; it is loaded as text as it is",
		cube.Spanish:  "la celda no es del tipo y formato declarados; se carga como texto tal cual",
		cube.Croatian: "ćelija nije navedene vrste i oblika; učitava se kao tekst takva kakva jest",
	}},
	"no-measures": {"", map[cube.Language]string{
		cube.English:  "no field is a measure, so there are no amounts: name the amounts in model.measures, declare them with type number, or name them under measures in the overlay",
		cube.Spanish:  "ningún campo es una medida, así que no hay montos: nombre los montos en model.measures, declárelos con el tipo number o nómbrelos en measures, en el overlay",
		cube.Croatian: "nijedno polje nije mjera, pa nema iznosa: navedite iznose u model.measures, dajte im tip number ili ih navedite pod measures u overlayu",
	}},
	"no-measures.type": {"field type", map[cube.Language]string{
		cube.English:  "no field is a measure, so there are no amounts: field %s has the columnType value, but the type %s. Name the amounts in model.measures, declare them with type number, or name them under measures in the overlay",
		cube.Spanish:  "ningún campo es una medida, así que no hay montos: el campo %s tiene el columnType value, pero el tipo %s. Nombre los montos en model.measures, declárelos con el tipo number o nómbrelos en measures, en el overlay",
		cube.Croatian: "nijedno polje nije mjera, pa nema iznosa: polje %s ima columnType value, ali tip %s. Navedite iznose u model.measures, dajte im tip number ili ih navedite pod measures u overlayu",
	}},
	"no-year": {"", map[cube.Language]string{
		cube.English:  `no field is the fiscal year, so every total adds up all years: the fiscal year is the field with the columnType "date:fiscal-year" and the type "integer"`,
		cube.Spanish:  `ningún campo es el ejercicio, así que cada total suma todos los años: el ejercicio es el campo con el columnType "date:fiscal-year" y el tipo "integer"`,
		cube.Croatian: `nijedno polje nije fiskalna godina, pa svaki ukupni iznos zbraja sve godine: fiskalna godina je polje koje ima columnType "date:fiscal-year" i tip "integer"`,
	}},
	"no-year.type": {"field type", map[cube.Language]string{
		cube.English:  `no field is the fiscal year, so every total adds up all years: field %s has its columnType, but the type %q: the fiscal year is the field with the columnType "date:fiscal-year" and the type "integer"`,
		cube.Spanish:  `ningún campo es el ejercicio, así que cada total suma todos los años: el campo %s tiene su columnType, pero el tipo «%s»: el ejercicio es el campo con el columnType "date:fiscal-year" y el tipo "integer"`,
		cube.Croatian: `nijedno polje nije fiskalna godina, pa svaki ukupni iznos zbraja sve godine: polje %s ima njezin columnType, ali tip „%s“: fiskalna godina je polje koje ima columnType "date:fiscal-year" i tip "integer"`,
	}},
	"no-year.column-type": {"field column_type", map[cube.Language]string{
		cube.English:  `no field is the fiscal year, so every total adds up all years: field %s has the columnType %q; the fiscal year is the field with the columnType "date:fiscal-year" and the type "integer"`,
		cube.Spanish:  `ningún campo es el ejercicio, así que cada total suma todos los años: el campo %s tiene el columnType «%s»; el ejercicio es el campo con el columnType "date:fiscal-year" y el tipo "integer"`,
		cube.Croatian: `nijedno polje nije fiskalna godina, pa svaki ukupni iznos zbraja sve godine: polje %s ima columnType „%s“; fiskalna godina je polje koje ima columnType "date:fiscal-year" i tip "integer"`,
	}},
	"no-year.dates": {"field", map[cube.Language]string{
		cube.English:  `no field is the fiscal year, so every total adds up all years: field %s holds dates, which are text. Publish the year in a field of its own: the fiscal year is the field with the columnType "date:fiscal-year" and the type "integer"`,
		cube.Spanish:  `ningún campo es el ejercicio, así que cada total suma todos los años: el campo %s tiene fechas, que son texto. Publique el año en un campo propio: el ejercicio es el campo con el columnType "date:fiscal-year" y el tipo "integer"`,
		cube.Croatian: `nijedno polje nije fiskalna godina, pa svaki ukupni iznos zbraja sve godine: u polju %s su datumi, a oni su tekst. Objavite godinu u posebnom polju: fiskalna godina je polje koje ima columnType "date:fiscal-year" i tip "integer"`,
	}},
	"no-year.empty": {"field", map[cube.Language]string{
		cube.English:  "field %s is the fiscal year, and no row has one, so every total adds up all years",
		cube.Spanish:  "el campo %s es el ejercicio, pero ninguna fila lo tiene, así que cada total suma todos los años",
		cube.Croatian: "polje %s je fiskalna godina, ali je nema ni u jednom retku, pa svaki ukupni iznos zbraja sve godine",
	}},
	"no-year.no-years": {"field first last", map[cube.Language]string{
		cube.English:  `field %s is declared to be the fiscal year, and its cells, from %d to %d, are no years: the fiscal year is the field with the columnType "date:fiscal-year" and the type "integer"`,
		cube.Spanish:  `el campo %s se declara como ejercicio, pero sus celdas, de %d a %d, no son años: el ejercicio es el campo con el columnType "date:fiscal-year" y el tipo "integer"`,
		cube.Croatian: `polje %s navedeno je kao fiskalna godina, ali njegove ćelije, od %d do %d, nisu godine: fiskalna godina je polje koje ima columnType "date:fiscal-year" i tip "integer"`,
	}},
	"chain-inverted": {"values parent parents", map[cube.Language]string{
		cube.English:  "it has %d values, its parent %s has %d, and hardly one of these has two below it: the two may stand the wrong way round",
		cube.Spanish:  "tiene %d {valor|valores}; su nivel superior, %s, tiene %d, y casi ninguno de estos tiene dos debajo: puede que estén al revés",
		cube.Croatian: "ima %d {vrijednost|vrijednosti|vrijednosti}, nadređena razina %s ima ih %d, a gotovo nijedna od njih nema ispod sebe dvije: možda su zamijenjene",
	}},
	"snapshot-incomplete": {"keys periods:and sums:sums", map[cube.Language]string{
		cube.English:  "%d {budget line is|budget lines are} in an earlier report of the %s and not in the last, which alone is counted: %s",
		cube.Spanish:  "%d {línea presupuestaria está|líneas presupuestarias están} en un informe anterior del mismo %s y no en el último, el único que se cuenta: %s",
		cube.Croatian: "%d {proračunska linija nalazi|proračunske linije nalaze|proračunskih linija nalazi} se u ranijem izvještaju za isto razdoblje (%s), a ne u posljednjem, koji se jedini broji: %s",
	}},
	"snapshot-incomplete.sums": {"measure sum:sum", map[cube.Language]string{
		cube.English:  "%s %s",
		cube.Spanish:  "%s %s",
		cube.Croatian: "%s %s",
	}},
	"snapshot-incomplete.not-checked": {"keys", map[cube.Language]string{
		cube.English:  "not checked: more than %d keys",
		cube.Spanish:  "no se comprobó: más de %d claves",
		cube.Croatian: "nije provjereno: više od %d {ključa|ključa|ključeva}",
	}},
	"snapshot-detected": {"amounts", map[cube.Language]string{
		cube.English:  "its values seem to be statements of the same money: over them %s; declare snapshots in an overlay, or none",
		cube.Spanish:  "sus valores parecen declaraciones del mismo dinero: a lo largo de ellos, %s; declare snapshots en un overlay, o none",
		cube.Croatian: "njegove vrijednosti izgledaju kao izvještaji o istom novcu: kroz njih se %s; u overlayu navedite snapshots, ili none",
	}},
	"snapshot-detected.amounts": {"measure rising keys", map[cube.Language]string{
		cube.English:  "%s repeats or only grows for %d of %d keys",
		cube.Spanish:  "%s se repite o solo crece en %d de %d {clave|claves}",
		cube.Croatian: "%s ponavlja ili samo raste za %d od %d {ključa|ključa|ključeva}",
	}},
	"group-mark-suspected": {"", map[cube.Language]string{
		cube.English:  `every amount has the form 1.234 and was read with three decimals; where the point separates thousands, declare groupChar "." and decimalChar "," for the field or its dialect; where it does not, declare decimalChar "."`,
		cube.Spanish:  `todos los montos tienen la forma 1.234 y se leyeron con tres decimales; si el punto separa los miles, declare groupChar "." y decimalChar "," para el campo o su dialecto; si no, declare decimalChar "."`,
		cube.Croatian: `svi iznosi imaju oblik 1.234 i pročitani su s tri decimale; ako točka odvaja tisućice, navedite groupChar "." i decimalChar "," za polje ili njegov dijalekt, a ako ne, navedite decimalChar "."`,
	}},
	"float-noise": {"cells decimals rounded", map[cube.Language]string{
		cube.English:  "%d amounts have more than %d decimals, of which only float noise: rounded half to even at %d or before",
		cube.Spanish:  "%d {monto tiene|montos tienen} más de %d decimales, que son solo ruido de coma flotante: redondeados al par en el decimal %d o antes",
		cube.Croatian: "%d {iznos ima|iznosa imaju|iznosa ima} više od %d {decimale|decimale|decimala}, a to je samo šum računanja s pomičnim zarezom: zaokruženo prema parnom na decimali %d ili prije",
	}},
	"read-compressed": {"path read", map[cube.Language]string{
		cube.English:  "%s is not there; %s was read",
		cube.Spanish:  "%s no está; se leyó %s",
		cube.Croatian: "datoteke %s nema; pročitana je %s",
	}},
	"blank-rows": {"rows", map[cube.Language]string{
		cube.English:  "%d rows hold nothing and were left out",
		cube.Spanish:  "%d {fila no tiene nada y se omitió|filas no tienen nada y se omitieron}",
		cube.Croatian: "%d {redak je prazan i izostavljen|retka su prazna i izostavljena|redaka je prazno i izostavljeno}",
	}},
	"short-rows": {"rows", map[cube.Language]string{
		cube.English:  "%d {row ends|rows end} before the last column, and the cells that are not there count as missing",
		cube.Spanish:  "%d {fila termina|filas terminan} antes de la última columna, y las celdas que faltan se toman como vacías",
		cube.Croatian: "%d {redak završava|retka završavaju|redaka završava} prije posljednjeg stupca, a ćelije kojih nema računaju se kao prazne",
	}},
	"unnamed-columns": {"columns", map[cube.Language]string{
		cube.English:  "%d columns at the end have neither name nor cells and were left out",
		cube.Spanish:  "%d {columna al final no tiene nombre ni celdas y se omitió|columnas al final no tienen nombre ni celdas y se omitieron}",
		cube.Croatian: "%d {stupac na kraju nema ni naziva ni podataka i izostavljen je|stupca na kraju nemaju ni naziva ni podataka i izostavljena su|stupaca na kraju nema ni naziva ni podataka i izostavljeno je}",
	}},
	"label-ambiguous": {"", map[cube.Language]string{
		cube.English:  "members have several labels in one year; that of the most rows is shown",
		cube.Spanish:  "hay miembros con varios nombres en un mismo año; se muestra el que está en más filas",
		cube.Croatian: "neki članovi u istoj godini imaju više naziva; prikazan je onaj iz najviše redaka",
	}},
	"label-ambiguous.case": {"path year labels:quoted", map[cube.Language]string{
		cube.English:  "%s in %s: %s",
		cube.Spanish:  "%s en %s: %s",
		cube.Croatian: "%s u godini %s: %s",
	}},
	"label-ambiguous.case-no-year": {"path labels:quoted", map[cube.Language]string{
		cube.English:  "%s in no year: %s",
		cube.Spanish:  "%s sin año: %s",
		cube.Croatian: "%s bez godine: %s",
	}},
	"function-unknown": {"", map[cube.Language]string{
		cube.English:  "the overlay says of which division of COFOG members are, and no row has them: correct their paths in functions, if they are not of another year or package",
		cube.Spanish:  "el overlay dice de qué división de la COFOG son unos miembros, pero ninguna fila los tiene: corrija sus rutas en functions, si no son de otro año o paquete",
		cube.Croatian: "overlay navodi kojem odjeljku COFOG-a pripadaju neki članovi, a nema ih ni u jednom retku: ispravite njihove putanje u functions, ako nisu iz druge godine ili paketa",
	}},
	"same-as-unknown": {"", map[cube.Language]string{
		cube.English:  "the overlay says that members are the same as others, and no row has them: correct their paths in same_as, or leave them out",
		cube.Spanish:  "el overlay dice que hay miembros iguales a otros, pero ninguna fila los tiene: corrija sus rutas en same_as o quítelos",
		cube.Croatian: "overlay navodi da su neki članovi isti kao drugi, a nema ih ni u jednom retku: ispravite njihove putanje u same_as ili ih izostavite",
	}},
	"code-reused": {"", map[cube.Language]string{
		cube.English:  "codes mean another thing from a year on, so sums and comparisons over these years mix different things",
		cube.Spanish:  "hay códigos que desde cierto año significan otra cosa, así que las sumas y comparaciones entre esos años mezclan cosas distintas",
		cube.Croatian: "neke šifre od određene godine znače nešto drugo, pa zbrojevi i usporedbe kroz te godine miješaju različite stvari",
	}},
	"label-changed": {"", map[cube.Language]string{
		cube.English:  "members have another name from a year on",
		cube.Spanish:  "hay miembros que desde cierto año tienen otro nombre",
		cube.Croatian: "neki članovi od određene godine imaju drugi naziv",
	}},
	"level-renumbered": {"", map[cube.Language]string{
		cube.English:  "many codes mean another thing from a year on: the level is numbered anew",
		cube.Spanish:  "muchos códigos significan otra cosa desde cierto año: el nivel se numeró de nuevo",
		cube.Croatian: "mnoge šifre od određene godine znače nešto drugo: razina ima novu numeraciju",
	}},
	"level-renumbered.case": {"year members of", map[cube.Language]string{
		cube.English:  "%d: %d of %d members",
		cube.Spanish:  "%d: %d de %d {miembro|miembros}",
		cube.Croatian: "%d.: %d od %d {člana|člana|članova}",
	}},
	"label-history-cut": {"", map[cube.Language]string{
		cube.English:  "there are more members with other labels than answers can be checked for: of these, those with a reused code come first, and no answer names the rest",
		cube.Spanish:  "hay más miembros con otros nombres de los que se pueden comprobar en las respuestas: primero van los que tienen un código reutilizado, y ninguna respuesta nombra los demás",
		cube.Croatian: "članova s drugim nazivima više je nego što se u odgovorima može provjeriti: prednost imaju oni s ponovno upotrijebljenom šifrom, a ostale nijedan odgovor ne spominje",
	}},
}

// plainTexts are the sentences of findings for people who write no descriptors and no overlays, where these differ.
var plainTexts = map[string]sentence{
	"label-paired.column-type": {"level", map[cube.Language]string{
		cube.English:  "nothing says outright whose names these are; by their declared kind they are taken for the names of “%s”",
		cube.Spanish:  "nada dice expresamente de qué son estos nombres; por la clase que se les declara, se toman como los nombres de «%s»",
		cube.Croatian: "nigdje izrijekom ne piše čiji su to nazivi; prema navedenoj vrsti uzimaju se kao nazivi za „%s“",
	}},
	"label-paired.name": {"level", map[cube.Language]string{
		cube.English:  "nothing says outright whose names these are; by the heading of the column they are taken for the names of “%s”",
		cube.Spanish:  "nada dice expresamente de qué son estos nombres; por el encabezado de la columna, se toman como los nombres de «%s»",
		cube.Croatian: "nigdje izrijekom ne piše čiji su to nazivi; prema zaglavlju stupca uzimaju se kao nazivi za „%s“",
	}},
	"declared-years-differ": {"declared years", map[cube.Language]string{
		cube.English:  "the publisher says that the package has the years %s; its rows are of %s",
		cube.Spanish:  "quien lo publica dice que el paquete tiene los años %s; sus filas son de %s",
		cube.Croatian: "objavitelj navodi da paket ima godine %s; redci su za %s",
	}},
	"years-overlap.same": {"resources:and year", map[cube.Language]string{
		cube.English:  "%s have the same rows of fiscal year %s, all or many of them, and all are counted, so amounts of that year may be counted twice",
		cube.Spanish:  "%s tienen las mismas filas del ejercicio %s, todas o muchas, y se cuentan todas, así que puede haber montos de ese año contados dos veces",
		cube.Croatian: "%s imaju iste retke za fiskalnu godinu %s, sve ili mnoge, i svi se broje, pa su neki iznosi te godine možda pribrojeni dvaput",
	}},
	"column-type-differs.unknown": {"column_type", map[cube.Language]string{
		cube.English:  "what the publisher declares that the column holds, “%s”, is not known",
		cube.Spanish:  "no se conoce lo que, según quien lo publica, contiene la columna: «%s»",
		cube.Croatian: "nije poznato što prema objavitelju stupac sadržava: „%s“",
	}},
	"column-type-differs.dimension": {"dimension", map[cube.Language]string{
		cube.English:  "the publisher declares it in two ways that contradict each other; it is taken for a part of “%s”",
		cube.Spanish:  "quien lo publica lo declara de dos maneras que se contradicen; se toma como parte de «%s»",
		cube.Croatian: "objavitelj ga navodi na dva proturječna načina; uzima se kao dio dimenzije „%s“",
	}},
	"column-type-differs.key": {"", map[cube.Language]string{
		cube.English:  "the publisher declares it both as names and as codes; it is taken for codes",
		cube.Spanish:  "quien lo publica lo declara a la vez como nombres y como códigos; se toma como códigos",
		cube.Croatian: "objavitelj ga navodi i kao nazive i kao šifre; uzima se kao šifre",
	}},
	"column-type-differs.label": {"", map[cube.Language]string{
		cube.English:  "the publisher declares it both as codes and as names; it is taken for names",
		cube.Spanish:  "quien lo publica lo declara a la vez como códigos y como nombres; se toma como nombres",
		cube.Croatian: "objavitelj ga navodi i kao šifre i kao nazive; uzima se kao nazivi",
	}},
	"function-unknown": {"", map[cube.Language]string{
		cube.English:  "it was told beforehand of which functions of government some members are, and no row has them",
		cube.Spanish:  "se indicó de antemano a qué funciones del gobierno corresponden algunos miembros, pero ninguna fila los tiene",
		cube.Croatian: "unaprijed je navedeno kojim funkcijama države pripadaju neki članovi, a nema ih ni u jednom retku",
	}},
	"same-as-unknown": {"", map[cube.Language]string{
		cube.English:  "it was told beforehand that some members are the same as others, and no row has them",
		cube.Spanish:  "se indicó de antemano que algunos miembros son los mismos que otros, pero ninguna fila los tiene",
		cube.Croatian: "unaprijed je navedeno da su neki članovi isti kao drugi, a nema ih ni u jednom retku",
	}},
	"snapshot-detected": {"amounts", map[cube.Language]string{
		cube.English:  "its values seem to be reports that repeat the same money, which may be counted several times: over them %s",
		cube.Spanish:  "sus valores parecen informes que repiten el mismo dinero, que puede estar contado varias veces: a lo largo de ellos, %s",
		cube.Croatian: "njegove vrijednosti izgledaju kao izvještaji koji ponavljaju isti novac, koji je možda pribrojen više puta: kroz njih se %s",
	}},
	"group-mark-suspected": {"", map[cube.Language]string{
		cube.English:  "every amount has the form 1.234 and was read with three decimals; perhaps the point separates thousands",
		cube.Spanish:  "todos los montos tienen la forma 1.234 y se leyeron con tres decimales; quizá el punto separe los miles",
		cube.Croatian: "svi iznosi imaju oblik 1.234 i pročitani su s tri decimale; točka možda odvaja tisućice",
	}},
}

// listWords are what lists in sentences of findings are written with, in one language.
type listWords struct {
	and, more, quoted string
	noSum, noSums     string // of a measure that is not added up, and where there are no sums
}

var listTexts = map[cube.Language]listWords{
	cube.English:  {" and ", "%d more", `"%s"`, "not added up", "no amounts"},
	cube.Spanish:  {" y ", "%d más", "«%s»", "sin sumar", "sin montos"},
	cube.Croatian: {" i ", "još %d", "„%s“", "nije zbrojeno", "bez iznosa"},
}
