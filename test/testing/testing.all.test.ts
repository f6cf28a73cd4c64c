import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testChat } from '../../lib/testing/testing.ts';

test('a test chat has users of every role in a channel, and shares no data with another', async () => {
  const one = await testChat();
  const { people, channels, close } = one;
  const { id } = await people.dora.messages.send({ type: 'channel', to: channels.general, topic: 'a', content: 'b' });
  assert.equal((await people.finn.messages.get({ message_id: id })).message.sender_id, people.dora.user_id);
  const roles = await Promise.all(Object.values(people).map(async (person) => (await person.users.me()).role));
  assert.deepEqual(roles, [100, 200, 300, 400, 400, 600]);
  const other = await testChat({ people: { ada: 'owner' } });
  await assert.rejects(other.people.ada.messages.get({ message_id: id }));
  await Promise.all([close(), other.close()]);
});

test('runDue sends a scheduled message once the test clock has passed its time', async () => {
  const { chat, clock, people, close } = await testChat({ notifications: { email: false } });
  const { scheduled_message_id } = await people.ada.scheduledMessages.create({
    type: 'direct',
    to: [people.ben.user_id],
    content: 'Later',
    scheduled_delivery_timestamp: clock.now() / 1000 + 90,
  });
  assert.ok(scheduled_message_id > 0);
  clock.advance({ minutes: 1 });
  assert.equal(await chat.runDue(), 0);
  clock.advance({ seconds: 30 });
  assert.equal(await chat.runDue(), 1);
  const { messages } = await people.ben.messages.list({ anchor: 'newest', num_before: 1, apply_markdown: false });
  assert.equal(messages[0]?.content, 'Later');
  await close();
});

test('a test chat uses the given users and channels, and needs an owner', async () => {
  const { people, channels, emails, chat, close } = await testChat({
    people: { guido: 'guest', olga: 'owner' },
    channels: { board: ['olga'] },
  });
  assert.deepEqual([people.olga.user_id < people.guido.user_id, people.olga.email], [true, 'olga@example.com']);
  assert.equal((await chat.why(people.guido, 'channels.get', { stream_id: channels.board })).allowed, false);
  assert.deepEqual(emails, []);
  await close();
  await assert.rejects(testChat({ people: { guido: 'guest' } }), /needs an owner/);
});
