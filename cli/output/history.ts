import { diffArrays } from 'diff/lib/diff/array.js';
import type { Session } from '../../lib/index.ts';
import { present } from '../../lib/internal.ts';
import { channelNames, findMessage, userNames } from '../lookups.ts';
import { body, changeOfTopic, channelPlace, type Message, othersIn } from './conversation.ts';
import type { Terminal } from './terminal.ts';
import { moment, oneLine, sanitize } from './text.ts';

/** The texts are Markdown. */
export type Version = Omit<
  Awaited<ReturnType<Session['messages']['history']>>['message_history'][number],
  'rendered_content'
>;

interface Context {
  /** The current message. Undefined if it cannot be read any more. */
  message: Message | undefined;
  person(id: number): string;
  channel(id: number): string;
}

/** Limit for changed words in all versions. The work grows with their square. */
const MAX_CHANGES = 1_000;

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

function describeChange({ topic, prev_topic, stream, prev_stream, prev_content }: Version, { channel }: Context) {
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

const CONTEXT_LINES = 2;

/** The text with deletions and insertions marked, by colour or as `[-so-]{+so+}`. */
export function markedChanges(changes: readonly Change[], terminal: Terminal): string[] {
  const lines: { text: string; isChanged: boolean }[] = [{ text: '', isChanged: false }];
  for (const { kind, text } of changes) {
    const parts = sanitize(text).split('\n');
    for (const [index, part] of parts.entries()) {
      if (index > 0) lines.push({ text: '', isChanged: false });
      const line = present(lines.at(-1));
      // Makes a changed line break visible.
      const isBlank = part === '' && index < parts.length - 1 && (index > 0 || /^\n+$/.test(text));
      const shown = kind !== 'same' && isBlank ? '⏎' : part;
      line.text += mark(kind, shown, terminal);
      line.isChanged ||= kind !== 'same' && shown !== '';
    }
  }
  return aroundChanges(lines);
}

function mark(kind: Change['kind'], text: string, { style, isColoured }: Terminal): string {
  if (kind === 'same' || text === '') return text;
  if (kind === 'deleted') return isColoured ? style(['red', 'strikethrough'], text) : `[-${text}-]`;
  // Underlined too: some users cannot distinguish red and green, and spaces have no colour.
  return isColoured ? style(['green', 'underline'], text) : `{+${text}+}`;
}

function aroundChanges(lines: readonly { text: string; isChanged: boolean }[]): string[] {
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1).some(({ isChanged }) => isChanged);
  const shown: string[] = [];
  for (let at = 0; at < lines.length; ) {
    let near = at;
    while (near < lines.length && !isNear(near)) near++;
    const far = near - at;
    shown.push(far > 1 ? `⋮ ${far} unchanged lines` : present(lines[at]).text);
    at += Math.max(far, 1);
  }
  return shown;
}

type Change = { kind: 'same' | 'deleted' | 'inserted'; text: string };

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** A diff by words. Above `maxChanges`, the whole text counts as deleted and inserted. */
export function wordDiff(before: string, after: string, maxChanges = 1_000): Change[] {
  const changes = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: maxChanges });
  if (!changes) return some([change('deleted', before), change('inserted', after)]);
  return joined(
    changes.map(({ added, removed, value }) =>
      change(removed ? 'deleted' : added ? 'inserted' : 'same', value.join('')),
    ),
  );
}

const wordsOf = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);

const change = (kind: Change['kind'], text: string): Change => ({ kind, text });
const some = (changes: Change[]) => changes.filter(({ text }) => text !== '');

/** Joins adjacent changes into one change, including the spaces between them. */
function joined(changes: readonly Change[]): Change[] {
  const result: Change[] = [];
  let deleted = '';
  let inserted = '';
  const finish = () => {
    result.push(...some([change('deleted', deleted), change('inserted', inserted)]));
    deleted = '';
    inserted = '';
  };
  for (const [index, { kind, text }] of changes.entries()) {
    const isBetween = kind === 'same' && deleted !== '' && inserted !== '' && /^[^\S\n]+$/.test(text);
    if (isBetween && changes[index + 1] && replaces(changes, index + 1)) {
      deleted += text;
      inserted += text;
    } else if (kind === 'deleted') deleted += text;
    else if (kind === 'inserted') inserted += text;
    else {
      finish();
      result.push({ kind, text });
    }
  }
  finish();
  return result;
}

function replaces(changes: readonly Change[], from: number): boolean {
  const kinds = [changes[from]?.kind, changes[from + 1]?.kind];
  return kinds.includes('deleted') && kinds.includes('inserted');
}
