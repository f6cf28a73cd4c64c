import assert from 'node:assert/strict';
import { basename, dirname } from 'node:path/posix';
import { describe, test } from 'node:test';
import { catalogue, DOMAINS as ORDER } from '../../lib/catalogue.ts';
import { circles, FOLDERS, filesOfProduct, folderOf, type Import } from './imports.ts';

const CATALOGUE = 'lib/catalogue.ts';

/** The parts of the storage that domains, viewer and views may import. */
const STORAGE_INTERFACE = /^lib\/storage\/(interface\/.+|storage-error)\.ts$/;

/** Files without a limit on their length. */
const DATA = /^lib\/(markdown\/data\/|storage\/migrations\/|chat\/generated\.ts$|openapi\/state-schemas\.ts$)/;

const DOMAINS: readonly string[] = ORDER;

/** The entries of the package that server and command line may import, and internal ones for them. */
const ENTRIES: readonly string[] = ['lib/index.ts', 'lib/internal.ts', 'lib/storage/postgres/postgres.ts'];

const files = filesOfProduct();
const imports = files.flatMap((file) => file.imports);
const show = ({ from, to }: Import) => `${from} imports ${to}`;

/** Imports from one part of the tree into another, except allowed ones. */
function across(from: RegExp, to: RegExp, isWelcome: (one: Import) => boolean = () => false): string[] {
  return imports.filter((one) => from.test(one.from) && to.test(one.to) && !isWelcome(one)).map(show);
}

const domainOf = (file: string) => /^lib\/domains\/([^/]+)\//.exec(file)?.[1];

const betweenDomains = imports.filter(({ from, to }) => {
  const [here, there] = [domainOf(from), domainOf(to)];
  return here !== undefined && there !== undefined && here !== there;
});

const placeOf = (file: string) => FOLDERS.indexOf(folderOf(file) as string);
const betweenFolders = imports.filter(
  ({ from, to }) => from.startsWith('lib/') && to.startsWith('lib/') && folderOf(from) !== folderOf(to),
);

const operationFiles = new Set(files.filter(({ text }) => /\bdefineOperation\(/.test(text)).map(({ path }) => path));

/** Rules, each with a function that returns its violations. */
const RULES: Record<string, () => string[]> = {
  'lib imports neither server nor cli, and nothing of HTTP or terminals': () => [
    ...across(/^lib\//, /^(server|cli)\//),
    ...across(/^lib\//, /^(node:http|node:https|node:readline|commander|busboy)$/),
  ],
  'libraries for logins elsewhere are loaded when they are used': () =>
    files.filter(({ text }) => /^import (?!type )[^;]*'(?:openid-client|ldapts)'/m.test(text)).map(({ path }) => path),
  'domains, viewer and views import only the interface of the storage': () =>
    across(/^lib\/(domains|views|viewer)\//, /^lib\/storage\//, ({ to }) => STORAGE_INTERFACE.test(to)),
  'adapters import no engine of the storage': () =>
    across(/^lib\/adapters\//, /^lib\/storage\/(sql|sqlite|postgres)\//),
  'a folder of lib imports only from itself and earlier folders': () =>
    betweenFolders.filter(({ from, to }) => !(placeOf(to) < placeOf(from))).map(show),
  'a domain imports only from itself and earlier domains': () => [
    ...betweenDomains
      .filter(({ from, to }) => DOMAINS.indexOf(domainOf(from) as string) < DOMAINS.indexOf(domainOf(to) as string))
      .map(show),
    // Every file belongs to a domain.
    ...files
      .map(({ path }) => path)
      .filter((path) => path.startsWith('lib/domains/') && !DOMAINS.includes(domainOf(path) ?? '')),
  ],
  'only the index of its feature imports an operation': () =>
    summed(
      imports.filter(
        ({ from, to }) => operationFiles.has(to) && !(basename(from) === 'index.ts' && dirname(from) === dirname(to)),
      ),
      'operations',
    ),
  'only the catalogue imports the index of a feature': () =>
    across(/./, /^lib\/domains\/.*\/index\.ts$/, ({ from }) => from === CATALOGUE),
  'the panel imports only client, errors, pure rules and types of lib': () =>
    across(/^lib\/panel\//, /^lib\//, ({ to, isType }) => isType || /^lib\/(panel|client|base|rules)\//.test(to)),
  'no file outside the panel imports it': () => across(/^(?!lib\/panel\/)/, /^lib\/panel\//),
  'server and cli import only index.ts and internal.ts of lib': () =>
    across(/^(server|cli)\//, /^lib\//, ({ to }) => ENTRIES.includes(to)),
  // The index of the server loads both, and `chatctl serve` only what it needs.
  'server does not import cli, and cli imports only the index, serve.ts and metrics.ts of server': () => [
    ...across(/^server\//, /^cli\//),
    ...across(/^cli\//, /^server\//, ({ to }) => /^server\/(index|serve|metrics)\.ts$/.test(to)),
  ],
  'only the index of server loads its metrics, with their library': () =>
    across(/^server\/(?!index\.ts$)/, /^server\/metrics\.ts$/, ({ isType }) => isType),
  'there are no import cycles, types included': () =>
    circles(imports.filter(({ isLazy }) => !isLazy)).map((group) => group.join(' ')),
  'no file has more than 400 lines, except data, migrations and generated files': () =>
    files.filter(({ path, text }) => text.split('\n').length > 401 && !DATA.test(path)).map(({ path }) => path),
};

/** One line for the many imports of the catalogue. */
function summed(broken: readonly Import[], what: string): string[] {
  return [...new Set(broken.map((one) => (one.from === CATALOGUE ? `${CATALOGUE} imports ${what}` : show(one))))];
}

describe('imports between folders', () => {
  for (const [rule, offenders] of Object.entries(RULES)) {
    test(rule, () => {
      assert.deepEqual(offenders(), []);
    });
  }

  test('the rules find the files and imports of the project', (t) => {
    assert.ok(files.length > 100);
    assert.ok(operationFiles.size >= catalogue.length);
    assert.ok(betweenFolders.length > 100);
    for (const { path } of files)
      if (path.startsWith('lib/')) assert.ok(placeOf(path) >= 0, `${path} has no place in the order`);
    assert.ok(imports.some(({ from, isType }) => from === CATALOGUE && !isType));
    assert.ok(imports.some(({ from, to, isType }) => /^server\//.test(from) && to === 'lib/index.ts' && isType));
    const importers = new Map<string, Set<string>>();
    for (const { from, to } of imports) importers.set(to, (importers.get(to) ?? new Set()).add(from));
    const small = files.filter(({ path, text }) => text.split('\n').length <= 50 && importers.get(path)?.size === 1);
    t.diagnostic(`${small.length} of ${files.length} files are under 50 lines and have one importer`);
    t.diagnostic(`${betweenDomains.length} imports between domains; PARLANCE_LIST_IMPORTS=1 lists them`);
    if (process.env.PARLANCE_LIST_IMPORTS) for (const one of betweenDomains) t.diagnostic(show(one));
  });
});
