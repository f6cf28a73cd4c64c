import type { Session } from '../../lib/index.ts';
import { channelNames, findScheduledMessage, timeZoneOf, userNames } from '../lookups.ts';
import { commands } from '../operations/metadata.ts';
import { channelPlace } from '../output/conversation.ts';
import { tableOf } from '../output/text.ts';

export const scheduledMessages = commands('scheduledMessages', 'Messages that are sent later', {
  create: {
    recipients: 'ids',
    stdin: { parameter: 'content' },
    done: async ({ session, options, answer: { scheduled_message_id: id } }) =>
      `Scheduled message ${id}: ${await goesOut(session, id, options.tz)}.`,
    examples: [
      'scheduled-messages create --to general --topic lunch --at \'tomorrow 9:00\' -m "Soup today"',
      'scheduled-messages create --to ben@example.com --at \'2030-12-01 09:00\' --tz Europe/Paris -m "Happy birthday"',
    ],
  },
  edit: {
    recipients: 'new ids',
    done: async ({ session, options, parameters: { scheduled_message_id: id } }) =>
      `Changed scheduled message ${id}: ${await goesOut(session, id, options.tz)}.`,
    examples: [
      "scheduled-messages edit 7 --at 'friday 17:30'",
      'scheduled-messages edit 7 -m "Soup tomorrow" --topic menu',
    ],
  },
  list: {
    async done({ session, answer: { scheduled_messages: all }, terminal }) {
      const time = await timesIn(session);
      return tableOf(all, terminal, {
        ID: 'scheduled_message_id',
        TIME: (message) => time(message.scheduled_delivery_timestamp),
        ...(all.some(({ failed }) => failed) && { FAILED: ({ failed }) => (failed ? 'not sent' : '') }),
        TO: await places(session, all),
        MESSAGE: ({ content }) => content,
      });
    },
  },
  delete: {
    confirm: 'Delete this scheduled message?',
    async before({ session, parameters: { scheduled_message_id: id } }) {
      const message = await findScheduledMessage(session, id);
      const where = message && (await places(session, [message]))(message);
      return () => `Deleted scheduled message ${id}${where === undefined ? '' : ` to ${where}`}.`;
    },
  },
});

/** Formats times in the zone of `--tz`, or of the account. */
async function timesIn(session: Session, tz?: unknown): Promise<(seconds: number) => string> {
  const { formatTimestamp } = await import('../arguments/dates.ts');
  const zone = typeof tz === 'string' ? tz : await timeZoneOf(session);
  return (seconds) => formatTimestamp(seconds, zone);
}

/** Destination and time. Read back, because the server may have shortened the topic. */
async function goesOut(session: Session, id: number, tz: unknown): Promise<string> {
  const message = await findScheduledMessage(session, id);
  if (!message) return 'it has been sent';
  const time = await timesIn(session, tz);
  const place = (await places(session, [message]))(message);
  return `to ${place} on ${time(message.scheduled_delivery_timestamp)}`;
}

/** A channel, or a list of users. Drafts have a type and always a list. */
type Addressed = { type?: string; to: number | number[]; topic?: string };

async function places(session: Session, all: readonly Addressed[]): Promise<(message: Addressed) => string> {
  const isChannel = ({ type, to }: Addressed) => type === 'stream' || typeof to === 'number';
  const idsOf = (some: readonly Addressed[]) => some.flatMap(({ to }) => to);
  const channel = await channelNames(session, idsOf(all.filter(isChannel)));
  const user = await userNames(session, idsOf(all.filter((message) => !isChannel(message))));
  return (message) => {
    const [first = 0, ...more] = [message.to].flat();
    if (isChannel(message)) return `"${channelPlace(channel(first), message.topic ?? '')}"`;
    return [first, ...more].map(user).join(', ');
  };
}

export const reminders = commands('reminders', 'Reminders about messages', {
  create: {
    args: ['message_id'],
    async done({ session, options, parameters, answer: { reminder_id } }) {
      const { message_id, scheduled_delivery_timestamp: at } = parameters;
      const time = await timesIn(session, options.tz);
      return `Created reminder ${reminder_id} about message ${message_id} for ${time(at)}.`;
    },
    examples: ['reminders create 7 --at \'monday 9:00\' --note "Answer this"', 'reminders create 7 --at +1h'],
  },
  list: {
    async done({ session, answer: { reminders: all }, terminal }) {
      const time = await timesIn(session);
      return tableOf(all, terminal, {
        ID: 'reminder_id',
        TIME: (reminder) => time(reminder.scheduled_delivery_timestamp),
        MESSAGE: 'reminder_target_message_id',
        TEXT: ({ content }) => content,
      });
    },
  },
  delete: { confirm: 'Delete reminder {reminder_id}?' },
});

export const drafts = commands('drafts', 'Drafts of messages', {
  list: {
    async done({ session, answer, terminal }) {
      const to = await places(session, answer.drafts);
      return tableOf(answer.drafts, terminal, { ID: 'id', TO: to, EDITED: 'timestamp', TEXT: 'content' });
    },
  },
  create: {
    draft: 'drafts',
    done: ({ answer: { ids } }) =>
      ids.length === 1
        ? `Saved draft ${ids[0]}.`
        : `Saved ${ids.length} drafts${ids.length ? `: ${ids.join(', ')}` : ''}.`,
    examples: [
      'drafts create --to general --topic lunch -m "Soup or"',
      'drafts create --to ben@example.com -m "A word with you"',
    ],
  },
  edit: {
    draft: 'draft',
    done: 'Changed draft {draft_id}.',
    examples: ['drafts edit 4 -m "Soup or salad?"', 'drafts edit 4 --to kitchen --topic menu'],
  },
  remove: { confirm: 'Remove draft {draft_id} permanently?' },
});
