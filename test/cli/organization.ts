import { dirname } from 'node:path';
import type { TestContext } from 'node:test';
import { runCommand } from '../../cli/program.ts';
import { openChat, sqlite } from '../../lib/index.ts';
import { migratedFile } from '../support/engines.ts';
import { terminal } from './terminals.ts';

export interface Ran {
  exitCode: number;
  out: string;
  err: string;
}

/** A database with an organization that Ada owns, and a function that runs a command on it. */
export async function organization(t: TestContext) {
  const { path, remove } = await migratedFile();
  t.after(remove);
  const chat = await openChat({ storage: sqlite(path) });
  const owner = { email: 'ada@example.com', full_name: 'Ada' };
  await chat.createOrganization({ name: 'Example', owner });
  await chat.close();
  const run = async (...words: string[]): Promise<Ran> => {
    const printed = { out: '', err: '' };
    const exitCode = await runCommand([...words, '--db', path], {
      ...terminal(),
      out(text) {
        printed.out += `${text}\n`;
      },
      err(text) {
        printed.err += `${text}\n`;
      },
    });
    return { exitCode, ...printed };
  };
  return { folder: dirname(path), path, run };
}
