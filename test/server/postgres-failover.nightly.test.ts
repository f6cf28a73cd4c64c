import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { withoutPostgres } from '../support/engines.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';
import { messagesTold, startSending, troubled } from './database-trouble.ts';
import { haproxy, withoutHaproxy } from './haproxy.ts';
import { replicated } from './replicated.ts';

describe('a chat on PostgreSQL that fails over to a standby', { skip: withoutPostgres }, () => {
  it('continues every queue if the standby lacks nothing', async (t) => {
    const { server, standby, relay, chat } = await replicated(t);
    const form = { event_types: '["message"]' };
    const { queue_id } = (await chat.send('POST', '/api/v1/register', { form })).body;
    const poll = (last: number) => chat.send('GET', `/api/v1/events?queue_id=${queue_id}&last_event_id=${last}`);
    for (let at = 0; at < 5; at++) await chat.say(`kept ${at}`);
    const before = (await poll(-1)).body.events;
    await standby.caughtUp();
    const copy = postgres(standby.url, { schema: 'chat' });
    await copy.inspect(async (_, version) => assert.ok(version > 0, 'a backup can be made of the standby'));
    await copy.close();
    await server.halt();
    await standby.promote();
    relay.lead(standby.url);
    await until('a message is sent', async () => (await chat.say('after')).status === 200, { every: 50 });
    const after = (await poll(before.at(-1).id)).body.events;
    assert.equal(before.length, 5);
    assert.deepEqual(
      after.map((event: { message: { id: number } }) => event.message.id),
      [[...chat.acknowledged.keys()].at(-1)],
    );
  });

  it('loses no acknowledged message behind HAProxy with a synchronous standby', { skip: withoutHaproxy }, async (t) => {
    const server = await startPostgresServer({ durable: true });
    t.after(() => server.stop());
    const standby = await server.standby({ isSynchronous: true });
    const through = await haproxy(t, server.url, standby.url);
    const chat = await troubled(t, postgres(through, { schema: 'chat', poolSize: 5 }));
    const { queue_id } = (await chat.send('POST', '/api/v1/register', { form: { event_types: '["message"]' } })).body;
    const { refused, stop } = startSending(chat);
    const acknowledged = async (count: number) => {
      const enough = chat.acknowledged.size + count;
      await until(`${count} more messages are acknowledged`, () => chat.acknowledged.size >= enough);
    };
    await acknowledged(50);
    await server.halt({ isCrash: true });
    await standby.promote();
    await acknowledged(50);
    await stop();
    for (const answer of refused) chat.checkUnavailable(answer, { passing: true });
    assert.ok(refused.length > 0);
    const everything = await chat.everything();
    for (const [id, content] of chat.acknowledged) assert.equal(everything.get(id), content);
    assert.deepEqual(
      await messagesTold(chat, queue_id),
      [...everything.keys()].sort((a, b) => a - b),
    );
  });
});
