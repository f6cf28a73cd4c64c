import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it, test } from 'node:test';
import { VERSION } from '../../lib/index.ts';
import { DOCUMENTS, readDocument } from './blocks.ts';
import { GENERATED_TYPES, generatedTypes } from './generated-types.ts';
import { markedDocuments } from './marked-sections.ts';
import { REFERENCE, reference, undocumented } from './reference.ts';
import { registries } from './registries.ts';
import { STATE_SCHEMAS, stateSchemas } from './state-schemas.ts';

const projectFile = (path: string) => new URL(`../../${path}`, import.meta.url);
const manifest = JSON.parse(readFileSync(projectFile('package.json'), 'utf8'));

describe('what is generated in the guides is as it should be; `npm run documents` writes it', () => {
  for (const [path, text] of markedDocuments())
    it(path, () => {
      assert.ok(readFileSync(projectFile(path), 'utf8') === text, `${path} is out of date`);
    });
});

test('the types of a session are those of the declarations; `npm run documents` writes them', () => {
  const text = readFileSync(projectFile(GENERATED_TYPES), 'utf8');
  assert.ok(text === generatedTypes(), `${GENERATED_TYPES} is not what the declarations say`);
});

test('the described state is what the features return; `npm run documents` writes it', () => {
  const text = readFileSync(projectFile(STATE_SCHEMAS), 'utf8');
  assert.ok(text === stateSchemas(), `${STATE_SCHEMAS} is out of date`);
});

test('the reference has what the package exports; `npm run documents` writes it', () => {
  const text = readFileSync(projectFile(REFERENCE), 'utf8');
  assert.ok(text === reference(), `${REFERENCE} is out of date`);
  assert.ok(text.length < 150_000, 'nobody reads so much');
});

test('whatever the package exports says what it is', () => {
  assert.deepEqual(undocumented(), []);
});

test('migrations and groups of commands are those of their folders; `npm run documents` lists them', () => {
  for (const [path, text] of registries())
    assert.ok(readFileSync(projectFile(path), 'utf8') === text, `${path} is not what its folder holds`);
});

test('the version is the same everywhere', async () => {
  assert.equal(VERSION, manifest.version);
  assert.match(await readDocument('CHANGELOG.md'), new RegExp(`^## ${VERSION.replaceAll('.', '\\.')}\\b`, 'm'));
});

test('documents in the package lead to nothing that is not in it', async () => {
  // npm takes these along whatever the list says.
  const carried = ['README.md', 'LICENSE', 'package.json', ...manifest.files];
  const isCarried = (path: string) => carried.some((entry) => path === entry || path.startsWith(`${entry}/`));
  for (const name of DOCUMENTS.filter(isCarried))
    for (const target of await linksOf(name)) {
      const path = new URL(target, `file:///${name}`).pathname.slice(1);
      assert.ok(isCarried(path), `${name} leads to ${path}`);
    }
});

describe('what the documents name exists', () => {
  for (const name of DOCUMENTS) {
    it(`links of ${name}`, async () => {
      for (const target of await linksOf(name)) {
        assert.ok(existsSync(new URL(target, projectFile(name))), `${target} does not exist`);
      }
    });

    it(`files and scripts of ${name}`, async () => {
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

/** What a document leads to inside the project. */
async function linksOf(name: string): Promise<string[]> {
  const links = [...(await readDocument(name)).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
  return links.filter((link) => !/^[a-z]+:/.test(link));
}
