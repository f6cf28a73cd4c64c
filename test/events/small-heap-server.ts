import { openChat, sqlite } from '../../lib/index.ts';
import { serve } from '../../server/index.ts';
import { untilPollsWait } from '../support/polls.ts';

/** A process that serves a chat in memory to one user with many queues. It sends its parent the queues to poll. */
const { queues } = JSON.parse(process.argv[2] as string) as { queues: number };
const chat = await openChat({ storage: sqlite(':memory:') });
const owner = await chat.createOrganization({
  name: 'Lighthouse keepers',
  owner: { email: 'ada@example.com', full_name: 'Ada' },
});
const ada = chat.as(owner);
await ada.channels.create({ name: 'watch', subscribers: [owner.user_id] });
const ids: string[] = [];
for (let n = 0; n < queues; n++) {
  const registration = { event_types: ['message'], fetch_event_types: [], apply_markdown: true };
  ids.push((await ada.register(registration)).queue_id);
}
const { url } = await serve(chat, { port: 0, rateLimits: false });
process.send?.({ url, ids, auth: Buffer.from(`${owner.email}:${owner.api_key}`).toString('base64') });
process.on('message', async ({ content }: { content: string }) => {
  await untilPollsWait(chat, queues);
  await ada.messages.send({ type: 'channel', to: 'watch', topic: 'lamp', content });
  process.send?.({ isSent: true });
});
process.on('disconnect', () => process.exit());
