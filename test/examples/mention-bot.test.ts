import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerMentions, echo } from '../../examples/mention-bot.ts';
import { connect, type Session } from '../../lib/index.ts';
import { testChat } from '../../lib/testing/testing.ts';
import { serve } from '../../server/index.ts';

test('the mention bot responds in process and over HTTP with the same code', async (t) => {
  const { chat, people, close } = await testChat({ people: { ada: 'owner' } });
  t.after(close);
  const server = await serve(chat, { port: 0 });
  t.after(() => server.close());
  const { ada } = people;
  const bot = await ada.bots.create({ full_name: 'Echo Bot', short_name: 'echo' });
  await chat.as(bot).subscriptions.add({ subscriptions: [{ name: 'general' }] });
  const remote = connect({ site: server.url, email: bot.email, api_key: bot.api_key });
  t.after(() => remote.close());

  for (const [way, session] of [
    ['in process', chat.as(bot.user_id)],
    ['over HTTP', remote],
  ] as const) {
    await t.test(way, () => conversation(ada, session, bot.user_id, way));
  }
});

async function conversation(ada: Session, session: Session, botId: number, topic: string): Promise<void> {
  const ending = new AbortController();
  const answers = ada.listen({ event_types: ['message'], apply_markdown: false, signal: ending.signal });
  const heard = async () => {
    for (;;) {
      const { value } = await answers.next();
      const message = value.message as { sender_id: number; content: string; subject: string };
      if (message.sender_id === botId) return [message.subject, message.content];
    }
  };
  const first = heard();
  let running: Promise<void> | undefined;
  await new Promise<void>((resolve) => {
    running = answerMentions(session, echo, { onQueue: () => resolve(), signal: ending.signal });
  });
  const toChannel = { type: 'channel', to: 'general', topic } as const;
  await ada.messages.send({ ...toChannel, content: 'Nobody is meant.' });
  await ada.messages.send({ ...toChannel, content: '@**Echo Bot** is anybody there?' });
  assert.deepEqual(await first, [topic, 'You said: is anybody there?']);
  await ada.messages.send({ type: 'direct', to: [botId], content: '@**Echo Bot**' });
  assert.deepEqual(await heard(), ['', 'Yes?']);
  ending.abort();
  await running;
}
