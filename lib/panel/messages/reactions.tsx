import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { EmojiRef, Message, Reaction } from '../../client/store/types.ts';
import { EmojiPicture } from '../composer/emoji-picture.tsx';
import { useCell, usePanel } from '../context.ts';
import { useFailures } from './failures.ts';
import { usePeople } from './people.ts';

/** Names in the label of a reaction; others are counted. */
const MAX_NAMES = 10;

interface Group {
  readonly emoji: Required<EmojiRef>;
  readonly userIds: readonly number[];
}

export function groupsOf(reactions: readonly Reaction[]): Group[] {
  const groups = new Map<string, { emoji: Required<EmojiRef>; userIds: number[] }>();
  for (const { emoji_name, emoji_code, reaction_type, user_id } of reactions) {
    const key = `${reaction_type} ${emoji_code}`;
    const group = groups.get(key) ?? { emoji: { emoji_name, emoji_code, reaction_type }, userIds: [] };
    group.userIds.push(user_id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

export function Reactions({ message }: { message: Message }): VNode | null {
  const { words } = usePanel();
  const groups = useMemo(() => groupsOf(message.reactions), [message.reactions]);
  if (groups.length === 0) return null;
  return (
    <ul class="reactions" part="reactions" aria-label={words.reactions}>
      {groups.map((group) => (
        <li key={`${group.emoji.reaction_type} ${group.emoji.emoji_code}`}>
          <ReactionButton messageId={message.id} group={group} />
        </li>
      ))}
    </ul>
  );
}

function ReactionButton({ messageId, group }: { messageId: number; group: Group }): VNode {
  const { store, words, formats, isReadonly } = usePanel();
  const failed = useFailures();
  const me = useCell(store.me)?.user_id;
  const { emoji, userIds } = group;
  const isOwn = me !== undefined && userIds.includes(me);
  const others = userIds.filter((id) => id !== me);
  const people = usePeople(others.slice(0, MAX_NAMES));
  const names = people.map((person) => person?.full_name ?? words.unknownUser);
  if (isOwn) names.unshift(words.youInNames);
  if (others.length > MAX_NAMES) names.push(words.others(others.length - MAX_NAMES));
  const label = words.reactionBy(formats.list(names), `:${emoji.emoji_name}:`);
  return (
    <button
      type="button"
      class="reaction"
      part="reaction"
      aria-pressed={isOwn}
      title={label}
      disabled={isReadonly}
      onClick={() => store.react(messageId, emoji, !isOwn).catch(failed)}
    >
      <span class="visible" aria-hidden="true">
        <ReactionEmoji emoji={emoji} />
        {formats.number(userIds.length)}
      </span>
      <span class="visually-hidden">{label}</span>
    </button>
  );
}

function ReactionEmoji({ emoji }: { emoji: Required<EmojiRef> }): VNode {
  const { store } = usePanel();
  const custom = useCell(store.customEmoji);
  const isCustom = emoji.reaction_type !== 'unicode_emoji';
  const url = isCustom ? [...custom.values()].find(({ code }) => code === emoji.emoji_code)?.url : undefined;
  return <EmojiPicture {...emoji} {...(url !== undefined && { url })} />;
}
