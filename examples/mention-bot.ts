/**
 * A bot that answers mentions. It uses a `Session`, so the same code runs in the process of the chat or over HTTP:
 *
 *   npx tsx examples/mention-bot.ts chat.db echo-bot@localhost
 *   ZULIP_SITE=… ZULIP_EMAIL=… ZULIP_API_KEY=… npx tsx examples/mention-bot.ts
 */
import { pathToFileURL } from 'node:url';
import { connect, type ListenOptions, openChat, type Session, sqlite } from 'parlance-chat';

type Answer = (question: string) => string | Promise<string>;

/** Runs until `signal` is aborted. `queue` resumes where an earlier run stopped. */
export async function answerMentions(
  session: Session,
  answer: Answer,
  options: Pick<ListenOptions, 'queue' | 'onQueue' | 'signal'> = {},
): Promise<void> {
  const { user_id, full_name } = await session.users.me();
  const mention = `@**${full_name}**`;
  // Mentions are easier to find in Markdown than in HTML.
  for await (const event of session.listen({ event_types: ['message'], apply_markdown: false, ...options })) {
    const { message } = event;
    if (message.sender_id === user_id || !message.content.includes(mention)) continue;
    const content = await answer(message.content.replaceAll(mention, '').trim());
    await session.messages.send(
      message.type === 'stream'
        ? { type: 'channel', to: message.stream_id, topic: message.subject, content }
        : { type: 'direct', to: message.display_recipient.map(({ id }) => id), content },
    );
  }
}

export const echo: Answer = (question) => (question === '' ? 'Yes?' : `You said: ${question}`);

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [database, email] = process.argv.slice(2);
  const ending = new AbortController();
  process.once('SIGINT', () => ending.abort());
  if (database && email) {
    const chat = await openChat({ storage: sqlite(database) });
    chat.start();
    await answerMentions(chat.as(email), echo, { signal: ending.signal });
    await chat.close();
  } else {
    const { ZULIP_SITE: site = 'http://localhost:9991', ZULIP_EMAIL, ZULIP_API_KEY } = process.env;
    if (!ZULIP_EMAIL || !ZULIP_API_KEY)
      throw new Error('Set ZULIP_EMAIL and ZULIP_API_KEY, or pass a database and the address of a bot.');
    const session = connect({ site, email: ZULIP_EMAIL, api_key: ZULIP_API_KEY, client: 'MentionBot' });
    await answerMentions(session, echo, { signal: ending.signal });
    await session.close();
  }
}
