import { Command } from 'commander';
import type { ListenOptions, QueuedEvent } from '../../lib/index.ts';
import { chooseConnection } from '../connection.ts';
import { EXIT, Failure, UsageError } from '../failure.ts';
import { addGlobalOptions, globalOptions } from '../global-options.ts';
import { addExamples } from '../help.ts';
import { onInterruption } from '../interruption.ts';
import { openSession } from '../open-session.ts';
import { commands, commandsByThemselves } from '../operations/metadata.ts';
import { isMessage, messageLine } from '../output/conversation.ts';
import { jsonText } from '../output/json.ts';
import { showJson } from '../output/result.ts';
import { sanitize } from '../output/sanitize.ts';
import { cell, details, table } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';
import { currentState, sessionCommand, withSession } from './session-command.ts';

export const events = commands(
  'events',
  'Real-time events and event queues',
  { delete: { undo: 'register', done: ({ parameters: { queue_id } }) => `Deleted the queue ${queue_id}.` } },
  listenCommand,
);

interface ListenFlags {
  eventTypes?: string;
  channel?: string;
  topic?: string;
  allPublicStreams?: boolean;
  count?: number;
}

function listenCommand(terminal: Terminal): Command {
  const command = new Command('listen')
    .summary('Print events as they happen')
    .description('Print events as they happen, one per line, until Ctrl-C. With --json, each line is a JSON object.')
    .option('--event-types <list>', 'only these types, separated by commas', (text) => text)
    .option('--channel <name>', 'only messages in this channel')
    .option('--topic <text>', 'only messages in this topic')
    .option('--all-public-streams', 'also messages in public channels you are not subscribed to')
    .option('--count <number>', 'stop after this many events', wholeNumber);
  addExamples(command, ['events listen --event-types message', 'events listen --json | jq .type']);
  addGlobalOptions(command);
  return command.action(async () => {
    const options = globalOptions(command);
    const flags = command.opts<ListenFlags>();
    const types = flags.eventTypes === undefined ? undefined : await eventTypes(flags.eventTypes);
    const { session, close } = await openSession(chooseConnection(options));
    const ending = new AbortController();
    onInterruption(() => ending.abort());
    try {
      let left = flags.count ?? Number.POSITIVE_INFINITY;
      if (left > 0) {
        if (terminal.errIsTerminal) terminal.err('Listening. Press Ctrl-C to stop.');
        for await (const event of session.listen({
          ...(registration(flags, types) as ListenOptions),
          apply_markdown: options.json === true,
          signal: ending.signal,
        })) {
          const text = options.json
            ? // Without --jq, each event stays on one line, also on a terminal.
              jsonText(event, { isTerminal: options.jq !== undefined && terminal.isTerminal })
            : eventLine(event as QueuedEvent & Record<string, unknown>, terminal);
          if (text !== '') terminal.out(text);
          if (--left <= 0) break;
        }
      }
      if (ending.signal.aborted) throw new Failure('', EXIT.interrupted);
    } finally {
      await close();
    }
  });
}

/** Refuses unknown types, because the command would wait forever. */
async function eventTypes(given: string): Promise<string[]> {
  const { registered } = await import('../../lib/internal.ts');
  const known = new Set(registered.events.map(({ eventName }) => eventName.split('/')[0] as string));
  const types = given.split(',').flatMap((type) => type.trim() || []);
  if (types.length === 0) throw new UsageError('--event-types is empty.', 'Omit it to get all types.');
  const strange = types.find((type) => !known.has(type));
  if (strange !== undefined) {
    throw new UsageError(`Unknown event type "${strange}".`, `Event types: ${[...known].sort().join(', ')}.`);
  }
  return types;
}

function registration({ channel, topic, allPublicStreams }: ListenFlags, eventTypes: string[] | undefined) {
  const narrow: [string, string][] = [];
  if (channel !== undefined) narrow.push(['channel', channel]);
  if (topic !== undefined) narrow.push(['topic', topic]);
  return {
    ...(eventTypes ? { event_types: eventTypes } : {}),
    ...(narrow.length > 0 ? { narrow } : {}),
    ...(allPublicStreams ? { all_public_streams: true } : {}),
  };
}

function wholeNumber(text: string): number {
  if (!/^[0-9]+$/.test(text)) throw new UsageError('--count must be a whole number.');
  return Number(text);
}

/** An event on one line: a message as text, other events as type and fields. */
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

export const topLevelCommands = commandsByThemselves({
  register: {
    // A response with one list prints as a table by default, but the queue ID is needed too.
    done: ({ answer, terminal }) => details(answer as object as Record<string, unknown>, terminal),
    examples: ["register --event-types message --fetch-event-types '[]'"],
  },
  fetchApiKey: {
    args: [account],
    done: ({ answer }) => answer.api_key,
    examples: ['fetch-api-key ada@example.com --password-stdin < password.txt'],
  },
  devFetchApiKey: {
    args: [account],
    done: ({ answer }) => answer.api_key,
    examples: ['dev-fetch-api-key ada@example.com'],
  },
});

type Devices = Record<string, { status: string; error_code: string | null }>;

const token = { parameter: 'token', label: 'TOKEN' } as const;

export const push = commands(
  'push',
  'Devices with push notifications',
  {
    register: {
      done: ({ parameters }) =>
        `Requested the registration of device ${parameters.push_account_id}. \`chatctl push devices\` shows its status.`,
    },
    sendTest: {
      aliases: ['test'],
      done: ({ parameters: { push_account_id } }) =>
        `The push relay accepted a test notification for ${push_account_id === undefined ? 'all your devices' : `device ${push_account_id}`}.`,
      examples: ['push test', 'push test --push-account-id 2408'],
    },
    addApnsToken: {
      args: [token],
      done: () => 'Added the device.',
      examples: ['push add-apns-token c0ffee --appid com.example.chat'],
    },
    removeApnsToken: {
      undo: 'push add-apns-token',
      args: [token],
      done: () => 'Removed the device.',
      examples: ['push remove-apns-token c0ffee'],
    },
    addFcmToken: { args: [token], done: () => 'Added the device.', examples: ['push add-fcm-token fcm-token'] },
    removeFcmToken: {
      undo: 'push add-fcm-token',
      args: [token],
      done: () => 'Removed the device.',
      examples: ['push remove-fcm-token fcm-token'],
    },
  },
  devicesCommand,
);

/** The API has no route for this list. It is part of the state that `register` returns. */
function devicesCommand(terminal: Terminal): Command {
  const summary = 'List your registered devices';
  const command = sessionCommand('devices', { summary, examples: ['push devices'] });
  return command.action(() =>
    withSession(command, async (session, options) => {
      const { push_devices } = await currentState(session, 'push_device');
      if (options.json) return showJson({ push_devices }, terminal);
      const devices = Object.entries(push_devices as Devices);
      if (devices.length === 0) return terminal.out('You have no registered devices.');
      const rows = devices.map(([id, { status, error_code }]) => [id, status, sanitize(error_code ?? '')]);
      terminal.out(table(['DEVICE', 'STATUS', 'REASON'], rows, terminal));
    }),
  );
}
