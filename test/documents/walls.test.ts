import assert from 'node:assert/strict';
import { basename, dirname } from 'node:path/posix';
import { describe, test } from 'node:test';
import { catalogue, DOMAINS as ORDER } from '../../lib/catalogue.ts';
import { circles, FOLDERS, filesOfProduct, folderOf, type Import } from './imports.ts';

const CATALOGUE = 'lib/catalogue.ts';

/** What domains and access may see of the storage. */
const STORAGE_INTERFACE = /^lib\/storage\/(interface\/.+|storage-error)\.ts$/;

/** Files that may be as long as they are. */
const DATA = /^lib\/(markdown\/data\/|storage\/migrations\/|chat\/generated\.ts$|openapi\/state-schemas\.ts$)/;

const DOMAINS: readonly string[] = ORDER;

/** The package's entries that server and command line may take, and what is for them alone. */
const ENTRIES: readonly string[] = ['lib/index.ts', 'lib/internal.ts', 'lib/storage/postgres/postgres.ts'];

const files = filesOfProduct();
const imports = files.flatMap((file) => file.imports);
const show = ({ from, to }: Import) => `${from} imports ${to}`;

/** Imports from one part of the tree into another, except those that are welcome. */
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

/** Who breaks each rule. */
const RULES: Record<string, () => string[]> = {
  'the library knows neither server nor command line, and nothing of HTTP or terminals': () => [
    ...across(/^lib\//, /^(server|cli)\//),
    ...across(/^lib\//, /^(node:http|node:https|node:readline|commander|busboy)$/),
  ],
  'domains and access see storage through its interface alone': () =>
    across(/^lib\/(domains|access)\//, /^lib\/storage\//, ({ to }) => STORAGE_INTERFACE.test(to)),
  'a folder of the library imports from itself and from earlier folders alone': () =>
    betweenFolders.filter(({ from, to }) => !(placeOf(to) < placeOf(from))).map(show),
  'a domain imports from itself and from earlier domains alone': () => [
    ...betweenDomains
      .filter(({ from, to }) => DOMAINS.indexOf(domainOf(from) as string) < DOMAINS.indexOf(domainOf(to) as string))
      .map(show),
    // Nor does a file stand outside of them.
    ...files
      .map(({ path }) => path)
      .filter((path) => path.startsWith('lib/domains/') && !DOMAINS.includes(domainOf(path) ?? '')),
  ],
  'an operation is imported by the index of its feature alone': () =>
    summed(
      imports.filter(
        ({ from, to }) => operationFiles.has(to) && !(basename(from) === 'index.ts' && dirname(from) === dirname(to)),
      ),
      'operations',
    ),
  'the index of a feature is imported by the catalogue alone': () =>
    across(/./, /^lib\/domains\/.*\/index\.ts$/, ({ from }) => from === CATALOGUE),
  'the panel takes from the library its client, errors and pure rules alone, and types': () =>
    across(/^lib\/panel\//, /^lib\//, ({ to, isType }) => isType || /^lib\/(panel|client|base|rules)\//.test(to)),
  'only pages import the panel': () => across(/^(?!lib\/panel\/)/, /^lib\/panel\//),
  'server and command line take from the library its index and internal.ts alone': () =>
    across(/^(server|cli)\//, /^lib\//, ({ to }) => ENTRIES.includes(to)),
  'the server does not know the command line, which knows only its index': () => [
    ...across(/^server\//, /^cli\//),
    ...across(/^cli\//, /^server\//, ({ to }) => to === 'server/index.ts'),
  ],
  'nothing imports in a circle, types included': () => circles(imports).map((group) => group.join(' ')),
  'no file has more than 400 lines, but data, migrations and generated files': () =>
    files.filter(({ path, text }) => text.split('\n').length > 401 && !DATA.test(path)).map(({ path }) => path),
};

/** One line for the many imports of the catalogue. */
function summed(broken: readonly Import[], what: string): string[] {
  return [...new Set(broken.map((one) => (one.from === CATALOGUE ? `${CATALOGUE} imports ${what}` : show(one))))];
}

describe('walls', () => {
  for (const [rule, offenders] of Object.entries(RULES)) {
    test(rule, () => {
      assert.deepEqual(offenders(), []);
    });
  }

  test('the files are found and read', (t) => {
    assert.ok(files.length > 100);
    assert.ok(operationFiles.size >= catalogue.length);
    assert.ok(betweenFolders.length > 100);
    for (const { path } of files) if (path.startsWith('lib/')) assert.ok(placeOf(path) >= 0, `${path} has no place`);
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
