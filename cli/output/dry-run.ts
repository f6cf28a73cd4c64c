import type { DryRun, DryRunEvent, Session } from '../../lib/index.ts';
import { channelNames } from '../lookups.ts';
import type { Terminal } from './terminal.ts';
import { cell, moment, nameOf, oneLine, table } from './text.ts';

const MAX_SUMMARY_LENGTH = 100;

/** The events and side effects of a dry run, as a table. */
export async function consequencesText(
  session: Session,
  { events, events_left_out: left = 0, side_effects }: DryRun,
  terminal: Terminal,
): Promise<string> {
  if (events.length + side_effects.length === 0) return 'You would receive no event.';
  const made = madeChannels(events);
  const ids = events.map(({ recipients }) => recipients.channel).filter((id) => id !== undefined && !made.has(id));
  const nameOfPresent = await channelNames(session, ids as number[]);
  const channelName = (id: number) => made.get(id) ?? nameOfPresent(id);
  const rows = [
    ...events.map((event) => [
      eventName(event),
      recipientsText(event, channelName),
      event.event === null ? '' : summaryOf(event.event),
    ]),
    ...side_effects.map(({ kind, due_ms }) => [kind, '', due_ms ? `at ${moment(due_ms / 1000)}` : '']),
  ];
  const text = table(['WOULD SEND', 'TO', 'WHAT'], rows, terminal);
  return left > 0 ? `${text}\nand ${left} more events` : text;
}

/** The events and side effects of several dry runs. */
export const effectsOf = (dryRuns: readonly DryRun[]) => ({
  events: dryRuns.flatMap(({ events }) => events),
  events_left_out: dryRuns.reduce((sum, { events_left_out = 0 }) => sum + events_left_out, 0),
  side_effects: dryRuns.flatMap(({ side_effects }) => side_effects),
});

/** Names of channels that the dry run would create. Only their events contain the names. */
export function madeChannels(events: readonly DryRunEvent[]): Map<number, string> {
  const created = events.flatMap(({ event }) =>
    event?.type === 'stream' && event.op === 'create' ? event.streams : [],
  );
  return new Map(created.map(({ stream_id, name }) => [stream_id, oneLine(name)]));
}

function eventName({ type, op, archived_channels }: DryRunEvent): string {
  const name = op === undefined ? type : `${type}/${op}`;
  if (archived_channels === undefined) return name;
  return `${name} (clients that ${archived_channels ? 'know' : 'do not know'} archived channels)`;
}

function recipientsText({ recipients }: DryRunEvent, channelName: (id: number) => string): string {
  const { scope, channel } = recipients;
  const places = [
    ...(scope === undefined ? [] : [SCOPES[scope]]),
    ...(channel === undefined ? [] : [`subscribers of ${channelName(channel)}`]),
  ];
  return places.length > 0 ? places.join(', ') : 'you, maybe others';
}

const SCOPES = {
  everyone: 'all users',
  members: 'all users except guests',
  public: 'clients that read all public channels',
} as const;

function summaryOf({ type, op, ...fields }: { type: string; op?: string }): string {
  const pairs = Object.entries(fields).map(([name, value]) => [name, nameOf(value) ?? cell(name, value)]);
  const filled = pairs.filter(([, text]) => text !== '');
  const text = oneLine(filled.map((pair) => pair.join(' ')).join('; '));
  return text.length > MAX_SUMMARY_LENGTH ? `${text.slice(0, MAX_SUMMARY_LENGTH - 1)}…` : text;
}
