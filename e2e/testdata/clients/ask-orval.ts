// Asks a server with the client that orval makes of openapi.yaml, and prints amounts.
import { aggregate, facts, tree } from "./orval.js";

declare const process: { argv: string[] };

const [server, cube] = process.argv.slice(2);
const asked = globalThis.fetch;
globalThis.fetch = (path, how) => asked(server + path, how); // the client has paths alone

const answer = await aggregate(cube, { drilldown: "code", numbers: "string" });
if (answer.status !== 200 || typeof answer.data === "string" || !("cells" in answer.data)) {
  throw new Error(JSON.stringify(answer.data));
}
for (const cell of answer.data.cells) {
  const amount: string | number | null = cell["paid.sum"];
  console.log("orval", cell.code, amount);
}
const nodes = await tree(cube, "entity", { numbers: "string" });
if (nodes.status === 200) {
  for (const node of nodes.data.nodes) {
    console.log("orval tree", node.key, node["paid.sum"]);
  }
}
const rows = await facts(cube, { numbers: "string" });
if (rows.status === 200 && typeof rows.data !== "string" && "facts" in rows.data) {
  for (const fact of rows.data.facts) {
    console.log("orval facts", fact._line, fact.code, fact.paid);
  }
}
