import { emojiShown } from './emoji.ts';

interface Marked {
  last_edit_timestamp?: number;
  last_moved_timestamp?: number;
  flags?: readonly string[];
}

const FLAGS: Readonly<Record<string, string>> = {
  mentioned: 'mentions you',
  stream_wildcard_mentioned: 'mentions everybody',
  topic_wildcard_mentioned: 'mentions the topic',
  starred: 'starred',
  collapsed: 'collapsed',
};

/** What is worth knowing about a message beside its text: `edited, starred`. */
export function marks({ last_edit_timestamp, last_moved_timestamp, flags = [] }: Marked): string {
  return [
    ...(last_edit_timestamp === undefined ? [] : ['edited']),
    ...(last_moved_timestamp === undefined ? [] : ['moved']),
    ...Object.entries(FLAGS).flatMap(([flag, words]) => (flags.includes(flag) ? [words] : [])),
  ].join(', ');
}

interface Reaction {
  emoji_name: string;
  emoji_code: string;
  reaction_type: string;
}

/** `👍 2  :parrot: 1`, in the order in which they were first given. */
export function reactionLine(reactions: readonly Reaction[]): string {
  const counts = new Map<string, number>();
  for (const reaction of reactions) {
    const shown = emojiShown(reaction);
    counts.set(shown, (counts.get(shown) ?? 0) + 1);
  }
  return [...counts].map(([shown, count]) => `${shown} ${count}`).join('  ');
}
