// Asks a server with the types that openapi-typescript makes of openapi.yaml, and prints amounts. It says nothing of the
// types of answers itself, so that it compiles only where they follow from the reference.
import createClient from "openapi-fetch";
import type { components, paths } from "./reference.js";

declare const process: { argv: string[] };

const client = createClient<paths, "application/json">({ baseUrl: process.argv[2] });
const { data, error } = await client.GET("/cubes/{cube}/aggregate", {
  params: { path: { cube: process.argv[3] }, query: { drilldown: "code", numbers: "string" } },
});
if (!data) {
  throw new Error(error.message);
}
const answer: components["schemas"]["Answer"] = data;
for (const cell of answer.cells) {
  const amount: string | number | null = cell["paid.sum"];
  console.log("openapi-typescript", cell.code, amount);
}
