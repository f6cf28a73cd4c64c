import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withoutPostgres } from '../support/engines.ts';
import { until } from '../support/until.ts';
import { replicated } from './replicated.ts';
import { basic } from './running.ts';

describe('a chat on PostgreSQL that fails over to a standby', { skip: withoutPostgres }, () => {
  it('forgets permissions, accounts and events that the standby lacks, and ends queues ahead of it', async (t) => {
    const { server, standby, relay, chat } = await replicated(t);
    const owner = chat.chat.as(chat.owner.user_id);
    const { user_id } = await owner.users.create({
      email: 'mia@example.com',
      full_name: 'Mia',
      password: 'a long one',
    });
    const mia = basic('mia@example.com', await chat.chat.apiKeyOf(user_id));
    const renamed = (name: string) => chat.send('PATCH', '/api/v1/realm', { auth: mia, form: { name } });
    const register = async () =>
      (await chat.send('POST', '/api/v1/register', { form: { event_types: '["message"]' } })).body.queue_id as string;
    const poll = (queue: string, last: number, wait = false) =>
      chat.send('GET', `/api/v1/events?queue_id=${queue}&last_event_id=${last}${wait ? '' : '&dont_block=true'}`);
    const [ahead, behind, parked] = [await register(), await register(), await register()];
    for (let at = 0; at < 5; at++) await chat.say(`kept ${at}`);
    const { events: kept } = (await poll(parked, -1)).body;
    assert.equal(kept.length, 5);
    assert.equal((await renamed('x')).status, 400, 'a member lacks the permission');
    await standby.caughtUp();
    await standby.cutOff();

    const waiting = poll(parked, kept.at(-1).id, true);
    await owner.users.edit({ user_id, role: 200 });
    assert.equal((await renamed('Lost')).status, 200);
    await owner.users.create({ email: 'gus@example.com', full_name: 'Gus', password: 'a long one' });
    const lostIds = new Set<number>();
    // A sequence writes 32 values ahead, so a standby lacks only those after them.
    for (let at = 0; at < 60; at++) lostIds.add((await chat.say(`lost ${at}`)).body.id);
    assert.equal(lostIds.size, 60);
    const names = async () =>
      (await chat.send('GET', '/api/v1/users')).body.members.map((user: { full_name: string }) => user.full_name);
    assert.ok((await names()).includes('Gus'));
    const lost = (await poll(ahead, -1)).body.events;
    assert.equal(lost.length, 65);
    assert.equal((await waiting).status, 200);
    // Event IDs are the same in both queues, which began at the same position.
    const waitingAgain = poll(parked, lost.at(-1).id, true);

    await server.halt();
    await standby.promote();
    relay.lead(standby.url);
    await until('a message is sent', async () => (await chat.say('after')).status === 200, { every: 50 });

    for (let at = 0; at < 60; at++) {
      const { id } = (await chat.say(`after ${at}`)).body;
      assert.ok(!lostIds.has(id), `message ${id} has the ID of a lost message`);
    }
    assert.equal((await renamed('Again')).status, 400, 'permissions come from the database');
    assert.ok(!(await names()).includes('Gus'));
    assert.ok((await waitingAgain).status >= 400, 'a waiting poll receives a request to retry');
    for (const answer of [await poll(ahead, lost.at(-1).id), await poll(parked, lost.at(-1).id)]) {
      assert.deepEqual([answer.status, answer.body.code], [400, 'BAD_EVENT_QUEUE_ID']);
    }
    const contents: string[] = [];
    for (let last = -1, events = lost; events.length > 0; last = events.at(-1)?.id) {
      events = (await poll(behind, last)).body.events;
      for (const { message } of events) contents.push(message.content.match(/kept \d|lost|after/)?.[0]);
    }
    assert.deepEqual(contents, ['kept 0', 'kept 1', 'kept 2', 'kept 3', 'kept 4', ...Array(61).fill('after')]);
  });
});
