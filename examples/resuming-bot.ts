/**
 * A bot that resumes after a lost connection, a server restart and its own crash. It stores its place in a file.
 *
 *   ZULIP_SITE=… ZULIP_EMAIL=… ZULIP_API_KEY=… npx tsx examples/resuming-bot.ts place.json
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ChatError, connect, type QueuedEvent, type QueuePlace, type Session, Unreachable } from 'parlance-chat';

/** Answers mentions until `signal` is aborted. `place`: where an earlier run stopped. `note` stores the new place. */
export async function run(
  session: Session,
  note: (place: QueuePlace) => void,
  signal: AbortSignal,
  place?: QueuePlace,
) {
  while (!signal.aborted) {
    try {
      const { user_id, full_name } = await session.users.me();
      if (!place) {
        const types = { event_types: ['message'], fetch_event_types: [] } as const;
        const { queue_id, last_event_id } = await session.register({ ...types, idle_queue_timeout: 86_400 });
        place = { queue_id, last_event_id };
        note(place);
      }
      for await (const { id, message } of session.listen({ queue: place, event_types: ['message'], signal })) {
        if (message.sender_id !== user_id && message.content.includes(`@**${full_name}**`))
          await answer(session, message);
        place.last_event_id = id;
        note(place);
      }
    } catch (error) {
      const seconds = secondsToWait(error);
      if (seconds === undefined) throw error;
      // The queue has expired. Fetch the messages since then if you need them.
      if (error instanceof ChatError && error.code === 'BAD_EVENT_QUEUE_ID') place = undefined;
      await wait(seconds * 1000, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function answer(session: Session, message: QueuedEvent<'message'>['message']): Promise<void> {
  const to =
    message.type === 'stream'
      ? ({ type: 'channel', to: message.stream_id, topic: message.subject } as const)
      : ({ type: 'direct', to: message.display_recipient.map(({ id }) => id) } as const);
  try {
    await session.messages.send({ ...to, content: 'Yes?' });
  } catch (error) {
    // For example, the channel is archived. If this were thrown, the bot would fail again after each start.
    if (!(error instanceof ChatError) || secondsToWait(error) !== undefined) throw error;
    console.error(`Message ${message.id} was not answered: ${error.message}`);
  }
}

/** Seconds to wait before a retry; undefined if a retry cannot help. */
function secondsToWait(error: unknown): number | undefined {
  if (error instanceof Unreachable) return 5;
  if (!(error instanceof ChatError)) return undefined;
  if (error.code === 'BAD_EVENT_QUEUE_ID') return 0;
  const passes = error.code === 'RATE_LIMIT_HIT' || error.code === 'SERVICE_UNAVAILABLE';
  return passes ? Number(error.data['retry-after'] ?? 5) : undefined;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [file = 'place.json'] = process.argv.slice(2);
  const { ZULIP_SITE: site = 'http://localhost:9991', ZULIP_EMAIL: email, ZULIP_API_KEY: api_key } = process.env;
  if (!email || !api_key) throw new Error('Set ZULIP_EMAIL and ZULIP_API_KEY.');
  const session = connect({ site, email, api_key, client: 'ResumingBot' });
  const ending = new AbortController();
  process.once('SIGINT', () => ending.abort());
  const note = (place: QueuePlace) => {
    writeFileSync(`${file}.new`, JSON.stringify(place));
    renameSync(`${file}.new`, file);
  };
  const place = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as QueuePlace) : undefined;
  await run(session, note, ending.signal, place);
  await session.close();
}
