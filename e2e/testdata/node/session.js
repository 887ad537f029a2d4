// What dashboards send in a session, sent by their unchanged client, and held against our own routes.
//
//   node session.js http://127.0.0.1:8080
'use strict';

const assert = require('node:assert/strict');
const { Api } = require('babbage.ui/lib/api');

const base = process.argv[2];
const endpoint = base + '/api/3/'; // with a slash at its end, which the client takes off
const api = new Api();
let checks = 0;

function equal(got, want, what) {
  checks++;
  assert.deepEqual(got, want, what);
}

async function get(url) {
  const response = await fetch(url);
  assert.equal(response.status, 200, url);
  return response;
}

const json = async (url) => (await get(url)).json();

// ours asks the route that is not for dashboards.
const ours = (cube, route, parameters) =>
  json(base + '/cubes/' + encodeURIComponent(cube) + '/' + route + '?' + new URLSearchParams(parameters));

// quoted writes a filter as dashboards do: numbers as they are, texts as JSON.
const quoted = (ref, ...values) => ref + ':' + values.map((v) => JSON.stringify(v)).join(';');

const viewed = async (cube) => (await json(endpoint + 'cubes/' + encodeURIComponent(cube) + '/model/')).model;

// amounts gives the cells of ours as the client shows its own, cut to the page of it.
function shown(cells, level, model) {
  const sums = Object.values(model.aggregates).filter((a) => a.measure);
  const labelled = level.label_attribute !== level.key_attribute;
  const columnOf = (attribute) => level.attributes[attribute].column;
  return cells.map((cell) => ({
    dimensions: [{
      keyField: level.key_ref,
      nameField: level.label_ref,
      keyValue: cell[columnOf(level.key_attribute)],
      nameValue: cell[columnOf(labelled ? level.label_attribute : level.key_attribute)],
    }],
    measures: sums.map((a) => ({
      key: a.ref,
      name: a.label,
      value: cell[model.measures[a.measure].column + '.sum'],
    })),
  }));
}

// rows gives the facts that a question by a level counts: of the level of the statements those of all.
async function rows(cube, fields, field) {
  const { snapshots } = await ours(cube, 'model', {});
  const all = snapshots && snapshots.by === field ? { snapshots: 'all' } : {};
  const answer = await ours(cube, 'facts', {
    fields: [...new Set(fields)].map((f) => JSON.stringify(f)).join('|'), pagesize: 10000, numbers: 'string', ...all,
  });
  assert.equal(answer.facts.length, answer.total_fact_count, cube + ': every fact is read');
  return answer.facts;
}

// sumOf adds up amounts exactly, of six decimals at most; null where there are none.
function sumOf(amounts) {
  const present = amounts.filter((a) => a !== null);
  if (present.length === 0) {
    return null;
  }
  const units = present.map((a) => {
    const [, sign, whole, part = ''] = a.match(/^(-?)(\d+)(?:\.(\d{1,6}))?$/);
    return BigInt(sign + whole + part.padEnd(6, '0'));
  }).reduce((x, y) => x + y, 0n);
  const digits = String(units < 0n ? -units : units).padStart(7, '0');
  return Number((units < 0n ? '-' : '') + digits.slice(0, -6) + '.' + digits.slice(-6));
}

// less compares two values as the dialect does; null comes last.
const less = (x, y) => (x === y ? 0 : x === null ? 1 : y === null ? -1 : x < y ? -1 : 1);

// eachLevel draws every level of a cube, as a treemap and as a list of filters, and holds both against the facts.
async function eachLevel(cube) {
  const model = await viewed(cube);
  const first = api.getMeasuresFromModel(model)[0];
  const sums = Object.values(model.aggregates).filter((a) => a.measure);
  const columns = sums.map((a) => model.measures[a.measure].column);
  for (const h of Object.values(model.hierarchies)) {
    assert.ok(h.levels.length > 0 && h.levels.every((id) => model.dimensions[id].hierarchy === h.ref), h.ref);
  }
  const total = await ours(cube, 'aggregate', {});
  for (const [id, level] of Object.entries(model.dimensions)) {
    const key = level.attributes[level.key_attribute].column;
    const label = level.attributes[level.label_attribute].column;
    const facts = await rows(cube, [key, label, ...columns], key);
    const groups = new Map();
    for (const fact of facts) { // the client asks by key and label
      const group = JSON.stringify([fact[key], fact[label]]);
      groups.set(group, [...(groups.get(group) || []), fact]);
    }
    const want = [...groups.values()].map((members) => ({
      dimensions: [{ keyField: level.key_ref, nameField: level.label_ref, keyValue: members[0][key], nameValue: members[0][label] }],
      measures: sums.map((a, i) => ({ key: a.ref, name: a.label, value: sumOf(members.map((f) => f[columns[i]])) })),
    }));
    const by = sums.findIndex((a) => a.ref === first.key);
    want.sort((x, y) => (x.measures[by].value === null || y.measures[by].value === null
      ? less(x.measures[by].value, y.measures[by].value) : less(y.measures[by].value, x.measures[by].value)) ||
      less(x.dimensions[0].keyValue, y.dimensions[0].keyValue) || less(x.dimensions[0].nameValue, y.dimensions[0].nameValue));
    const got = await api.aggregate(endpoint, cube, { group: [level.key_ref], aggregates: first.key }, model);
    equal(got.cells, want.slice(0, 30), cube + ': ' + id);
    equal(got.count, want.length, cube + ': cells of ' + id);
    equal(got.summary[first.key], total.summary[columns[by] + '.sum'], cube + ': summary of ' + id);
    await eachMember(cube, level, facts, key, label);
  }
}

async function eachMember(cube, level, facts, key, label) {
  const got = await api.getDimensionMembers(endpoint, cube, level.ref);
  const keys = [...new Set(facts.map((f) => f[key]))].sort(less);
  equal(got.total_member_count, keys.length, cube + ': members of ' + key);
  equal(got.data.map((m) => m[level.key_ref]), keys.slice(0, 100), cube + ': members of ' + key);
  for (const member of level.label_ref === level.key_ref ? [] : got.data) {
    const labels = facts.filter((f) => f[key] === member[level.key_ref]).map((f) => f[label]);
    assert.ok(labels.includes(member[level.label_ref]) || labels.every((l) => l === null), cube + ': a label of ' + key);
  }
}

// filters are numbers and texts, one value and several, together.
async function filters(cube, model) {
  const cut = [quoted('Year.Year', 2016, 2017), quoted('admin1_code.admin1_code', '020', '025')];
  const group = ['admin1_code.admin1_code'];
  const aggregates = 'executed_value.sum';
  const got = await api.aggregate(endpoint, cube, { group, aggregates, filter: cut }, model);
  const want = await ours(cube, 'aggregate', {
    drilldown: 'admin1_code', cut: 'Year:2016;2017|admin1_code:020;025', order: 'executed_value.sum:desc',
  });
  equal(want.total_cell_count, 2, 'both members are there');
  equal(got.cells, shown(want.cells, model.dimensions.admin1_code, model), 'two filters');
  for (const other of [['Year.Year:"2016";"2017"', 'admin1_code.admin1_code:020;025'], ['Year.Year: 2016;2017', cut[1]]]) {
    const again = await api.aggregate(endpoint, cube, { group, aggregates, filter: other }, model);
    equal(again, got, 'values are read by their field: ' + other);
  }
}

// charts ask for up to 2000 cells, in an order of their own, of two levels.
async function charts(cube, model) {
  const line = await api.aggregate(endpoint, cube, {
    group: ['Year.Year'], aggregates: 'approved_value.sum', order: [{ key: 'Year.Year', direction: ':asc' }], pagesize: 2000,
  }, model);
  const years = await ours(cube, 'aggregate', { drilldown: 'Year', order: 'Year:asc' });
  equal(line.cells, shown(years.cells, model.dimensions.Year, model), 'line chart');
  equal(line.cells[0].dimensions[0].keyValue, 2016, 'years are numbers');

  const pivot = await api.aggregate(endpoint, cube, {
    group: ['Year.Year', 'func1_code.func1_code'], aggregates: 'approved_value.sum', pagesize: 2000,
  }, model);
  const table = await ours(cube, 'aggregate', { drilldown: 'Year|func1_code', order: 'approved_value.sum:desc', pagesize: 2000 });
  equal(
    pivot.cells.map((c) => [...c.dimensions.map((d) => d.keyValue), c.dimensions[1].nameValue, ...c.measures.map((m) => m.value)]),
    table.cells.map((c) => [c.Year, c.func1_code, c.func1_label, c['approved_value.sum'], c['executed_value.sum']]),
    'pivot table');

  // In a year a member has one name, so that the key and the name that the client asks give the cells of the key.
  const filter = [quoted('Year.Year', 2017)];
  const second = await api.aggregate(endpoint, cube, { group: ['admin1_code.admin1_code'], filter, page: 2, pagesize: 5 }, model);
  const page = await ours(cube, 'aggregate', {
    drilldown: 'admin1_code', cut: 'Year:2017', order: 'approved_value.sum:desc', page: 2, pagesize: 5,
  });
  equal(second.cells, shown(page.cells, model.dimensions.admin1_code, model), 'second page');
}

// facts are paged by number, and sent with what says nothing about facts.
async function facts(cube, model) {
  const parameters = { group: ['Year.Year'], aggregates: 'approved_value.sum', filter: [quoted('Year.Year', 2017)] };
  const read = [];
  for (const page of [1, 2, 3]) {
    const order = [{ key: 'executed_value', direction: 'desc' }];
    const got = await api.facts(endpoint, cube, { ...parameters, page, pagesize: 7, order }, model);
    equal([got.info.page, got.info.pageSize], [page, 7], 'page of facts');
    read.push(...got.columns);
  }
  const want = await ours(cube, 'facts', { cut: 'Year:2017', order: 'executed_value:desc', pagesize: 21 });
  const first = await api.facts(endpoint, cube, parameters, model);
  equal(first.info.total, want.total_fact_count, 'facts');
  equal(first.columns.length, 20, 'facts of a page');
  const fields = first.headers.map((h) => h.key.split('.').pop());
  equal(fields.length, 23, 'every field is shown');
  equal(read, want.facts.map((f) => fields.map((name) => f[name])), 'facts of three pages');
  equal(first.headers.filter((h) => h.numeric).map((h) => h.key), ['approved_value', 'executed_value'], 'amounts');
}

// viewer is what the viewer around the client asks besides.
async function viewer(cube) {
  const id = encodeURIComponent(cube);
  const found = await json(endpoint + 'search/package?size=10000&jwt=&id=' + encodeURIComponent(JSON.stringify(cube)));
  equal(found.map((e) => e.id), [cube], 'search by id');
  const owned = await json(endpoint + 'search/package?size=10000&package.owner=' +
    encodeURIComponent(JSON.stringify(found[0].package.owner)));
  assert.ok(owned.some((e) => e.id === cube) && owned.length > 1);
  const info = await json(endpoint + 'info/' + id + '/package');
  equal(info.name, cube, 'package');
  equal(info.model.dimensions.date.dimensionType, 'datetime', 'the time of the package');
  equal(info.author.endsWith('>'), true, 'author');
  for (const file of info.resources) {
    const rows = (await (await get(new URL(file.path, info.__origin_url))).text()).split('\n');
    equal(rows[0].split(',').length, 23, 'the file ' + file.name);
  }

  const model = await viewed(cube);
  equal(Object.values(model.dimensions).every((d) => info.model.dimensions[d.orig_dimension]), true, 'dimensions');
  equal(Object.values(model.measures).every((m) => info.model.measures[m.orig_measure]), true, 'measures');

  const cut = 'Year.Year:2017%7Cadmin1_code.admin1_code:%22020%22';
  const members = await json(endpoint + 'cubes/' + id + '/members/admin2_code/?cut=' + cut);
  const want = await ours(cube, 'members/admin2_code', { cut: 'Year:2017|admin1_code:020' });
  equal(members.data.map((m) => m['admin2_code.admin2_code']), want.members.map((m) => m.key), 'members under filters');

  const csv = await get(endpoint + 'cubes/' + id + '/aggregate/?pagesize=30&order=undefined%3Aundefined&cut=' + cut + '&format=csv');
  const whole = await ours(cube, 'aggregate', { cut: 'Year:2017|admin1_code:020', numbers: 'string' });
  const header = ['_count', 'approved_value.sum', 'executed_value.sum'];
  equal(await csv.text(), header.join(',') + '\r\n' + header.map((n) => whole.summary[n]).join(',') + '\r\n', 'download');
}

// signIn runs the script that a viewer waits for, in as much of AngularJS as it needs.
async function signIn() {
  const services = {};
  const module = { service: (name, parts) => { services[name] = parts; } };
  const source = await (await get(endpoint + 'user/lib')).text();
  new Function('window', source)({ angular: { module: () => module } });
  const made = (name) => new (services[name].at(-1))({ reject: Promise.reject.bind(Promise), resolve: Promise.resolve.bind(Promise) });
  const refused = await made('authenticate').check('http://127.0.0.1/').catch((providers) => providers);
  const user = await json(endpoint + 'user/check?next=http%3A%2F%2F127.0.0.1%2F');
  equal(refused, user.providers, 'providers');
  equal([user.authenticated, refused.google.url, made('authenticate').getToken()], [false, null, null], 'nobody');
  equal(await made('authorize').check(null, 'os.datastore'), {}, 'permissions');
}

async function mistakes(cube, model) {
  const response = await fetch(endpoint + 'cubes/' + cube + '/aggregate/?drilldown=nothing');
  const body = await response.json();
  equal([response.status, body.status, body.context.parameter], [400, 'error', 'drilldown'], 'mistake');
  const silent = console.error;
  console.error = () => {};
  await assert.rejects(api.aggregate(endpoint, cube, { group: ['nothing.nothing'], aggregates: 'approved_value.sum' }, model));
  console.error = silent;
}

async function main() {
  const cubes = (await json(endpoint + 'cubes/')).data.map((c) => c.name);
  equal(cubes, (await json(base + '/cubes')).cubes.map((c) => c.name), 'cubes');
  for (const cube of cubes) {
    await eachLevel(cube);
  }
  const cube = 'example-croatia';
  const model = await viewed(cube);
  await filters(cube, model);
  await charts(cube, model);
  await facts(cube, model);
  await viewer(cube);
  await signIn();
  await mistakes(cube, model);
  console.log(checks + ' answers are right');
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
