import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PERSONAL_SETTING_DEFAULTS } from '../../../../lib/domains/users/settings/personal-settings.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** The names in a row of the table of docs/clients.md. */
function namesIn(row: string): string[] {
  const text = readFileSync(join(root, 'docs/clients.md'), 'utf8');
  const table = text.slice(text.indexOf('## Personal settings'), text.indexOf('## Fixed settings'));
  const [line = ''] = table.split('\n').filter((each) => each.startsWith(`| ${row} |`));
  return [...line.matchAll(/`([a-z_0-9]+)`/g)].map(([, name = '']) => name);
}

/** The code of the server that may follow a setting: not its declaration, and not the clients. */
function followingCode(): string {
  return ['domains', 'rules', 'storage/sql', 'viewer', 'views']
    .flatMap((folder) => {
      const files = readdirSync(join(root, 'lib', folder), { recursive: true }) as string[];
      return files
        .filter((file) => file.endsWith('.ts') && !file.endsWith('personal-settings.ts'))
        .map((file) => readFileSync(join(root, 'lib', folder, file), 'utf8'));
    })
    .join('\n');
}

test('each personal setting is documented once: with an effect, for clients, or without effect', () => {
  const documented = ['with an effect on the server', 'for clients', 'without effect'].flatMap(namesIn);
  assert.deepEqual(documented.sort(), Object.keys(PERSONAL_SETTING_DEFAULTS).sort());
});

test('the server follows the settings that the documents say have an effect, and no others', () => {
  const code = followingCode();
  const isFollowed = (name: string) => new RegExp(`\\b${name}\\b`).test(code);
  assert.deepEqual(
    namesIn('with an effect on the server').filter((name) => !isFollowed(name)),
    [],
  );
  assert.deepEqual(namesIn('without effect').filter(isFollowed), []);
});
