import { moment } from './cells.ts';
import { body, channelPlace, othersIn, type Shown } from './conversation.ts';
import { markedChanges } from './marked-changes.ts';
import type { Terminal } from './terminal.ts';
import { changeOfTopic } from './topic-change.ts';
import { wordDiff } from './word-diff.ts';

/** What a message history says of one version. */
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

export interface Known {
  /** As it is now; absent where it cannot be read any more. */
  message: Shown | undefined;
  person(id: number): string;
  channel(id: number): string;
}

/** Changed words all versions together may have, as the side of a square. */
const REACH = 1_000;

/** The versions of a message, oldest first: when, who, what they did to it, and what changed in the text. */
export function history(versions: readonly Version[], known: Known, terminal: Terminal): string {
  const { message } = known;
  const edits = versions.filter(({ prev_content }) => prev_content !== undefined).length;
  const reach = Math.floor(REACH / Math.sqrt(Math.max(1, edits)));
  // Where an organization shows moves only, every version carries the present text.
  const isTextHidden = edits === 0 && message?.last_edit_timestamp !== undefined;
  const blocks = versions.map((version, index) => {
    const { timestamp, user_id, prev_content, content } = version;
    const who = user_id === null ? 'Somebody' : known.person(user_id);
    const did = index === 0 ? `sent it${firstPlace(versions, known)}` : deed(version, known);
    const head = `${terminal.style('dim', moment(timestamp))}  ${terminal.style('cyan', who)} ${did}`;
    if (index === 0) return [head, ...(isTextHidden ? [] : body(content, terminal))];
    if (prev_content === undefined) return [head];
    const lines = markedChanges(wordDiff(prev_content, content, reach), terminal);
    return [head, ...lines.map((line) => `    ${line}`.trimEnd())];
  });
  if (isTextHidden) blocks.push([terminal.style('dim', 'How its text was edited is not shown here.')]);
  return blocks.map((lines) => lines.join('\n')).join('\n\n');
}

function firstPlace(versions: readonly Version[], { message, channel }: Known): string {
  const [first] = versions;
  if (message === undefined || first === undefined) return '';
  const { display_recipient } = message;
  if (typeof display_recipient !== 'string') return ` to ${othersIn(message).join(', ') || 'themselves'}`;
  const moved = versions.find(({ prev_stream }) => prev_stream !== undefined)?.prev_stream;
  return ` to "${channelPlace(moved === undefined ? display_recipient : channel(moved), first.topic)}"`;
}

function deed({ topic, prev_topic, stream, prev_stream, prev_content }: Version, { channel }: Known): string {
  const deeds: string[] = [];
  if (prev_content !== undefined) deeds.push('edited it');
  if (stream !== undefined && prev_stream !== undefined) {
    const from = channelPlace(channel(prev_stream), prev_topic ?? topic);
    deeds.push(`moved it from "${from}" to "${channelPlace(channel(stream), topic)}"`);
  } else if (prev_topic !== undefined) {
    deeds.push(changeOfTopic(prev_topic, topic));
  }
  return deeds.length === 0 ? 'changed it' : deeds.join(' and ');
}
