import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  cancelMove,
  check,
  type Keepable,
  localFiles,
  moveOrganization,
  openTenants,
  StorageError,
} from '../../lib/index.ts';
import { migrations } from '../../lib/storage/migrations/index.ts';
import { type MigrationPlace, places, storageAt } from '../storage/migration-places.ts';
import { testOn } from '../support/engines.ts';
import {
  cancelling,
  DECISIVE,
  found,
  killMove,
  killMoves,
  OWNER,
  open,
  PLACES,
  quiet,
  say,
  using,
  withBoth,
} from './moves.ts';

const [sqlite, , postgres] = places as [(typeof places)[number], unknown, (typeof places)[number]];

async function twoPlaces(t: TestContext, from = sqlite, to = sqlite): Promise<[MigrationPlace, MigrationPlace]> {
  const made: [MigrationPlace, MigrationPlace] = [await from.make(), await to.make()];
  t.after(() => Promise.all(made.map((place) => place.remove())));
  return made;
}

const PAIRS = [
  [sqlite, postgres],
  [postgres, postgres],
  [postgres, sqlite],
] as const;

for (const [from, to] of PAIRS) {
  const test = testOn({ skip: from.skip ?? to.skip });
  test(`a move under load from ${from.name} to ${to.name} loses and repeats no message, change, file or event`, async (t) => {
    const both = await twoPlaces(t, from, to);
    const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const [here, there] = [localFiles(join(folder, 'here')), localFiles(join(folder, 'there'))];
    await found(both[0]);
    let isMoved = false;
    const tenants = openTenants({
      storage: () => both[isMoved ? 1 : 0].storage(migrations),
      chatOptions: () => ({ logger: quiet, files: isMoved ? there : here }),
      logger: quiet,
    });
    t.after(() => tenants.close());
    /** Repeats calls that the move refuses, as a client does with a 503. */
    const insist = async <T>(work: Parameters<typeof tenants.with<T>>[1]): Promise<T> => {
      for (;;) {
        try {
          return await tenants.with('acme', work);
        } catch (error) {
          if (!(error instanceof StorageError) || !['moved', 'busy', 'closed'].includes(error.reason)) throw error;
          await delay(5);
        }
      }
    };
    const queue = await insist((chat) => chat.as(OWNER.email).register({ event_types: ['message'] }));
    const sent: number[] = [];
    const edited = new Map<number, string>();
    const deleted = new Set<number>();
    const uploads: string[] = [];
    let isOver = false;
    let isWritten = false;
    const writer = async (name: string) => {
      for (let n = 0; !isOver; n++) {
        const content = `${name} says ${n}`;
        const { id } = await insist((chat) =>
          chat.as(OWNER.email).messages.send({ type: 'channel', to: 'general', topic: `topic ${n % 3}`, content }),
        );
        sent.push(id);
        // The move runs in the same process.
        await delay(20);
        if (n % 4 === 1) {
          const text = `${name} corrected${n} it`;
          await insist((chat) => chat.as(OWNER.email).messages.edit({ message_id: id, content: text }));
          edited.set(id, text);
        }
        if (n % 4 === 2) {
          await insist((chat) => chat.as(OWNER.email).messages.delete({ message_id: id }));
          deleted.add(id);
        }
        if (n % 16 === 3) {
          const file = new File([content], 'a.txt');
          const { url } = await insist((chat) => chat.as(OWNER.email).uploads.send({ file }));
          uploads.push(url);
          await insist((chat) => chat.as(OWNER.email).messages.addReaction({ message_id: id, emoji_name: 'tada' }));
        }
      }
    };
    const received: number[] = [];
    const reader = async () => {
      let last = queue.last_event_id;
      while (!isWritten || received.length < sent.length) {
        const { events } = await insist((chat) =>
          chat.as(OWNER.email).events.list({ queue_id: queue.queue_id, last_event_id: last, dont_block: isWritten }),
        );
        for (const event of events) {
          last = event.id;
          if (event.type === 'message') received.push((event as unknown as { message: { id: number } }).message.id);
        }
      }
    };
    const writing = Promise.all([writer('one'), writer('two'), writer('three')]);
    const reading = reader();
    await delay(300);
    const { changes } = await withBoth(both, (source, target) =>
      moveOrganization(source, target, {
        places: PLACES,
        files: { from: here, to: there },
        onSwitch: async () => {
          isMoved = true;
        },
      }),
    );
    assert.ok(changes > 0);
    const countAtSwitch = sent.length;
    await delay(500);
    isOver = true;
    await writing;
    isWritten = true;
    // The reader may have all messages, and wait for another one.
    const another = { type: 'channel', to: 'general', topic: 'the end', content: 'one more' } as const;
    await insist((chat) => chat.as(OWNER.email).messages.send(another));
    await reading;
    assert.ok(sent.length > countAtSwitch, 'writes go on in the target');
    assert.deepEqual(
      received.slice(0, sent.length),
      [...sent].sort((a, b) => a - b),
      'each event once, in order',
    );

    await tenants.with('acme', async (chat) => {
      const session = chat.as(OWNER.email);
      const stored = new Map<number, string>();
      for (let anchor = 0, isLast = false; !isLast; ) {
        const page = await session.messages.list({
          anchor,
          num_before: 0,
          num_after: 1000,
          apply_markdown: false,
          narrow: [{ operator: 'channel', operand: 'general' }],
        });
        for (const { id, content } of page.messages) stored.set(id, content);
        anchor = (page.messages.at(-1)?.id ?? 0) + 1;
        isLast = page.found_newest !== false;
      }
      const kept = sent.filter((id) => !deleted.has(id));
      assert.deepEqual(
        kept.filter((id) => !stored.has(id)),
        [],
      );
      assert.deepEqual(
        [...deleted].filter((id) => stored.has(id)),
        [],
      );
      for (const [id, text] of edited) assert.equal(stored.get(id), text);
      for (const [, text] of [...edited].slice(-5)) {
        const [, , word = ''] = /(\w+) (\w+) it/.exec(text) ?? [];
        const { messages } = await session.messages.list({
          anchor: 'newest',
          num_before: 10,
          num_after: 0,
          narrow: [{ operator: 'search', operand: word }],
        });
        assert.ok(messages.length > 0, `a search finds ${word}`);
      }
      for (const url of uploads) {
        let size = 0;
        for await (const piece of (await session.download(url)).content) size += piece.length;
        assert.ok(size > 0);
      }
    });
    assert.deepEqual((await withBoth(both, (_, target) => check(target, { files: there }))).findings, []);
  });
}

testOn({ skip: postgres.skip })(
  'a move that is killed at any step leaves at most one owner, and the same move again completes it',
  () => killMoves([sqlite.make, postgres.make], DECISIVE),
);

for (const { name, skip, make } of places) {
  testOn({ skip })(`a cancelled move leaves no trace in the database, on ${name}`, async (t) => {
    const [from, to] = [await make(), await sqlite.make()];
    t.after(() => Promise.all([from.remove(), to.remove()]));
    await found(from);
    const before = await from.shape();
    await killMove([from, to], 'in round');
    assert.notDeepEqual(await from.shape(), before);
    assert.equal(await cancelling(from), true);
    assert.equal(await cancelling(from), false);
    const shape = JSON.stringify(await from.shape());
    assert.ok(!/move_changes|note_change/.test(shape));
    await using(from, (chat) => chat.as(OWNER.email).users.me());
    const triggers = { sqlite: "SELECT name FROM sqlite_schema WHERE type = 'trigger'", pg: 'SELECT 1' };
    if (name !== 'PostgreSQL') assert.deepEqual(await from.sql(triggers.sqlite), []);
  });
}

testOn({ skip: postgres.skip })('a move never replaces another organization, nor the only copy of one', async (t) => {
  const [first, second] = await twoPlaces(t, sqlite, postgres);
  const third = await sqlite.make();
  t.after(() => third.remove());
  await found(first);
  await found(second);
  const move = (from: MigrationPlace, to: MigrationPlace) =>
    withBoth([from, to], (source, target) => moveOrganization(source, target, { places: PLACES }));
  const refusal = (reason: string) => (error: unknown) => error instanceof StorageError && error.reason === reason;
  await assert.rejects(move(first, second), refusal('foreign-application'));
  // Killed between the two commits: the copy is the only owner.
  await killMove([second, third], 'after hand-over');
  await assert.rejects(move(first, third), refusal('moved'));
  await assert.rejects(move(third, first), refusal('moved'));
  assert.equal((await move(second, third)).isContinued, true);
  assert.equal((await move(second, third)).isContinued, true);
  // And back, over the old content.
  const { isContinued } = await move(third, second);
  assert.equal(isContinued, false);
  await using(second, (chat) => chat.as(OWNER.email).users.me());
  await assert.rejects(
    using(third, async () => undefined),
    refusal('moved'),
  );
});

/** The storage of a move. `then` runs before its n-th change, of all or of those that are not shared. */
function before(n: number, storage: Keepable, then: () => Promise<unknown>, { ofAll = false } = {}): Keepable {
  let count = 0;
  return {
    inspect: (work, options) => storage.inspect(work, options),
    refill: (options, work) => storage.refill(options, work),
    change: async (work, options) => {
      if ((ofAll || !options?.isShared) && ++count === n) await then();
      return storage.change(work, options);
    },
    checkReferences: () => storage.checkReferences(),
  };
}

/** The first change begins the tracking, the second one is the hand-over. */
const HAND_OVER = 2;

const isRefused = (reason: string) => (error: unknown) => error instanceof StorageError && error.reason === reason;

const write = (place: MigrationPlace, content: string) => using(place, (chat) => say(chat, content));

const texts = (place: MigrationPlace) =>
  using(place, async (chat) => {
    const narrow = [{ operator: 'topic', operand: 'the move' }];
    const page = { anchor: 'newest', num_before: 10, num_after: 0, apply_markdown: false, narrow } as const;
    return (await chat.as(OWNER.email).messages.list(page)).messages.map(({ content }) => content);
  });

for (const { name, skip, make } of places) {
  testOn({ skip })(`a move that begins while another one hands over changes nothing, on ${name}`, async (t) => {
    const [from, to, third] = [await make(), await make(), await make()];
    t.after(() => Promise.all([from, to, third].map((place) => place.remove())));
    await found(from);
    const first = open(from);
    const late = [open(to), open(third)].map((target) => ({ source: open(from), target }));
    t.after(() =>
      Promise.all([first, ...late.flatMap(({ source, target }) => [source, target])].map((s) => s.close())),
    );
    let handOver: () => void = () => undefined;
    const handedOver = new Promise<void>((resolve) => {
      handOver = resolve;
    });
    const seconds: Promise<unknown>[] = [];
    const begin = () =>
      Promise.all(
        late.map(
          ({ source, target }) =>
            new Promise<void>((reached) => {
              const pause = () => {
                reached();
                return handedOver;
              };
              const paused = before(1, source, pause, { ofAll: true });
              seconds.push(moveOrganization(paused, target, { places: PLACES }).catch((error: unknown) => error));
            }),
        ),
      );
    const target = open(to);
    await moveOrganization(before(HAND_OVER, first, begin), target, { places: PLACES }).finally(() => target.close());
    await write(to, 'message 1');
    handOver();
    for (const error of await Promise.all(seconds)) assert.ok(isRefused('moved')(error), String(error));
    assert.deepEqual(await texts(to), ['message 0', 'message 1']);
    await assert.rejects(using(third, async () => undefined));
  });

  testOn({ skip })(`a move that is cancelled while it runs is refused at its hand-over, on ${name}`, async (t) => {
    const [from, to] = [await make(), await make()];
    t.after(() => Promise.all([from.remove(), to.remove()]));
    await found(from);
    await withBoth([from, to], async (source, target) => {
      const canceller = open(from);
      const cancel = async () => {
        // It halts before the last step, which removes the table of changes.
        const halting = {
          ...before(0, canceller, async () => undefined),
          change: haltedBefore(/DROP TABLE/, canceller),
        };
        await assert.rejects(cancelMove(halting), /halted/);
        await write(from, 'message 1');
      };
      await assert.rejects(
        moveOrganization(before(HAND_OVER, source, cancel), target, { places: PLACES }),
        isRefused('busy'),
      );
      await canceller.close();
    });
    assert.deepEqual(await texts(from), ['message 0', 'message 1']);
    await assert.rejects(
      using(to, async () => undefined),
      isRefused('moved'),
    );
  });
}

/** Refuses the change with such a statement. */
function haltedBefore(statement: RegExp, storage: Keepable): Keepable['change'] {
  return (work, options) =>
    storage.change(
      (connection) =>
        work(
          new Proxy(connection, {
            get: (target, name) => {
              const member = Reflect.get(target, name);
              if (name !== 'run') return typeof member === 'function' ? member.bind(target) : member;
              return (...call: Parameters<typeof target.run>) =>
                statement.test(call[0]) ? Promise.reject(new Error('halted')) : target.run(...call);
            },
          }),
        ),
      options,
    );
}

testOn({ skip: postgres.skip })(
  'a tenant whose servers do not own the tables opens in its new database after a move',
  async (t) => {
    const [from, to] = await twoPlaces(t, postgres, sqlite);
    await found(from);
    const { url, schema } = from.address as { url: string; schema: string };
    const role = `server_of_${schema}`;
    const all = (objects: string) => `ON ALL ${objects} IN SCHEMA ${schema} TO ${role};`;
    await from.sql(`CREATE ROLE ${role} LOGIN PASSWORD 'x'; GRANT USAGE ON SCHEMA ${schema} TO ${role};
      GRANT SELECT, INSERT, UPDATE, DELETE ${all('TABLES')} GRANT USAGE, SELECT, UPDATE ${all('SEQUENCES')}`);
    t.after(() => from.sql(`DROP OWNED BY ${role}; DROP ROLE ${role}`));
    const ofServer = Object.assign(new URL(url), { username: role, password: 'x' });
    let isMoved = false;
    const tenants = openTenants({
      storage: () => (isMoved ? to.storage(migrations) : storageAt({ url: ofServer.href, schema }, migrations)),
      chatOptions: () => ({ logger: quiet, migrate: false }),
      logger: quiet,
    });
    t.after(() => tenants.close());
    const me = () => tenants.with('acme', (chat) => chat.as(OWNER.email).users.me());
    await me();
    await withBoth([from, to], (source, target) => moveOrganization(source, target, { places: PLACES }));
    isMoved = true;
    await assert.rejects(me(), isRefused('moved'));
    assert.equal((await me()).delivery_email, OWNER.email);
  },
);
