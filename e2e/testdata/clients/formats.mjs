// Reads a cube of a server with libraries that others made: Parquet in parts, JSON-stat, CSV with its metadata (CSV on the Web), and the catalogue as
// JSON-LD and Turtle, which has to meet the shapes of dcat-ap.ttl. Prints what each of them reads.
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import datasets from "@rdfjs/dataset";
import CSVW from "@zazuko/rdf-parser-csvw";
import { asyncBufferFromUrl, parquetReadObjects } from "hyparquet";
import jsonld from "jsonld";
import JSONstat from "jsonstat-toolkit";
import { Parser, Writer } from "n3";
import Validator from "rdf-validate-shacl";

const [server, cube] = process.argv.slice(2);
const question = `${server}/cubes/${cube}/aggregate?drilldown=code&aggregates=paid.sum`;

// The rows of a pinned version in Parquet, of which no more than parts are asked for.
const asked = [];
const noted = async (input, init) => {
  const response = await fetch(input, init);
  asked.push(`${init?.method ?? "GET"} ${response.status}`);
  return response;
};
const file = await asyncBufferFromUrl({ url: `${server}/cubes/${cube}/facts?format=parquet&version=1`, fetch: noted });
for (const { code, paid } of await parquetReadObjects({ file, columns: ["code", "paid"] })) {
  console.log("hyparquet", code, paid);
}
console.log("hyparquet asks", [...new Set(asked)].join(", "));

// The values of a dataset by the ids of its categories, with their decimals.
const dataset = JSONstat(await (await fetch(question + "&format=jsonstat&numbers=string")).json()).Dataset(0);
const metric = dataset.role.metric[0];
for (const code of dataset.Dimension("code").id) {
  for (const amount of dataset.Dimension(metric).id) {
    console.log("jsonstat-toolkit", code, amount, dataset.Data({ code, [metric]: amount }).value, dataset.Dimension(metric).Category(amount).unit.decimals);
  }
}
console.log("jsonstat-toolkit", dataset.toTable({ type: "arrobj" }).length, "of", dataset.n);

// The rows of CSV as its metadata types them, which the header leads to.
const csv = await fetch(question + "&format=csv");
const link = csv.headers.get("Link").split(/,\s*(?=<)/).find(l => l.includes('rel="describedby"') && l.includes("application/csvm+json"));
const described = new URL(link.match(/<([^>]*)>/)[1], csv.url);
const metadata = await (await fetch(described)).json();
console.log("csvw describes", new URL(metadata.url, described).href === csv.url);
const meaning = datasets.dataset(new Parser({ baseIRI: described.href }).parse(await inTurtle(metadata)));
const rows = new CSVW({ metadata: meaning, baseIRI: csv.url }).import(Readable.from([await csv.text()]));
for await (const { predicate, object } of rows) {
  if (predicate.value.startsWith(csv.url + "#")) {
    console.log("rdf-parser-csvw", decodeURIComponent(predicate.value.split("#").pop()), object.value, object.datatype.value.split("#")[1]);
  }
}

// inTurtle gives metadata as triples. Its context is written out here, as no program of this test reads from the web.
async function inTurtle(metadata) {
  const csvw = "http://www.w3.org/ns/csvw#";
  const context = {
    "@vocab": csvw, "@language": metadata["@context"][1]["@language"], dc: "http://purl.org/dc/terms/", prov: "http://www.w3.org/ns/prov#",
    schema: "http://schema.org/", xsd: "http://www.w3.org/2001/XMLSchema#", titles: { "@id": csvw + "title" }, column: { "@id": csvw + "column" },
    columns: { "@id": csvw + "column", "@container": "@list" }, datatype: { "@id": csvw + "datatype", "@type": "@vocab" },
    url: { "@id": csvw + "url", "@type": "@id" },
    decimal: "xsd:decimal", integer: "xsd:integer", string: "xsd:string",
  };
  return await jsonld.toRDF({ ...metadata, "@context": context, "@type": "Table" }, { format: "application/n-quads", base: described.href });
}

// Both forms of the catalogue say the same, and what DCAT-AP demands.
const turtle = await (await fetch(server + "/catalog.ttl")).text();
const quads = new Parser().parse(turtle);
const canonical = text => jsonld.canonize(text, { algorithm: "RDFC-1.0", inputFormat: "application/n-quads" });
const written = await canonical(new Writer({ format: "N-Quads" }).quadsToString(quads));
const linked = await jsonld.canonize(await (await fetch(server + "/catalog.jsonld")).json(), { algorithm: "RDFC-1.0" });
console.log("n3", quads.length > 30, "same as jsonld", written === linked);
const shapes = new Validator(datasets.dataset(new Parser().parse(readFileSync("dcat-ap.ttl", "utf8"))));
const meets = async list => (await shapes.validate(datasets.dataset(list))).results.map(r => r.path.value + ": " + r.message.map(m => m.value));
console.log("shacl", await meets(quads));
for (const name of ["terms/publisher", "terms/description", "dcat#accessURL", "dcat#endpointURL", "0.1/name"]) {
  console.log("shacl without", name, (await meets(quads.filter(q => !q.predicate.value.endsWith(name)))).length > 0);
}
