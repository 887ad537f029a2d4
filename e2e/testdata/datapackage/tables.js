// Reads a data package as others do, and prints what it finds of each table: its fields with their types, and its rows with their
// values as JavaScript has them. Or it writes the descriptor of the tables in a folder.
//
//   node tables.js read FOLDER
//   node tables.js write FOLDER NAME
const fs = require("fs");
const path = require("path");
const { Package } = require("datapackage");

async function read(folder) {
  const dataPackage = await Package.load(path.join(folder, "datapackage.json"), { basePath: folder, strict: true });
  const tables = [];
  for (const resource of dataPackage.resources) {
    const fields = resource.schema.fields.map((field) => ({ name: field.name, type: field.type }));
    tables.push({ name: resource.name, fields, rows: await resource.read({ keyed: true }) });
  }
  return tables;
}

async function write(folder, name) {
  const dataPackage = await Package.load({}, { basePath: folder });
  await dataPackage.infer("*.csv");
  fs.writeFileSync(path.join(folder, "datapackage.json"), JSON.stringify({ name, ...dataPackage.descriptor }));
}

const [, , verb, folder, name] = process.argv;
(verb === "write" ? write(folder, name) : read(folder)).then(
  (tables) => console.log(JSON.stringify(tables ?? [])),
  (error) => {
    console.error([error.message, ...(error.errors ?? []).map((e) => e.message)].join("\n"));
    process.exit(1);
  },
);
