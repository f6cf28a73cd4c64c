import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { openChat, type SqliteOptions, sqlite } from '../../lib/index.ts';
import { memoryFolder } from '../support/memory-folder.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

export const ADA = 'ada@example.com';

let folder: string | undefined;
let folders = 0;
let template: Promise<string> | undefined;

after(() => {
  if (folder) rmSync(folder, { recursive: true, force: true });
});

async function makeTemplate(): Promise<string> {
  folder = mkdtempSync(join(memoryFolder(), 'parlance-tenants-'));
  const path = join(folder, 'template');
  const chat = await openChat({ storage: sqlite(path), logger: quiet });
  await chat.createOrganization({ name: 'Example', owner: { email: ADA, full_name: 'Ada' } });
  await chat.close();
  return path;
}

/**
 * Storages of tenants for one test. Each is a copy of an organization with the owner Ada, since migrations take longer
 * than most tests.
 */
export async function tenantStorages() {
  template ??= makeTemplate();
  const from = await template;
  const start = `${from}-${++folders}-`;
  return (id: string, options: SqliteOptions = { footprint: 'small' }) => {
    if (!existsSync(`${start}${id}.db`)) copyFileSync(from, `${start}${id}.db`);
    return sqlite(`${start}${id}.db`, options);
  };
}
