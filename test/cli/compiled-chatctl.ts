import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { bundle } from '../support/bundle.ts';

export interface CompiledChatctl {
  /** Put it first on the PATH. */
  bin: string;
  program: string;
  /** Exports `runCommand`. */
  module: string;
  remove(): Promise<void>;
}

/** The migrations of a later version: a column, a table, and one that older processes do not understand. */
const ofLaterVersion: Plugin = {
  name: 'later-version',
  setup(build) {
    build.onLoad({ filter: /lib[\\/]storage[\\/]migrations[\\/]index\.ts$/ }, async ({ path }) => ({
      loader: 'ts',
      contents: `${(await readFile(path, 'utf8')).replace('export const migrations', 'const released')}
        const newest = released.at(-1)!.version;
        export const migrations: readonly Migration[] = [
          ...released,
          { version: newest + 1, name: 'note', sql: 'ALTER TABLE users ADD COLUMN note TEXT;' },
          { version: newest + 2, name: 'later', sql: 'CREATE TABLE later (id ID, user_id INTEGER NOT NULL REFERENCES users (id)) STRICT; CREATE INDEX later_by_user ON later (user_id); INSERT INTO later (user_id) SELECT id FROM users;', isBreaking: true },
        ];`,
    }));
  },
};

/**
 * Compiles the command line once: through tsx every command would start half a second later.
 * @param options.isLater compiles it as a later version, with further migrations
 */
export async function compileChatctl({ isLater = false } = {}): Promise<CompiledChatctl> {
  const programs = {
    chatctl: 'cli/chatctl.ts',
    commands: 'cli/program.ts',
    'older-database': 'test/cli/older-database.ts',
    'cursors-in': 'test/cli/cursors-in.ts',
    'break-database': 'test/cli/break-database.ts',
  };
  const name = isLater ? 'later-chatctl' : 'chatctl';
  const { bin, program, remove } = await bundle(name, programs, isLater ? [ofLaterVersion] : []);
  return { bin, program: program('chatctl'), module: program('commands'), remove };
}
