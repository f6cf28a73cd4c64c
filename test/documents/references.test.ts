import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, it, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../../cli/failure.ts';
import { VERSION } from '../../lib/index.ts';
import { DOCUMENTS, readDocument } from './blocks.ts';
import { entryPoints, exportedBy, isOurs, typesNamedBy } from './exported-declarations.ts';
import { markedDocuments } from './marked-sections.ts';
import { references, undocumented } from './reference.ts';
import { registries } from './registries.ts';

const projectFile = (path: string) => new URL(`../../${path}`, import.meta.url);
const manifest = JSON.parse(readFileSync(projectFile('package.json'), 'utf8'));

describe('generated parts of the guides are up to date; `npm run documents` writes them', () => {
  for (const [path, text] of markedDocuments())
    it(path, () => {
      assert.ok(readFileSync(projectFile(path), 'utf8') === text, `${path} is out of date`);
    });
});

test('each page of the reference is up to date and below its size limit; `npm run documents` writes it', () => {
  for (const [path, text] of references()) {
    assert.ok(readFileSync(projectFile(path), 'utf8') === text, `${path} is out of date`);
    assert.ok(text.length < 150_000, `${path} is short enough to read`);
  }
});

test('every export of the package has a docstring', () => {
  assert.deepEqual(undocumented(), []);
});

/** Types that users of the package never name, by subject. */
const NEVER_NAMED = new Set([
  // Types of a session's methods. `OperationName`, `ParametersOf` and others give their parts.
  ...['Operations', 'Events', 'States', 'StateOf', 'NamesOf', 'ParametersIn', 'DryRunsOf'],
  // Parts of a storage, which only `sqlite` and `postgres` create.
  ...[
    'SqliteStorage',
    'ChangeOptions',
    'Connection',
    'ForeignCommit',
    'Migration',
    'OpenOptions',
    'Opened',
    'ReadExtent',
    'RefillOptions',
  ],
  ...['Transaction', 'WriteKind'],
  // Parts of a source of an import, which only the functions of the formats create.
  ...['OpenExport', 'SourceReport'],
  // Internals of a server.
  ...['Inspection', 'MetricValue'],
]);

test("every type that the package's declarations name is exported", () => {
  const all = new Set(entryPoints().flatMap(({ path }) => exportedBy(path).map(({ name }) => name)));
  const missing = entryPoints().flatMap(({ name, path }) =>
    typesNamedBy(path)
      .filter(({ type }) => !all.has(type) && !NEVER_NAMED.has(type) && isOurs(type))
      .map(({ type, by }) => `${type}, which ${by} of ${name} names`),
  );
  assert.deepEqual(missing, []);
});

test('the lists of migrations and command groups are up to date; `npm run documents` writes them', () => {
  for (const [path, text] of registries())
    assert.ok(readFileSync(projectFile(path), 'utf8') === text, `${path} does not match its folder`);
});

test('package, library and changelog have the same version', async () => {
  assert.equal(VERSION, manifest.version);
  assert.match(await readDocument('CHANGELOG.md'), new RegExp(`^## ${VERSION.replaceAll('.', '\\.')}\\b`, 'm'));
});

test('links in packaged documents lead to packaged files', async () => {
  // npm always packs these.
  const carried = ['README.md', 'LICENSE', 'package.json', ...manifest.files];
  const isCarried = (path: string) => carried.some((entry) => path === entry || path.startsWith(`${entry}/`));
  for (const name of DOCUMENTS.filter(isCarried))
    for (const target of await linksOf(name)) {
      const path = new URL(target, `file:///${name}`).pathname.slice(1);
      assert.ok(isCarried(path), `${name} leads to ${path}`);
    }
});

test('no packaged file installs `parlance` from the registry, where it is another package', () => {
  const FROM_REGISTRY = [
    /\b(?:npm|pnpm|yarn|bun) (?:install|i|add)\b[^\n`]*[\s"']parlance(?![\w./-])/,
    /\bparlance@/,
    /\b(?:npx|npm exec|bunx|pnpm dlx) (?:-[\w-]+ )*parlance(?![\w./-])/,
    /npmjs\.com\/package\/parlance\b/,
  ];
  const installs = (text: string) => FROM_REGISTRY.some((pattern) => pattern.test(text));
  for (const line of ['npm install -g parlance pg', 'npm i "parlance@1"', 'npx --yes parlance', 'npm add parlance'])
    assert.ok(installs(line), line);
  assert.ok(!installs('npm install --global /tmp/parlance-chat-*.tgz pg'));
  const shipped = ['README.md', ...manifest.files.filter((entry: string) => entry !== 'dist')].flatMap(filesBelow);
  assert.ok(shipped.includes('examples/deploy/Containerfile'));
  assert.deepEqual(
    shipped.filter((path) => installs(readFileSync(projectFile(path), 'utf8'))),
    [],
  );
});

test('the Containerfile installs the file that `npm pack` creates', () => {
  const lines = readFileSync(projectFile('examples/deploy/Containerfile'), 'utf8').split('\n');
  const [, pattern = ''] = /^COPY (\S+) /.exec(lines.find((line) => line.startsWith('COPY ')) ?? '') ?? [];
  assert.match(`parlance-chat-${VERSION}.tgz`, new RegExp(`^${pattern.replace('.', '\\.').replace('*', '.*')}$`));
  assert.ok(lines.some((line) => line.startsWith('RUN npm install ') && line.includes(`/tmp/${pattern}`)));
});

test('the units and the Containerfile take the database from the environment, so that it can be PostgreSQL', () => {
  const deployed = (name: string) => readFileSync(projectFile(`examples/deploy/${name}`), 'utf8');
  for (const name of ['parlance.service', 'parlance-backup.service', 'Containerfile']) {
    const lines = deployed(name).split('\n');
    assert.ok(
      lines.some((line) => /^(Environment=|ENV ).*\bPARLANCE_DB=/.test(line)),
      name,
    );
    // An option would override the variable.
    for (const line of lines) if (!line.startsWith('#')) assert.doesNotMatch(line, /--db\b/, name);
    if (name === 'Containerfile') continue;
    assert.ok(lines.includes('EnvironmentFile=-/etc/parlance/environment'), name);
    assert.ok(!lines.includes('PrivateNetwork=yes'), `${name} reaches PostgreSQL`);
  }
});

test('each list of exit codes names every exit code of chatctl', async () => {
  for (const path of ['README.md', 'docs/chatctl.md', 'docs/errors.md', 'cli/program.ts']) {
    const [list = ''] = /\b0 (?:done|success)\b.*/.exec(readFileSync(projectFile(path), 'utf8')) ?? [];
    for (const code of Object.values(EXIT)) assert.match(list, new RegExp(`\\b${code} [a-z]`), `${path}: ${code}`);
  }
});

test('file names of the package in documents have the current version', async () => {
  for (const path of ['README.md', 'docs', 'examples'].flatMap(filesBelow)) {
    for (const [name] of readFileSync(projectFile(path), 'utf8').matchAll(/\bparlance-chat-[0-9][\w.]*\.tgz/g))
      assert.equal(name, `parlance-chat-${VERSION}.tgz`, path);
  }
});

describe('links, files and scripts named by the documents exist', () => {
  for (const name of DOCUMENTS) {
    it(`links of ${name} exist`, async () => {
      for (const target of await linksOf(name)) {
        assert.ok(existsSync(new URL(target, projectFile(name))), `${target} does not exist`);
      }
    });

    it(`files and scripts named in ${name} exist`, async () => {
      const spoken = [...(await readDocument(name)).matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
      for (const text of spoken) {
        if (/^(lib|server|cli|test|examples|\.ci)\/[\w./-]+$/.test(text)) {
          assert.ok(existsSync(projectFile(text)), `${text} does not exist`);
        }
        for (const [, script = ''] of text.matchAll(/npm run ([\w-]+)/g)) {
          assert.ok(Object.hasOwn(manifest.scripts, script), `there is no script ${script}`);
        }
      }
    });
  }
});

/** The files of a folder of the project, or the file itself. */
function filesBelow(entry: string): string[] {
  if (!statSync(projectFile(entry)).isDirectory()) return [entry];
  const found = readdirSync(projectFile(entry), { recursive: true, withFileTypes: true });
  const root = fileURLToPath(projectFile(''));
  return found.filter((file) => file.isFile()).map((file) => relative(root, join(file.parentPath, file.name)));
}

/** Link targets of a document inside the project. */
async function linksOf(name: string): Promise<string[]> {
  const links = [...(await readDocument(name)).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
  return links.filter((link) => !/^[a-z]+:/.test(link));
}
