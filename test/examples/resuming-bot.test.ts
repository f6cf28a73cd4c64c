import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../examples/resuming-bot.ts';
import { connect, openChat, type QueuePlace, type Session, sqlite } from '../../lib/index.ts';
import { testChat } from '../../lib/testing/testing.ts';
import { serve } from '../../server/index.ts';
import { until } from '../support/until.ts';
import { databasePath } from './folder.ts';

const inTopic = { type: 'channel', to: 'general', topic: 'lunch' } as const;

test('the bot continues where it stopped, after a restart of the server and after its queue expired', async (t) => {
  const storage = await databasePath(t);
  let chat = await openChat({ storage: sqlite(storage) });
  let server = await serve(chat, { port: 0 });
  t.after(async () => {
    await server.close();
    await chat.close();
  });
  const owner = await chat.createOrganization({ name: 'X', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  const bot = await chat.as(owner).bots.create({ full_name: 'Echo', short_name: 'echo' });
  await chat.as(owner).channels.create({ name: 'general', subscribers: [owner.user_id, bot.user_id] });
  const ask = () => chat.as(owner).messages.send({ ...inTopic, content: '@**Echo** there?' });
  const port = Number(new URL(server.url).port);
  const remote = connect({ site: server.url, email: bot.email, api_key: bot.api_key });
  t.after(() => remote.close());

  let place: QueuePlace | undefined;
  const begin = (session: Session) => {
    const ending = new AbortController();
    const known = new Promise<void>((resolve) => {
      const note = (noted: QueuePlace) => {
        place = { ...noted };
        resolve();
      };
      running = run(session, note, ending.signal, place && { ...place });
      if (place) resolve();
    });
    const end = () => {
      ending.abort();
      return running;
    };
    return { known, end };
  };
  let running: Promise<void> | undefined;
  const answers = (count: number) =>
    until(`the bot has sent ${count} messages`, async () => {
      const { messages } = await chat
        .as(owner)
        .messages.list({ ...{ anchor: 'newest', num_before: 50, num_after: 0 } });
      const found = messages.filter(({ sender_id }) => sender_id === bot.user_id).length;
      return found >= count && found;
    });

  const first = begin(remote);
  await first.known;
  await ask();
  await answers(1);
  await first.end();

  // Asked while neither the bot nor the server is there to hear of it.
  await ask();
  await server.close();
  await chat.close();
  chat = await openChat({ storage: sqlite(storage) });
  server = await serve(chat, { port });
  const second = begin(remote);
  assert.equal(await answers(2), 2);
  await second.end();

  const before = place?.queue_id;
  await chat.as(bot).events.delete({ queue_id: String(before) });
  const third = begin(remote);
  await until('the bot has another queue', () => place?.queue_id !== before);
  await ask();
  assert.equal(await answers(3), 3);
  await third.end();
});

test('a message that the bot cannot answer does not stop it', async (t) => {
  const { chat, people, channels, close } = await testChat({ people: { ada: 'owner' } });
  t.after(close);
  const { ada } = people;
  const bot = chat.as(await ada.bots.create({ full_name: 'Echo', short_name: 'echo' }));
  await bot.subscriptions.add({ subscriptions: [{ name: 'general' }] });
  const { queue_id, last_event_id } = await bot.register({ event_types: ['message'], fetch_event_types: [] });
  await ada.messages.send({ ...inTopic, content: '@**Echo** there?' });
  await ada.channels.archive({ stream_id: channels.general });
  const ending = new AbortController();
  const noted: number[] = [];
  const note = (place: QueuePlace) => {
    noted.push(place.last_event_id);
    ending.abort();
  };
  await run(bot, note, ending.signal, { queue_id, last_event_id });
  assert.ok(Number(noted[0]) > last_event_id);
});
