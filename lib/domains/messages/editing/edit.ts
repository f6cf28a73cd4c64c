import * as v from 'valibot';
import { proposedPlace } from '../../../adapters/hooks.ts';
import { counted } from '../../../base/counted.ts';
import {
  BadRequest,
  DirectMessageRefused,
  ExpectationMismatch,
  MoveMessagesTimeLimitExceeded,
} from '../../../base/errors.ts';
import { allInOrder } from '../../../base/lists.ts';
import {
  choice,
  describe,
  falseByDefault,
  forPrograms,
  id,
  optional,
  text,
  trueByDefault,
  type ValuesOf,
} from '../../../base/schemas.ts';
import { topicLinks } from '../../../markdown/linkifiers.ts';
import type { Channel } from '../../../model/channels.ts';
import { defineOperation, inParts, type Progress } from '../../../operation/operation.ts';
import { resolveToggle } from '../../../rules/topics.ts';
import type { Conversation } from '../../../storage/interface/conversations.ts';
import type { Audience } from '../../../storage/interface/events.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import { conversationOf, messageAudience } from '../../../viewer/audiences.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import type { MovedMessages } from '../../../viewer/message-changes.ts';
import { type AttachmentObject, attachmentObject } from '../../uploads/attachments.ts';
import { checkMayReach } from '../blocking.ts';
import { MENTION_ERRORS, truncatable } from '../message-content.ts';
import { applyContentEdit, type ContentEdit, changedContent, contentDigest, planContentEdit } from './content-edit.ts';
import { type MessageUpdate, messageUpdated } from './events.ts';
import { emitLosses, type Move, type MovePart, type MovePlan, moveMessages, nextPart, planMove } from './move.ts';

const params = {
  message_id: id,
  topic: optional(text(), 'New topic, at most 60 characters.'),
  propagate_mode: optional(
    choice(['change_one', 'change_later', 'change_all']),
    'Messages to move: only this message, also later messages in its topic, or the whole topic.',
    'change_one',
  ),
  send_notification_to_old_thread: falseByDefault(
    'Let the notification bot post in the old topic where the messages went.',
  ),
  send_notification_to_new_thread: trueByDefault(
    'Let the notification bot post in the new topic where the messages came from.',
  ),
  content: optional(text(200_000), 'New content in Markdown, at most 10,000 characters.'),
  stream_id: optional(id, 'ID of the channel to move to.'),
  prev_content_sha256: optional(
    forPrograms(text(64)),
    'SHA-256 (hex) of the content you know. The edit fails if the content has changed.',
  ),
  ...truncatable,
};

type EditParams = ValuesOf<typeof params>;

export const editMessage = defineOperation({
  name: 'messages.edit',
  http: 'PATCH /messages/{message_id}',
  summary: "Edit a message's content, or move messages to another topic or channel",
  description:
    'You can edit the content of your own messages for a limited time. The server allows 20 seconds more than the limits, so that an editor that opened in time can send its text. Empty content becomes "(deleted)". Unchanged content also counts as an edit. You cannot edit the content of polls and to-do lists. A whole topic moves in one transaction if the target topic has no messages. Other moves of more than 2,500 messages take several transactions, newest messages first, each with its own event.',
  example: { message_id: 7, content: 'Soup tomorrow' },
  access: 'user',
  forRooms: { stream_id: [] },
  effect: 'manual',
  audited: 'noted',
  params,
  result: v.object({
    detached_uploads: describe(v.array(attachmentObject), 'Your files that no message links to anymore.'),
  }),
  errors: [ExpectationMismatch, MoveMessagesTimeLimitExceeded, DirectMessageRefused, ...MENTION_ERRORS],
  async propose(context, given) {
    if (given.content === undefined) return undefined;
    const message = await context.viewer.message(given.message_id, 'modify');
    const content = changedContent(context, message, given);
    if (content === undefined) return undefined;
    const { id: message_id, content: previous_content } = message;
    const { participants } = await conversationOf(context, message);
    return {
      message: { kind: 'edit', ...proposedPlace(message, participants), content, message_id, previous_content },
      pinned: { prev_content_sha256: contentDigest(previous_content) },
    };
  },
  async run(call, given) {
    const doPart = (context: AccountContext, before = NOT_BEGUN) => editOnce(context, given, before);
    const { detached_uploads } = await inParts(call, 'write', doPart, { describe: movedSoFar });
    return { detached_uploads };
  },
});

interface EditProgress extends Progress {
  detached_uploads: AttachmentObject[];
  most: number;
  messages: number;
  from?: Conversation;
  targetHadMessages?: boolean;
}

/** Each message is several rows, and other writers need their turn. */
const NOT_BEGUN: EditProgress = { isComplete: false, detached_uploads: [], most: 2_500, messages: 0 };
/** Used if read ranges are scattered over both topics: then each message may need a row per user. */
const MIN_MESSAGES_PER_PART = 500;

/** Text for the error message of a move that stops halfway. */
function movedSoFar({ messages }: EditProgress): string {
  return messages === 0 ? '' : `Completed before the error: ${counted(messages, 'message')} moved.`;
}

/** Does the complete edit, or one part of a long move. Most edits are one transaction. */
async function editOnce(context: AccountContext, given: EditParams, before: EditProgress): Promise<EditProgress> {
  const plan = await planEdit(context, given, before);
  if (!plan) return { ...before, isComplete: true };
  const part = plan.move && (await nextPart(context, plan.move, before.most));
  return part ? movePart(context, plan, part, before) : finishEdit(context, plan, given, before);
}

type EditPlan = NonNullable<Awaited<ReturnType<typeof planEdit>>>;

/** The content and the move of the request, with what must be read before the edit. Undefined if nothing changes. */
async function planEdit(context: AccountContext, given: EditParams, { from }: EditProgress) {
  const message = await context.viewer.message(given.message_id, 'modify');
  checkCombination(message, given);
  // A topic that is moved as a whole is still the same conversation.
  if (from && (message.conversation_id !== from.id || message.channel_id !== from.channel_id))
    throw new BadRequest('Another user moved the message during this request.');
  const content = changedContent(context, message, given);
  const namesPlace = given.topic !== undefined || given.stream_id !== undefined;
  const move = namesPlace ? await planMove(context, message, given) : undefined;
  if (content === undefined && !move) return undefined;
  noteForAudit(context, message, move);
  // Read before the edit, because users who lose a mention still get the event.
  const [edit, audience, channel, submessages] = await allInOrder([
    content === undefined ? undefined : planContentEdit(context, message, content),
    move ? undefined : messageAudience(context, message),
    move || message.channel_id === null ? undefined : context.tx.channels.byId(message.channel_id),
    content === undefined ? [] : context.tx.submessages.of([message.id]),
  ]);
  if (edit && message.channel_id === null) await checkMayReach(context, context.actor, audience?.users ?? []);
  if (submessages.length > 0)
    throw new BadRequest('The content of a message with a poll or a to-do list cannot be edited.');
  return { message, edit, move, audience, channel };
}

/** Moves the newest messages of a long move. The last part edits the content. */
async function movePart(context: AccountContext, { message, edit }: EditPlan, part: MovePart, before: EditProgress) {
  const move = await moveMessages(context, part, { isContentEdited: edit !== undefined });
  if (!move) return withSmallerParts(before);
  await emitLosses(context, move);
  emitUpdate(context, move.readers.audience, { ...message, id: part.first_id }, { move });
  const targetHadMessages = before.targetHadMessages ?? part.targetHasMessages;
  return { ...before, messages: before.messages + part.ids.length, from: part.from.conversation, targetHadMessages };
}

async function finishEdit(context: AccountContext, plan: EditPlan, given: EditParams, before: EditProgress) {
  const { message, edit, audience, channel } = plan;
  const { consequences } = context.services;
  const move = plan.move && (await moveMessages(context, plan.move, { isContentEdited: edit !== undefined }));
  if (plan.move && !move) return withSmallerParts(before);
  const moved = move && movedMessages(move, given, before);
  if (moved) await allInOrder(consequences.moved.map((react) => react(context, moved)));
  if (move) await emitLosses(context, move);
  const detached_uploads = edit ? await applyContentEdit(context, message, edit, move) : [];
  emitUpdate(context, move?.readers.audience ?? audience ?? {}, message, { edit, move, channel });
  if (moved) await allInOrder(consequences.afterMove.map((react) => react(context, moved)));
  return { ...before, isComplete: true, detached_uploads };
}

/** The read ranges are too scattered for a part of this size, so it has moved nothing. */
function withSmallerParts(before: EditProgress): EditProgress {
  if (before.most > MIN_MESSAGES_PER_PART) return { ...before, most: MIN_MESSAGES_PER_PART };
  throw new BadRequest(
    'These messages cannot be moved in one request: too many users have read parts of both topics. Move fewer messages, or move them to a new topic.',
  );
}

/** The whole move, with the parts before this one. */
const movedMessages = ({ plan, conversation }: Move, given: EditParams, before: EditProgress): MovedMessages => ({
  ...plan,
  to: { ...plan.to, conversation },
  targetHadMessages: before.targetHadMessages ?? plan.targetHasMessages,
  count: plan.ids && plan.ids.length + before.messages,
  isAnnounced: {
    inOldPlace: given.send_notification_to_old_thread,
    inNewPlace: given.send_notification_to_new_thread,
  },
});

/** Changes of messages of other users. Not that a topic is resolved: that is everyday work, and announced in the topic. */
function noteForAudit({ actor, audit }: AccountContext, message: PlacedMessage, plan: MovePlan | undefined): void {
  const { sender_id, channel_id, topic } = message;
  const isOfOthers = sender_id !== actor.id || (plan && plan.mode !== 'change_one');
  if (!isOfOthers) return;
  if (!plan) return audit({ sender_id, stream_id: channel_id });
  const { from, to } = plan;
  const isMoved = from.channel.id !== to.channel.id;
  if (!isMoved && resolveToggle(topic, to.topic)) return;
  audit({ sender_id, ...(isMoved ? { from_stream_id: from.channel.id } : {}), stream_id: to.channel.id });
}

function checkCombination(message: PlacedMessage, { topic, content, stream_id, propagate_mode }: EditParams): void {
  if (topic === undefined && content === undefined && stream_id === undefined) {
    throw new BadRequest('Nothing to change. Set content, topic or stream_id.');
  }
  if (message.channel_id === null && (topic !== undefined || stream_id !== undefined)) {
    throw new BadRequest('Direct messages have no topic and cannot be moved.');
  }
  if (propagate_mode !== 'change_one' && topic === undefined && stream_id === undefined) {
    throw new BadRequest('propagate_mode needs topic or stream_id.');
  }
  if (content !== undefined && stream_id !== undefined && stream_id !== message.channel_id) {
    throw new BadRequest('You cannot change the content and the channel in one request. Send two requests.');
  }
}

function emitUpdate(
  { actor, now, organization, emit }: AccountContext,
  audience: Audience,
  message: PlacedMessage,
  { edit, move, channel = move?.plan.from.channel }: { edit?: ContentEdit; move?: Move; channel?: Channel },
): void {
  const update: MessageUpdate = {
    user_id: actor.id,
    rendering_only: false,
    message_id: message.id,
    message_ids: move?.ids ?? [message.id],
    edit_timestamp: Math.floor(now / 1000),
    ...(channel && { stream_id: channel.id, stream_name: channel.name }),
    ...(edit && {
      orig_content: message.content,
      orig_rendered_content: message.rendered_content,
      content: edit.content,
      rendered_content: edit.rendered.html,
      is_me_message: edit.rendered.isMe,
    }),
  };
  if (move) {
    const { plan, conversation } = move;
    update.orig_subject = plan.from.conversation.topic;
    update.propagate_mode = plan.mode;
    if (conversation.topic !== update.orig_subject) {
      update.subject = conversation.topic;
      update.topic_links = [...topicLinks(conversation.topic, organization.linkifiers)];
    }
    if (plan.to.channel.id !== plan.from.channel.id) update.new_stream_id = plan.to.channel.id;
  }
  emit(audience, messageUpdated(update), move?.movedBy === undefined ? {} : { movedBy: move.movedBy });
}
