import { createHash } from 'node:crypto';
import { BadRequest, ExpectationMismatch } from '../../../base/errors.ts';
import { allInOrder } from '../../../base/lists.ts';
import { keepLinkPreviews } from '../../../markdown/link-previews.ts';
import { isWithin, organizationSetting, withGrace } from '../../../rules/organization-settings.ts';
import { isSystem } from '../../../rules/roles.ts';
import type { Truncation } from '../../../rules/topics.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import type { ChangedMessage } from '../../../viewer/message-changes.ts';
import { type AttachmentObject, attachmentViews } from '../../uploads/attachments.ts';
import { checkMentions, messageContent, type RenderedContent, renderContent, usersNamed } from '../message-content.ts';
import type { Move } from './move.ts';

export function checkMayEditContent({ actor, organization, now }: AccountContext, message: PlacedMessage): void {
  if (isSystem(actor)) return;
  if (message.sender_id !== actor.id) throw new BadRequest('You can only edit the content of your own messages.');
  if (!organizationSetting(organization, 'allow_message_editing')) {
    throw new BadRequest('This organization has turned off message editing.');
  }
  const limit = withGrace(organizationSetting(organization, 'message_content_edit_limit_seconds'));
  if (!isWithin(limit, message.timestamp, now)) {
    throw new BadRequest('This message is too old to be edited.');
  }
}

export interface ContentEdit {
  content: string;
  rendered: RenderedContent;
}

/** The content to store, if the request has one. Unchanged content counts: clients wait for the event. */
export function changedContent(
  context: AccountContext,
  message: PlacedMessage,
  given: Truncation & { content?: string | undefined; prev_content_sha256?: string | undefined },
): string | undefined {
  if (given.content === undefined) return undefined;
  checkMayEditContent(context, message);
  const present = contentDigest(message.content);
  const known = given.prev_content_sha256;
  if (known !== undefined && known.toLowerCase() !== present) throw new ExpectationMismatch();
  return messageContent(given.content, { mayBeEmpty: true, truncate: given.truncate });
}

/** SHA-256 (hex) of the content that a client knows. */
export const contentDigest = (content: string) => createHash('sha256').update(content).digest('hex');

const UNMOVED = { part_of: null, prev_topic: null, topic: null, prev_channel_id: null, channel_id: null };

export async function planContentEdit(context: AccountContext, message: PlacedMessage, content: string) {
  const rendered = await renderContent(context, context.actor, content);
  const { conversation_id: id, channel_id } = message;
  await checkMentions(context, context.actor, rendered.mentions, { id, channel_id });
  const { previewed } = rendered;
  const html =
    previewed.length > 0 ? keepLinkPreviews(rendered.html, message.rendered_content, previewed) : rendered.html;
  return { content, rendered: { ...rendered, html } };
}

/** Writes one history row for edit and move. @returns files of the caller that no message links to anymore */
export async function applyContentEdit(
  context: AccountContext,
  message: PlacedMessage,
  { content, rendered }: ContentEdit,
  move: Move | undefined,
): Promise<AttachmentObject[]> {
  const { tx, actor, now, services } = context;
  const timestamp = Math.floor(now / 1000);
  const stored = { content, rendered_content: rendered.html, is_me_message: rendered.isMe };
  const { id: conversation_id, channel_id, topic } = move?.conversation ?? { ...message, id: message.conversation_id };
  const edited: ChangedMessage = {
    message: { ...message, ...stored, conversation_id, channel_id, topic },
    mentions: rendered.mentions,
    named: await usersNamed(context, rendered.mentions),
    uploads: rendered.uploads,
    previewed: rendered.previewed,
    receivers: undefined,
  };
  const [, detached] = await allInOrder([
    tx.messages.edit(message.id, { ...stored, timestamp }),
    allInOrder(services.consequences.detached.map((detach) => detach(context, edited))),
    // Must run before the flags of the new content are set.
    tx.flags.dropContentFlags(message.id),
    allInOrder(services.consequences.flags.map((flag) => flag(context, [edited]))),
    allInOrder(services.consequences.edited.map((react) => react(context, edited))),
    tx.edits.add({
      ...(move?.edit ?? { ...UNMOVED, conversation_id, prev_conversation_id: conversation_id }),
      message_id: message.id,
      up_to_message_id: null,
      editor_id: actor.id,
      timestamp,
      prev_content: message.content,
      prev_rendered_content: message.rendered_content,
    }),
  ]);
  const own = detached.flat().filter(({ owner_id }) => owner_id === actor.id);
  if (own.length === 0) return [];
  return (await attachmentViews(context, own)).filter(({ messages }) => messages.length === 0);
}
