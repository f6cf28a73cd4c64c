import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { completionOf } from '../../cli/completion.ts';
import { buildProgram } from '../../cli/program.ts';
import { testOn, withoutPostgres } from '../support/engines.ts';
import { postgresPlace } from '../support/postgres.ts';
import { terminal } from './terminals.ts';

const test = testOn({ skip: withoutPostgres });

describe('chatctl --schema', () => {
  test('--schema selects the same database as ?schema= in the address, for all kinds of commands', async (t) => {
    const { url, schema, drop } = await postgresPlace();
    t.after(drop);
    const address = new URL(url);
    address.searchParams.set('schema', schema);
    let printed = '';
    const program = buildProgram({
      ...terminal(),
      out(text) {
        printed += `${text}\n`;
      },
    });
    const run = async (...words: string[]) => {
      printed = '';
      await program.parseAsync(words, { from: 'user' });
      return printed;
    };
    const owner = ['--email', 'ada@example.com', '--full-name', 'Ada'];
    await run('init', '--db', url, '--schema', schema, '--name', 'Example', ...owner);
    assert.match(await run('users', 'list', '--db', address.href), /ada@example\.com/);
    assert.match(await run('--schema', schema, 'users', 'list', '--db', url), /ada@example\.com/);
    assert.match(await run('check', '--db', url, '--schema', schema), new RegExp(`schema=${schema}`));
    const words = ['--db', url, '--schema', schema, 'users', 'get', 'ada'];
    assert.deepEqual(await completionOf(program, words), [{ value: 'ada@example.com', about: 'Ada' }]);
  });
});
