import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { testOn, withoutPostgres } from '../support/engines.ts';
import { until } from '../support/until.ts';
import { MINUTE_MS, movableClock, watched } from './clocks.ts';

const test = testOn({ skip: withoutPostgres });

describe('a clock that is set while a server runs', () => {
  test('a clock set while the server runs is noticed, and each new difference is logged', async (t) => {
    const setOff = movableClock(t);
    const { warnings, untilWarned, ready, chat, owner } = await watched(t);
    const session = chat.as(owner.user_id);
    const sentAt = async () => {
      const { id } = await session.messages.send({ type: 'direct', to: [owner.user_id], content: 'now' });
      return (await session.messages.get({ message_id: id })).message.timestamp;
    };
    const before = await sentAt();
    const isWarning = async () => 'warnings' in ((await ready()) as object);
    assert.equal(await isWarning(), false);
    for (const [times, offMs] of [
      [1, -10 * MINUTE_MS],
      [2, 10 * MINUTE_MS],
    ] as const) {
      setOff(offMs);
      await untilWarned(times);
      const after = await sentAt();
      assert.ok(after >= before && after < before + 5 * 60, `${after - before} s`);
      setOff(0);
      await until('the warning is over', async () => !(await isWarning()), { every: 200 });
    }
    assert.match(warnings.join('\n'), /^.* 600 s behind .*\n.* 600 s ahead of .*$/);
  });
});
