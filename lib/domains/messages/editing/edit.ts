import * as v from 'valibot';
import { accessMessage, messageAudience } from '../../../access/messages.ts';
import type { AccountContext } from '../../../kernel/context.ts';
import {
  BadRequest,
  ExpectationMismatch,
  MoveMessagesTimeLimitExceeded,
  StreamWildcardMentionNotAllowed,
  TopicWildcardMentionNotAllowed,
} from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { choice, describe, flag, id, text } from '../../../kernel/schemas.ts';
import { topicLinks } from '../../../markdown/topic-links.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import { attachmentObject } from '../../uploads/attachment-view.ts';
import { applyContentEdit, type ContentEdit, changedContent, contentDigest, planContentEdit } from './content-edit.ts';
import { type MessageUpdate, messageUpdated } from './events.ts';
import { announceMove, type Move, moveMessages } from './move.ts';
import { planMove } from './move-plan.ts';

export const editMessage = defineOperation({
  name: 'messages.edit',
  http: 'PATCH /messages/{message_id}',
  summary: "Edit a message's content, or move messages to another topic or channel",
  description: 'Only your own content can be edited, and only for some time. An empty content leaves "(deleted)".',
  example: { message_id: 7, content: 'Soup tomorrow' },
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
  result: v.object({
    detached_uploads: describe(v.array(attachmentObject), 'Files of yours to which no message links any more.'),
  }),
  errors: [
    BadRequest,
    ExpectationMismatch,
    MoveMessagesTimeLimitExceeded,
    StreamWildcardMentionNotAllowed,
    TopicWildcardMentionNotAllowed,
  ],
  async propose(context, given) {
    if (given.content === undefined) return undefined;
    const message = await accessMessage(context, given.message_id, { toModify: true });
    const content = changedContent(context, message, given);
    if (content === undefined) return undefined;
    const { id: message_id, content: previous_content } = message;
    return {
      message: { kind: 'edit', ...(await proposedPlace(context, message)), content, message_id, previous_content },
      pinned: { prev_content_sha256: contentDigest(previous_content) },
    };
  },
  async run(context, given) {
    const message = await accessMessage(context, given.message_id, { toModify: true });
    checkCombination(message, given);
    const content = changedContent(context, message, given);
    const plan = await planMove(context, message, given);
    if (content === undefined && !plan) return { detached_uploads: [] };
    const edit = content === undefined ? undefined : await planContentEdit(context, message, content);

    const move = plan && (await moveMessages(context, plan, { isContentEdited: edit !== undefined }));
    // Whoever loses a mention by the edit is still told of it.
    const audience = move?.audience ?? (await messageAudience(context, message));
    const detached_uploads = edit ? await applyContentEdit(context, message, edit, move) : [];
    context.emit(
      audience,
      messageUpdated(updateFields(context, message, edit, move)),
      move?.movedBy === undefined ? {} : { movedBy: move.movedBy },
    );
    if (move) {
      await announceMove(context, move, {
        inOldPlace: given.send_notification_to_old_thread,
        inNewPlace: given.send_notification_to_new_thread,
      });
    }
    return { detached_uploads };
  },
});

/** Where the message is. */
async function proposedPlace({ tx }: AccountContext, { channel_id, conversation_id, topic }: PlacedMessage) {
  if (channel_id !== null) return { type: 'channel', channel_id, topic } as const;
  const [conversation] = await tx.conversations.byIds([conversation_id]);
  return { type: 'direct', user_ids: conversation?.participants ?? [] } as const;
}

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

function updateFields(
  { actor, now, organization }: AccountContext,
  message: PlacedMessage,
  edit: ContentEdit | undefined,
  move: Move | undefined,
): MessageUpdate {
  return {
    user_id: actor.id,
    rendering_only: false,
    message_id: message.id,
    message_ids: move?.ids ?? [message.id],
    edit_timestamp: Math.floor(now / 1000),
    ...(message.channel_id === null ? {} : { stream_id: message.channel_id }),
    ...(edit && {
      orig_content: message.content,
      orig_rendered_content: message.rendered_content,
      content: edit.content,
      rendered_content: edit.rendered.html,
      is_me_message: edit.rendered.isMe,
    }),
    ...(move && placeFields(move)),
  };

  function placeFields({ plan: { from, to, mode }, conversation: { topic } }: Move): Partial<MessageUpdate> {
    const isRenamed = topic !== from.conversation.topic;
    return {
      orig_subject: from.conversation.topic,
      propagate_mode: mode,
      ...(isRenamed ? { subject: topic, topic_links: [...topicLinks(topic, organization.linkifiers)] } : {}),
      ...(to.channel.id === from.channel.id ? {} : { new_stream_id: to.channel.id }),
    };
  }
}
