import type { ListenOptions } from '../../lib/index.ts';
import { present } from '../../lib/internal.ts';
import { EXIT, Failure, UsageError } from '../failure.ts';
import { commands, commandsByThemselves } from '../operations/metadata.ts';
import { isMessage, messageLine } from '../output/conversation.ts';
import { jsonText } from '../output/json.ts';
import { onInterruption, type Terminal } from '../output/terminal.ts';
import { cell, details, tableOf } from '../output/text.ts';
import { connectedCommand, currentState, type Values, withSession } from './local-command.ts';

interface ListenFlags {
  eventTypes?: string;
  channel?: string;
  topic?: string;
  allPublicStreams?: boolean;
  count?: number;
}

const listen = connectedCommand<ListenFlags>('listen', {
  summary: 'Print events as they happen',
  description: 'Print events as they happen, one per line, until Ctrl-C. With --json, each line is a JSON object.',
  options: [
    ['--event-types <list>', 'only these types, separated by commas'],
    ['--channel <name>', 'only messages in this channel'],
    ['--topic <text>', 'only messages in this topic'],
    ['--all-public-streams', 'also messages in public channels you are not subscribed to'],
    ['--count <number>', 'stop after this many events', wholeNumber],
  ],
  examples: ['events listen --event-types message', 'events listen --json | jq .type'],
  async run({ options, terminal }) {
    const { json = false, count = Number.POSITIVE_INFINITY, channel, topic } = options;
    const types = options.eventTypes === undefined ? undefined : await eventTypes(options.eventTypes);
    // Without --jq, each event stays on one line, also on a terminal.
    const jsonTerminal = { isTerminal: options.jq !== undefined && terminal.isTerminal };
    const ending = new AbortController();
    await withSession(options, async (session) => {
      onInterruption(() => ending.abort());
      if (terminal.errIsTerminal && count > 0) terminal.err('Listening. Press Ctrl-C to stop.');
      const wanted = {
        event_types: types as ListenOptions['event_types'],
        narrow: Object.entries({ channel, topic }).filter((term): term is [string, string] => term[1] !== undefined),
        all_public_streams: options.allPublicStreams,
        apply_markdown: json,
        signal: ending.signal,
      };
      let left = count;
      if (left > 0) {
        for await (const event of session.listen(wanted)) {
          const text = json ? jsonText(event, jsonTerminal) : eventLine(event as object as Values, terminal);
          if (text !== '') terminal.out(text);
          if (--left <= 0) break;
        }
      }
      if (ending.signal.aborted) throw new Failure('', undefined, EXIT.interrupted);
    });
  },
});

export const events = commands(
  'events',
  'Real-time events and event queues',
  { delete: { undo: 'register', done: 'Deleted the queue {queue_id}.' } },
  listen,
);

/** Refuses unknown types, because the command would wait forever. */
async function eventTypes(given: string): Promise<string[]> {
  const { registered } = await import('../../lib/internal.ts');
  const known = new Set(registered.events.map(({ eventName }) => present(eventName.split('/')[0])));
  const types = given.split(',').flatMap((type) => type.trim() || []);
  if (types.length === 0) throw new UsageError('--event-types is empty.', 'Omit it to get all types.');
  const strange = types.find((type) => !known.has(type));
  if (strange !== undefined)
    throw new UsageError(`Unknown event type "${strange}".`, `Event types: ${[...known].sort().join(', ')}.`);
  return types;
}

function wholeNumber(text: string): number {
  if (!/^[0-9]+$/.test(text)) throw new UsageError('--count must be a whole number.');
  return Number(text);
}

function eventLine(event: Readonly<Record<string, unknown>>, terminal: Terminal): string {
  const { id: _id, type, op, message, ...rest } = event;
  if (type === 'message' && isMessage(message)) return messageLine(message, terminal);
  const title = op === undefined ? String(type) : `${String(type)} ${String(op)}`;
  const fields = Object.entries({ ...(message === undefined ? {} : { message }), ...rest })
    .map(([name, value]) => `${name}=${cell(name, value)}`)
    .join('  ');
  return `${terminal.style('bold', title)}  ${fields}`.trimEnd();
}

const account = { parameter: 'username', label: 'EMAIL' } as const;

const printDetails = ({ answer, terminal }: { answer: object; terminal: Terminal }) =>
  details(answer as Record<string, unknown>, terminal);

export const topLevelCommands = commandsByThemselves({
  register: {
    // A response with one list prints as a table by default, but the queue ID is needed too.
    done: printDetails,
    examples: ["register --event-types message --fetch-event-types '[]'"],
  },
  fetchApiKey: {
    args: [account],
    done: '{api_key}',
    examples: ['fetch-api-key ada@example.com --password-stdin < password.txt'],
  },
  devFetchApiKey: { args: [account], done: '{api_key}' },
  devListUsers: { done: printDetails },
});

type Devices = Record<string, { status: string; error_code: string | null }>;

const listDevices = connectedCommand('devices', {
  summary: 'List your registered devices',
  examples: ['push devices'],
  run: ({ options, terminal, print }) =>
    withSession(options, async (session) => {
      const { push_devices } = await currentState(session, 'push_device');
      const text = tableOf(Object.entries(push_devices as Devices), terminal, {
        DEVICE: ([id]) => id,
        STATUS: ([, { status }]) => status,
        REASON: ([, { error_code }]) => error_code,
      });
      print({ push_devices }, text || 'You have no registered devices. Devices added by their token are not listed.');
    }),
});

export const push = commands(
  'push',
  'Devices and browsers with push notifications',
  {
    register: {
      done: 'Requested the registration of device {push_account_id}. `chatctl push devices` shows its status.',
    },
    sendTest: {
      aliases: ['test'],
      examples: ['push test', 'push test --push-account-id 2408'],
      done: ({ parameters: { push_account_id } }) =>
        `The push relay accepted a test notification for ${push_account_id === undefined ? 'all your devices' : `device ${push_account_id}`}.`,
    },
    sendPlainTest: { done: 'The push relay accepted a test notification for your devices.' },
    addApnsToken: { args: ['token'], done: 'Added the device.' },
    removeApnsToken: { undo: 'push add-apns-token', args: ['token'], done: 'Removed the device.' },
    addFcmToken: { args: ['token'], done: 'Added the device.' },
    getWebKey: { aliases: ['web-keys'], done: '{public_key}' },
    regenerateWebKey: {
      confirm:
        'Replace the keys for push notifications in browsers? Each browser gets none until it opens the chat again.',
      done: 'Replaced the keys. The public key is now {public_key}.',
    },
    addBrowser: { done: 'Added the browser.' },
    removeBrowser: { undo: 'push add-browser', args: ['endpoint'], done: 'Removed the browser.' },
    removeFcmToken: { undo: 'push add-fcm-token', args: ['token'], done: 'Removed the device.' },
  },
  listDevices,
);
