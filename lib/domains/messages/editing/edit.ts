import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { messageAudience } from '../../../access/message-audience.ts';
import { messageKnownTo } from '../../../access/messages.ts';
import type { AccountContext } from '../../../kernel/context.ts';
import {
  BadRequest,
  ExpectationMismatch,
  MoveMessagesTimeLimitExceeded,
  StreamWildcardMentionNotAllowed,
  TopicWildcardMentionNotAllowed,
} from '../../../kernel/errors.ts';
import type { Audience } from '../../../kernel/event.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { choice, describe, flag, id, text } from '../../../kernel/schemas.ts';
import { topicLinks } from '../../../markdown/topic-links.ts';
import type { PlacedMessage } from '../../../storage/storage.ts';
import { editedContent } from '../content.ts';
import { flagMentions } from '../mention-flags.ts';
import { checkMentions } from '../mentions.ts';
import { renderContent } from '../message-content.ts';
import { announceMove } from './announce-move.ts';
import { checkContentEdit } from './message-permission.ts';
import { type Moved, moveMessages } from './move.ts';
import { reachOfMove } from './move-audience.ts';
import { type MovePlan, planMove } from './move-plan.ts';
import { tellBlind, tellStrangers } from './tell-of-move.ts';

export const editMessage = defineOperation({
  name: 'messages.edit',
  http: 'PATCH /messages/{message_id}',
  summary: "Edit a message's content, or move messages to another topic or channel",
  description: 'Only your own content can be edited, and only for some time. An empty content leaves "(deleted)".',
  source: 'reference 7.8',
  access: 'user',
  effect: 'write',
  params: v.object({
    message_id: id,
    topic: v.optional(describe(text(), 'New topic; cut to 60 characters.')),
    propagate_mode: v.optional(
      describe(
        choice(['change_one', 'change_later', 'change_all']),
        'Move this message, also the later ones of its topic, or the whole topic.',
      ),
      'change_one',
    ),
    send_notification_to_old_thread: v.optional(
      describe(flag, 'Let the notification bot say there where it went.'),
      false,
    ),
    send_notification_to_new_thread: v.optional(
      describe(flag, 'Let the notification bot say there where it came from.'),
      true,
    ),
    content: v.optional(describe(text(200_000), 'New Markdown; cut to 10000 characters.')),
    stream_id: v.optional(describe(id, 'Channel to move to.')),
    prev_content_sha256: v.optional(
      describe(text(64), 'SHA-256, hex, of the content you know; refused when it has changed since.'),
    ),
  }),
  result: v.object({ detached_uploads: v.array(v.unknown()) }),
  errors: [
    BadRequest,
    ExpectationMismatch,
    MoveMessagesTimeLimitExceeded,
    StreamWildcardMentionNotAllowed,
    TopicWildcardMentionNotAllowed,
  ],
  async run(context, given) {
    const { tx, actor, now, emit } = context;
    const { topic, stream_id, propagate_mode: mode } = given;
    const message = await messageKnownTo(context, actor, given.message_id, { modify: true });
    checkCombination(message, given);
    const content =
      given.content === undefined ? undefined : newContent(context, message, given.content, given.prev_content_sha256);
    const plan =
      message.channel_id === null
        ? undefined
        : await planMove(context, { ...message, channel_id: message.channel_id }, { topic, stream_id, mode });
    if (content === undefined && !plan) return { detached_uploads: [] };

    const timestamp = Math.floor(now / 1000);
    const rendered = content === undefined ? undefined : await renderContent(context, actor, content);
    if (rendered) {
      await checkMentions(context, actor, rendered.mentions, {
        id: message.conversation_id,
        channel_id: message.channel_id,
      });
    }
    let audience: Audience;
    let moved: Moved | undefined;
    if (plan) {
      const reach = await reachOfMove(context, plan);
      moved = await moveMessages(context, plan, content !== undefined);
      tellStrangers(context, moved, reach);
      await tellBlind(context, plan, moved, reach);
      audience = reach.audience;
    } else audience = await messageAudience(context, message);
    let changed: Record<string, unknown> = {};
    if (content !== undefined && rendered !== undefined) {
      const { html: rendered_content, isMe: is_me_message } = rendered;
      await tx.messages.edit(message.id, { content, rendered_content, is_me_message, timestamp });
      await tx.flags.dropMentions(message.id);
      const conversation_id = moved?.conversation.id ?? message.conversation_id;
      await flagMentions(context, { ...message, conversation_id }, rendered.mentions);
      await tx.edits.add({
        ...(moved?.edit ?? standingStill(message)),
        message_id: message.id,
        up_to_message_id: null,
        editor_id: actor.id,
        timestamp,
        prev_content: message.content,
        prev_rendered_content: message.rendered_content,
      });
      changed = {
        orig_content: message.content,
        orig_rendered_content: message.rendered_content,
        content,
        rendered_content,
        is_me_message,
      };
    }
    emit({
      audience,
      event: {
        type: 'update_message',
        user_id: actor.id,
        rendering_only: false,
        message_id: message.id,
        message_ids: moved?.ids ?? [message.id],
        edit_timestamp: timestamp,
        ...(message.channel_id === null ? {} : { stream_id: message.channel_id }),
        ...changed,
        ...(plan && moved ? moveFields(context, plan, moved) : {}),
      },
      ...(moved?.movedBy === undefined ? {} : { movedBy: moved.movedBy }),
    });
    if (plan && moved) {
      const where = { old: given.send_notification_to_old_thread, new: given.send_notification_to_new_thread };
      await announceMove(context, plan, moved, where);
    }
    return { detached_uploads: [] };
  },
});

type Given = v.InferOutput<typeof editMessage.params>;

function checkCombination(message: PlacedMessage, { topic, content, stream_id, propagate_mode }: Given): void {
  if (topic === undefined && content === undefined && stream_id === undefined) {
    throw new BadRequest('Nothing to change: give content, topic or stream_id.');
  }
  if (message.channel_id === null && (topic !== undefined || stream_id !== undefined)) {
    throw new BadRequest('Direct messages have no topic and cannot be moved.');
  }
  if (propagate_mode !== 'change_one' && topic === undefined && stream_id === undefined) {
    throw new BadRequest('propagate_mode needs a topic or a channel to move to.');
  }
  if (content !== undefined && stream_id !== undefined && stream_id !== message.channel_id) {
    throw new BadRequest('The content cannot be edited while the message moves to another channel.');
  }
}

/** The content to be stored; undefined when it says what the message says already. */
function newContent(
  context: AccountContext,
  message: PlacedMessage,
  given: string,
  known: string | undefined,
): string | undefined {
  checkContentEdit(context, message);
  const present = createHash('sha256').update(message.content).digest('hex');
  if (known !== undefined && known.toLowerCase() !== present) throw new ExpectationMismatch();
  const content = editedContent(given);
  return content === message.content ? undefined : content;
}

function standingStill({ conversation_id }: PlacedMessage): Moved['edit'] {
  return {
    conversation_id,
    prev_conversation_id: conversation_id,
    part_of: null,
    prev_topic: null,
    topic: null,
    prev_channel_id: null,
    channel_id: null,
  };
}

function moveFields(
  { organization }: AccountContext,
  { from, to, mode }: MovePlan,
  moved: Moved,
): Record<string, unknown> {
  const { topic } = moved.conversation;
  return {
    orig_subject: from.conversation.topic,
    propagate_mode: mode,
    ...(topic === from.conversation.topic
      ? {}
      : { subject: topic, topic_links: topicLinks(topic, organization.linkifiers) }),
    ...(to.channel.id === from.channel.id ? {} : { new_stream_id: to.channel.id }),
  };
}
