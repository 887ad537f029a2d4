// The client in plain fetch, as orval makes it without any other option.
module.exports = { fiscube: { input: "openapi.yaml", output: { target: "orval.ts", client: "fetch" } } };
