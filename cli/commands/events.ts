import { Command } from 'commander';
import type { ListenOptions, QueuedEvent } from '../../lib/index.ts';
import { chooseConnection } from '../connection.ts';
import { EXIT, Failure, UsageError } from '../failure.ts';
import { addGlobalOptions, globalOptions } from '../global-options.ts';
import { addExamples } from '../help.ts';
import { onInterruption } from '../interruption.ts';
import { openSession } from '../open-session.ts';
import { commands } from '../operations/metadata.ts';
import { isMessage, messageLine } from '../output/conversation.ts';
import { jsonText } from '../output/json.ts';
import { cell } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';

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
