import type { Session } from '../../lib/index.ts';
import { channelNames, findMessage, userNames } from '../lookups.ts';
import { moment } from './cells.ts';
import { body, channelPlace, type Message, othersIn } from './conversation.ts';
import { markedChanges } from './marked-changes.ts';
import { oneLine } from './sanitize.ts';
import type { Terminal } from './terminal.ts';
import { changeOfTopic } from './topic-change.ts';
import { wordDiff } from './word-diff.ts';

/** A version in a message history. */
export interface Version {
  topic: string;
  content: string;
  timestamp: number;
  user_id: number | null;
  prev_topic?: string;
  stream?: number;
  prev_stream?: number;
  prev_content?: string;
}

/** Data that the versions do not contain. */
export interface Context {
  /** The current message. Undefined if it cannot be read any more. */
  message: Message | undefined;
  person(id: number): string;
  channel(id: number): string;
}

/** Limit for changed words in all versions. The work grows with their square. */
const MAX_CHANGES = 1_000;

/** Prints the history of a message, with the names of users and channels. */
export async function messageHistory(
  versions: readonly Version[],
  message_id: number,
  { session, terminal }: { session: Session; terminal: Terminal },
): Promise<string> {
  const message = await findMessage(session, message_id);
  const channels = versions.flatMap(({ stream, prev_stream }) => [stream, prev_stream].flatMap((id) => id ?? []));
  const people = versions.flatMap(({ user_id }) => user_id ?? []);
  const channel = await channelNames(session, channels);
  const person = await userNames(session, people);
  // System bots are not in the list of users. Their names are only on their messages.
  const name = (id: number) => (id === message?.sender_id ? oneLine(message.sender_full_name) : person(id));
  return history(versions, { message, person: name, channel }, terminal);
}

/** Prints the versions of a message, oldest first: time, user, action, and changes in the text. */
export function history(versions: readonly Version[], context: Context, terminal: Terminal): string {
  const { message } = context;
  const edits = versions.filter(({ prev_content }) => prev_content !== undefined).length;
  const maxChanges = Math.floor(MAX_CHANGES / Math.sqrt(Math.max(1, edits)));
  // If an organization shows only moves, every version has the current text.
  const isTextHidden = edits === 0 && message?.last_edit_timestamp !== undefined;
  const blocks = versions.map((version, index) => {
    const { timestamp, user_id, prev_content, content } = version;
    const who = user_id === null ? 'Unknown user' : context.person(user_id);
    const did = index === 0 ? `sent it${firstPlace(versions, context)}` : describeChange(version, context);
    const head = `${terminal.style('dim', moment(timestamp))}  ${terminal.style('cyan', who)} ${did}`;
    if (index === 0) return [head, ...(isTextHidden ? [] : body(content, terminal))];
    if (prev_content === undefined) return [head];
    const lines = markedChanges(wordDiff(prev_content, content, maxChanges), terminal);
    return [head, ...lines.map((line) => `    ${line}`.trimEnd())];
  });
  if (isTextHidden) blocks.push([terminal.style('dim', 'This organization does not show edits of the text.')]);
  return blocks.map((lines) => lines.join('\n')).join('\n\n');
}

function firstPlace(versions: readonly Version[], { message, channel }: Context): string {
  const [first] = versions;
  if (message === undefined || first === undefined) return '';
  const { display_recipient } = message;
  if (typeof display_recipient !== 'string') return ` to ${othersIn(message).join(', ') || 'themselves'}`;
  const moved = versions.find(({ prev_stream }) => prev_stream !== undefined)?.prev_stream;
  return ` to "${channelPlace(moved === undefined ? display_recipient : channel(moved), first.topic)}"`;
}

function describeChange(
  { topic, prev_topic, stream, prev_stream, prev_content }: Version,
  { channel }: Context,
): string {
  const changes: string[] = [];
  if (prev_content !== undefined) changes.push('edited it');
  if (stream !== undefined && prev_stream !== undefined) {
    const from = channelPlace(channel(prev_stream), prev_topic ?? topic);
    changes.push(`moved it from "${from}" to "${channelPlace(channel(stream), topic)}"`);
  } else if (prev_topic !== undefined) {
    changes.push(changeOfTopic(prev_topic, topic));
  }
  return changes.length === 0 ? 'changed it' : changes.join(' and ');
}
