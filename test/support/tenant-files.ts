import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openChat, type SqliteOptions, sqlite } from '../../lib/index.ts';
import { memoryFolder } from './memory-folder.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

export const ADA = 'ada@example.com';

/**
 * A folder with a database for each tenant, made when its storage is asked for: copies of an organization with the
 * owner Ada, since migrations take longer than most tests.
 */
export async function tenantFiles(base = memoryFolder()) {
  const folder = mkdtempSync(join(base, 'parlance-tenants-'));
  const template = join(folder, 'template.db');
  const chat = await openChat({ storage: sqlite(template), logger: quiet });
  await chat.createOrganization({ name: 'Example', owner: { email: ADA, full_name: 'Ada' } });
  await chat.close();
  return {
    storage(id: string, options: SqliteOptions = { footprint: 'small' }) {
      const path = join(folder, `${id}.db`);
      if (!existsSync(path)) copyFileSync(template, path);
      return sqlite(path, options);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
