/** Rows of the list: messages with their reactions, and own messages until the server confirms them. */

import { Component, type VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { isMention } from '../../client/store/places.ts';
import type { EmojiRef, Message, Reaction } from '../../client/store/types.ts';
import { EmojiPicture } from '../composer/emoji-picture.tsx';
import { MessageContent } from '../content/content.tsx';
import { useCell, usePanel, usePeople } from '../context.ts';
import { Icon } from '../icons.tsx';
import { ActionBar, EditMessage, Widget } from '../parts.ts';
import type { ConversationWords } from '../words/conversation-words.ts';
import { Avatar } from './avatar.tsx';
import { type ListActions, useFailures, useListActions } from './list-context.ts';
import { SenderPresence } from './presence-mark.tsx';

interface RowProps {
  message: Message;
  hasSender: boolean;
  /** The reader has muted or blocked the sender. */
  isHidden: boolean;
  /** Whether the keyboard or the pointer is here: it shows the actions. */
  isActive: boolean;
  isTabStop: boolean;
  isEditing: boolean;
  /** The message that a link led to. */
  isTarget: boolean;
  /** Around a result of a search. */
  isAround: boolean;
}

/** Rendered again only if something changed: a list has 400 rows. */
export class MessageRow extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    return (Object.keys(next) as (keyof RowProps)[]).some((name) => next[name] !== this.props[name]);
  }

  override render(): VNode {
    return <RowContent {...this.props} />;
  }
}

function RowContent(props: RowProps): VNode {
  const { message, hasSender, isActive, isTabStop, isEditing, isTarget, isAround } = props;
  const { words, formats } = usePanel();
  const [isRevealed, setRevealed] = useState(false);
  const { edit } = useListActions();
  const { id, sender_id, sender_full_name, avatar_url, flags } = message;
  const at = message.timestamp * 1000;
  const time = formats.time(at);
  const isMentioned = isMention(flags);
  const named = {
    first: hasSender,
    mentioned: isMentioned,
    unread: !flags.has('read'),
    target: isTarget,
    active: isActive,
    around: isAround,
  };
  const classes = Object.entries(named).flatMap(([name, isSet]) => (isSet ? [name] : []));
  const attributes = { dateTime: new Date(at).toISOString(), title: formats.full(at) };
  return (
    <article
      class={['row', 'message', ...classes].join(' ')}
      part={isMentioned ? 'message mentioned' : 'message'}
      data-id={id}
      data-sender={sender_id}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={words.messageBy(sender_full_name, time)}
    >
      {hasSender ? (
        <>
          <Avatar userId={sender_id} name={sender_full_name} url={avatar_url} />
          <SenderPresence userId={sender_id} />
        </>
      ) : (
        <time class="gutter" {...attributes}>
          {time}
        </time>
      )}
      <div class="message-main">
        {hasSender && (
          <div class="heading">
            <span class="sender" part="sender">
              {sender_full_name}
            </span>
            <time class="time" part="time" {...attributes}>
              {time}
            </time>
            {hasMarks(message) && <Marks message={message} />}
          </div>
        )}
        {bodyOf(props, { edit, words, reveal: isRevealed ? undefined : () => setRevealed(true) })}
        {message.reactions.length > 0 && <Reactions message={message} />}
      </div>
      {isActive && !isEditing && <ActionBar message={message} />}
    </article>
  );
}

/** Most messages have none: 400 rows then have one component less. */
const hasMarks = ({ last_edit_timestamp, last_moved_timestamp, flags, isStale }: Message) =>
  (last_edit_timestamp ?? last_moved_timestamp) !== undefined || flags.has('starred') || isStale;

interface BodyContext extends Pick<ListActions, 'edit'> {
  readonly words: ConversationWords;
  /** Shows a hidden message. Undefined if the reader has done so. */
  readonly reveal: (() => void) | undefined;
}

/** No component: a list has 400 rows. */
function bodyOf({ message, hasSender, isHidden, isEditing }: RowProps, { edit, words, reveal }: BodyContext): VNode {
  const { content, is_me_message } = message;
  // The sender is the subject of the sentence: it is beside the picture.
  const shown = is_me_message ? content.replace(/^<p>\/me\s+/, '<p>') : content;
  return (
    <div class={is_me_message ? 'body me-message' : 'body'} part="content">
      {isEditing ? (
        <EditMessage message={message} onClose={() => edit(undefined)} />
      ) : isHidden && reveal ? (
        <button type="button" class="link-button" onClick={reveal}>
          {words.showHidden}
        </button>
      ) : message.submessages.length > 0 ? (
        <Widget message={message} />
      ) : (
        <MessageContent html={shown} isMentioned={isMention(message.flags)} />
      )}
      {!hasSender && hasMarks(message) && <Marks message={message} />}
    </div>
  );
}

function Marks({ message }: { message: Message }): VNode | null {
  const { words, formats } = usePanel();
  const { last_edit_timestamp, last_moved_timestamp, flags, isStale } = message;
  const changed = last_edit_timestamp ?? last_moved_timestamp;
  return (
    <>
      {changed !== undefined && (
        <span class="mark" title={formats.full(changed * 1000)}>
          {last_edit_timestamp !== undefined ? words.edited : words.moved}
        </span>
      )}
      {flags.has('starred') && (
        <span class="mark star" role="img" aria-label={words.isStarred} title={words.isStarred}>
          <Icon name="star" isFilled />
        </span>
      )}
      {isStale && (
        <span class="mark" role="img" aria-label={words.mayBeStale} title={words.mayBeStale}>
          <Icon name="clock" />
        </span>
      )}
    </>
  );
}

/** Names in the label of a reaction; others are counted. */
const MAX_NAMES = 10;

interface Group {
  readonly emoji: Required<EmojiRef>;
  readonly userIds: readonly number[];
}

function groupsOf(reactions: readonly Reaction[]): Group[] {
  const groups = new Map<string, { emoji: Required<EmojiRef>; userIds: number[] }>();
  for (const { emoji_name, emoji_code, reaction_type, user_id } of reactions) {
    const key = `${reaction_type} ${emoji_code}`;
    const group = groups.get(key) ?? { emoji: { emoji_name, emoji_code, reaction_type }, userIds: [] };
    group.userIds.push(user_id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function Reactions({ message }: { message: Message }): VNode | null {
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
      onClick={() => store.messages.react(messageId, emoji, !isOwn).catch(failed)}
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
  const custom = useCell(store.emoji.custom);
  const isCustom = emoji.reaction_type !== 'unicode_emoji';
  const url = isCustom ? [...custom.values()].find(({ code }) => code === emoji.emoji_code)?.url : undefined;
  return <EmojiPicture {...emoji} {...(url !== undefined && { url })} />;
}
