import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { cancelMove, type Keepable, moveOrganization, openTenants, StorageError } from '../../lib/index.ts';
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
import { testMoveUnderLoad } from './moves-under-load.ts';

const [sqlite, , postgres] = places as [(typeof places)[number], unknown, (typeof places)[number]];

async function twoPlaces(t: TestContext, from = sqlite, to = sqlite): Promise<[MigrationPlace, MigrationPlace]> {
  const made: [MigrationPlace, MigrationPlace] = [await from.make(), await to.make()];
  t.after(() => Promise.all(made.map((place) => place.remove())));
  return made;
}

testMoveUnderLoad(sqlite, postgres);

testOn(sqlite)('a move that is killed leaves at most one owner, and the same move again completes it', () =>
  killMoves([sqlite.make, sqlite.make], DECISIVE),
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
