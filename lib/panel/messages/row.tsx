/** One message of the list. */
import { Component, type VNode } from 'preact';
import { isMention } from '../../client/store/places.ts';
import type { Message } from '../../client/store/types.ts';
import { EditMessage } from '../composer/edit-message.tsx';
import { MessageContent } from '../content/content.tsx';
import { usePanel } from '../context.ts';
import { Icon } from '../icons.tsx';
import { ActionBar } from './action-bar.tsx';
import { Avatar } from './avatar.tsx';
import { useListActions } from './list-context.ts';
import { Reactions } from './reactions.tsx';

export interface RowProps {
  message: Message;
  hasSender: boolean;
  /** Whether the keyboard or the pointer is here: it shows the actions. */
  isActive: boolean;
  isTabStop: boolean;
  isEditing: boolean;
  /** The message that a link led to. */
  isTarget: boolean;
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

function RowContent({ message, hasSender, isActive, isTabStop, isEditing, isTarget }: RowProps): VNode {
  const { words, formats } = usePanel();
  const { edit } = useListActions();
  const { id, sender_id, sender_full_name, avatar_url, flags, is_me_message } = message;
  const at = message.timestamp * 1000;
  const time = formats.time(at);
  const isMentioned = isMention(flags);
  // The sender is the subject of the sentence: it is beside the picture.
  const shown = is_me_message ? message.content.replace(/^<p>\/me\s+/, '<p>') : message.content;
  // Most messages have none: 400 rows then have one component less.
  const hasMarks =
    (message.last_edit_timestamp ?? message.last_moved_timestamp) !== undefined ||
    flags.has('starred') ||
    message.isStale;
  const classes = ['row', 'message'];
  if (hasSender) classes.push('first');
  if (isMentioned) classes.push('mentioned');
  if (!flags.has('read')) classes.push('unread');
  if (isTarget) classes.push('target');
  if (isActive) classes.push('active');
  return (
    <article
      class={classes.join(' ')}
      part={isMentioned ? 'message mentioned' : 'message'}
      data-id={id}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={words.messageBy(sender_full_name, time)}
    >
      {hasSender ? (
        <Avatar userId={sender_id} name={sender_full_name} url={avatar_url} />
      ) : (
        <time class="gutter" dateTime={new Date(at).toISOString()} title={formats.full(at)}>
          {time}
        </time>
      )}
      <div class="message-main">
        {hasSender && (
          <div class="heading">
            <span class="sender" part="sender">
              {sender_full_name}
            </span>
            <time class="time" part="time" dateTime={new Date(at).toISOString()} title={formats.full(at)}>
              {time}
            </time>
            {hasMarks && <Marks message={message} />}
          </div>
        )}
        <div class={is_me_message ? 'body me-message' : 'body'} part="content">
          {isEditing ? (
            <EditMessage message={message} onClose={() => edit(undefined)} />
          ) : (
            <MessageContent html={shown} isMentioned={isMentioned} />
          )}
          {!hasSender && hasMarks && <Marks message={message} />}
        </div>
        {message.reactions.length > 0 && <Reactions message={message} />}
      </div>
      {isActive && !isEditing && <ActionBar message={message} />}
    </article>
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
