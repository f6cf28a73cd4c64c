import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Logger, StorageError } from '../../lib/index.ts';
import { DatabaseTrouble } from '../../lib/internal.ts';
import { until } from '../support/until.ts';

describe('DatabaseTrouble', () => {
  it('logs one error when the database fails and one when it works again, with the number of failures', async (t) => {
    const lines: [string, object, string][] = [];
    const keep = (level: string) => (data: object, message: string) => void lines.push([level, data, message]);
    const inner: Logger = { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') };
    const logger = new DatabaseTrouble(inner);
    t.after(() => logger.close());
    let isBack = false;
    logger.watch(async () => (isBack ? 'ok' : 'unreachable'));
    for (let at = 0; at < 50; at++) {
      logger.error({ error: new StorageError('db.example.com does not answer.', 'unreachable') }, 'a request failed');
    }
    logger.error({ error: new Error('a defect') }, 'a request failed');
    assert.deepEqual(
      lines.map(([level, , message]) => [level, message]),
      [
        ['error', 'the database cannot be used'],
        ['error', 'a request failed'],
      ],
    );
    isBack = true;
    await until('the log has three lines', () => lines.length >= 3);
    const [level, data, message] = lines[2] as [string, { failures: number; reason: string }, string];
    assert.deepEqual(
      [level, message, data.failures, data.reason],
      ['error', 'the database can be used again', 50, 'unreachable'],
    );
  });
});
