import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { openChat } from '../../lib/index.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { withoutPostgres } from '../support/engines.ts';
import { asOwner, testPostgresUrl } from '../support/postgres.ts';

const ADA = 'ada@example.com';

test('a message whose hint to other processes fails is sent once, and arrives at them with their next look', {
  skip: withoutPostgres,
}, async (t) => {
  const root = await testPostgresUrl();
  const name = `hints_${randomBytes(6).toString('hex')}`;
  await asOwner(root, `CREATE ROLE ${name} LOGIN PASSWORD 'x'`);
  await asOwner(root, `CREATE DATABASE ${name} OWNER ${name}`);
  t.after(async () => {
    await asOwner(root, `DROP DATABASE ${name} WITH (FORCE)`);
    await asOwner(root, `DROP ROLE ${name}`);
  });
  const own = new URL(root);
  own.pathname = `/${name}`;
  await asOwner(own.href, 'REVOKE EXECUTE ON FUNCTION pg_notify(text, text) FROM PUBLIC');
  own.username = name;
  own.password = 'x';
  const open = async () => {
    const chat = await openChat({ storage: postgres(own.href) });
    t.after(() => chat.close());
    return chat;
  };
  const [one, other] = [await open(), await open()];
  await one.createOrganization({ name: 'Example', owner: { email: ADA, full_name: 'Ada' } });
  await one.as(ADA).subscriptions.add({ subscriptions: [{ name: 'general' }] });
  const { queue_id } = await other.as(ADA).register({ event_types: ['message'] });
  const send = () => one.as(ADA).messages.send({ type: 'channel', to: 'general', topic: 'lamp', content: 'Lit.' });
  const sent = await Promise.all([send(), send()]);
  const { events } = await other.as(ADA).events.list({ queue_id, last_event_id: -1 });
  const { messages } = await one.as(ADA).messages.list({ anchor: 'newest', num_before: 10 });
  const ids = sent.map(({ id }) => id).sort((a, b) => a - b);
  assert.deepEqual(
    messages.filter(({ content }) => /Lit/.test(content)).map(({ id }) => id),
    ids,
  );
  assert.deepEqual(
    events.map((event) => event.type === 'message' && event.message.id),
    ids,
  );
});
