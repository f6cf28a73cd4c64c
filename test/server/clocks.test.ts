import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { type Chat, type ChatOptions, openChat } from '../../lib/index.ts';
import { TestClock } from '../../lib/testing/testing.ts';
import { keyIn } from '../domains/users/invitations/keys.ts';
import { testOn, withoutPostgres } from '../support/engines.ts';
import { migratedPlace } from '../support/postgres.ts';
import { MINUTE_MS, movableClock, watched } from './clocks.ts';

const test = testOn({ skip: withoutPostgres });

/** Two servers over one database. */
interface TwoServers {
  /** Its clock stands still in the past. */
  past: Chat;
  clock: TestClock;
  owner: number;
  /** Opens a server on a machine whose clock has this offset in milliseconds. */
  open(offMs: number): Promise<Chat>;
}

/** @param minutesAgo offset of the first server's clock */
async function twoServers(t: TestContext, minutesAgo: number): Promise<TwoServers> {
  const place = await migratedPlace();
  const chats: Chat[] = [];
  t.after(async () => {
    for (const chat of chats) await chat.close();
    await place.drop();
  });
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const open = async (options: Partial<ChatOptions>) => {
    const chat = await openChat({ storage: place.storage(), logger, ...options });
    chats.push(chat);
    return chat;
  };
  const clock = new TestClock(Date.now() - minutesAgo * MINUTE_MS);
  const past = await open({ clock });
  const { user_id: owner } = await past.createOrganization({
    name: 'Example',
    owner: { email: 'ada@example.com', full_name: 'Ada' },
  });
  const setOff = movableClock(t);
  return {
    past,
    clock,
    owner,
    open(offMs) {
      setOff(offMs);
      return open({});
    },
  };
}

for (const [how, offMs] of [
  ['behind', -MINUTE_MS],
  ['ahead of', MINUTE_MS],
] as const) {
  describe(`a server whose clock is a minute ${how} the database's`, () => {
    test("delivers a scheduled message at the database's time", async (t) => {
      const { past, clock, owner, open } = await twoServers(t, 1.5);
      const session = past.as(owner);
      // Half a minute ago, and half a minute from now.
      for (const minutes of [1, 2]) {
        await session.scheduledMessages.create({
          type: 'direct',
          to: [owner],
          content: `after ${minutes}`,
          scheduled_delivery_timestamp: Math.floor(clock.now() / 1000) + minutes * 60,
        });
      }
      await (await open(offMs)).runDue();
      const { scheduled_messages } = await session.scheduledMessages.list();
      assert.deepEqual(
        scheduled_messages.map(({ content }) => content),
        ['after 2'],
      );
      const { messages } = await session.messages.list({ anchor: 'newest', num_before: 1, num_after: 0 });
      const [delivered] = messages;
      assert.equal(delivered?.content, '<p>after 1</p>');
      const lateMs = delivered.timestamp * 1000 - (clock.now() + 1.5 * MINUTE_MS);
      assert.ok(Math.abs(lateMs) < MINUTE_MS / 2, `its timestamp is the database's time: ${lateMs}`);
    });

    test("lets an invitation expire at the database's time", async (t) => {
      const { past, owner, open } = await twoServers(t, 1.5);
      const invite = async (invite_expires_in_minutes: number) =>
        keyIn((await past.as(owner).invites.createMultiuse({ invite_expires_in_minutes })).invite_link);
      const [expired, valid] = [await invite(1), await invite(2)];
      const guest = (await open(offMs)).anonymous();
      const person = { full_name: 'Ben', email: 'ben@example.com' };
      await assert.rejects(guest.invites.accept({ key: expired, ...person }), {
        code: 'INVITATION_UNUSABLE',
        message: /has expired/,
      });
      assert.equal((await guest.invites.accept({ key: valid, ...person })).email, person.email);
    });

    test("lets an event queue expire at the database's time", async (t) => {
      // A queue expires after ten minutes.
      const { past, clock, owner, open } = await twoServers(t, 10.5);
      const register = async () => (await past.as(owner).register({ event_types: ['message'] })).queue_id as string;
      const expired = await register();
      clock.advance({ minutes: 1 });
      const valid = await register();
      const wrong = await open(offMs);
      await wrong.runDue();
      const poll = (queue_id: string) => wrong.as(owner).events.list({ queue_id, last_event_id: -1, dont_block: true });
      await assert.rejects(poll(expired), { code: 'BAD_EVENT_QUEUE_ID' });
      assert.deepEqual((await poll(valid)).events, []);
    });
  });
}

describe('a difference between the clocks of server and database', () => {
  test('a difference of the clocks is logged and is in the details of /ready', async (t) => {
    movableClock(t)(-MINUTE_MS);
    const { warnings, untilWarned, ready, send } = await watched(t);
    await untilWarned(1);
    assert.match(warnings.join('\n'), /^the clock of this machine is 60 s behind the database's; synchronize .+$/);
    assert.deepEqual(await ready(), {
      code: 200,
      status: 'ok',
      parts: { storage: 'ok', worker: 'ok' },
      warnings: { clock: "60 s behind the database's" },
    });
    assert.deepEqual((await send('GET', '/ready', { auth: null })).body, { status: 'ok' });
  });
});
