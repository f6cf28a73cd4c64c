import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moveOrganization, openChat, openTenants, StorageError } from '../../lib/index.ts';
import { migrations } from '../../lib/storage/migrations/index.ts';
import { type MigrationPlace, places } from '../storage/migration-places.ts';
import { until } from '../support/until.ts';
import { found, OWNER, open, PLACES, quiet, using, withBoth } from './moves.ts';

const isMoved = (error: unknown) => error instanceof StorageError && error.reason === 'moved';

const [sqlite] = places;
const other = places.find(({ name, skip }) => name === 'PostgreSQL' && !skip) ?? places[0];
const make = async (): Promise<[MigrationPlace, MigrationPlace]> => [
  (await sqlite?.make()) as MigrationPlace,
  (await other?.make()) as MigrationPlace,
];

test('a moved tenant opens in its new database, its waiting poll continues there, and the old one refuses all work', async (t) => {
  const [from, to] = await make();
  await found(from);
  let place = from;
  const tenants = openTenants({
    storage: () => place.storage(migrations),
    chatOptions: () => ({ logger: quiet }),
    logger: quiet,
  });
  const stale = await openChat({ storage: open(from), logger: quiet });
  t.after(async () => {
    await tenants.close();
    await stale.close();
    await Promise.all([from.remove(), to.remove()]);
  });
  const send = (content: string) =>
    tenants.with('acme', (chat) =>
      chat.as(OWNER.email).messages.send({ type: 'channel', to: 'general', topic: 'x', content }),
    );
  const { queue_id, last_event_id } = await tenants.with('acme', (chat) =>
    chat.as(OWNER.email).register({ event_types: ['message'] }),
  );
  const poll = (last: number) =>
    tenants.with('acme', (chat) => chat.as(OWNER.email).events.list({ queue_id, last_event_id: last }));
  const waiting = poll(last_event_id).catch((error: unknown) => error);
  const { id } = await send('before');
  const first = (await waiting) as Awaited<ReturnType<typeof poll>>;
  assert.deepEqual(
    first.events.map(({ type }) => type),
    ['message'],
  );
  const again = poll(first.events.at(-1)?.id as number).catch((error: unknown) => error);

  const moved = await withBoth([from, to], (source, target) =>
    moveOrganization(source, target, {
      places: PLACES,
      onSwitch: async () => {
        place = to;
      },
    }),
  );
  assert.equal(moved.messages > 0 && !moved.isContinued, true);
  await assert.rejects(stale.as(OWNER.email).users.me(), isMoved);
  await assert.rejects(
    using(from, (chat) => chat.as(OWNER.email).users.me()),
    /has moved to the target/,
  );

  const ended = await again;
  assert.ok(isMoved(ended) || Array.isArray((ended as { events?: unknown }).events), String(ended));
  // The first use may still be refused by the old database, which closes the tenant.
  const sent = await until('the tenant is open again', () => send('after').catch(() => undefined));
  assert.ok(sent.id > id);
  const { events } = await poll(first.events.at(-1)?.id as number);
  const ids = events.map((event) => (event as unknown as { message: { id: number } }).message.id);
  assert.deepEqual(ids, [sent.id]);
});
