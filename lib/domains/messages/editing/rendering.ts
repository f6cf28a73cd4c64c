import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import { channelOf, messageAudience } from '../../../viewer/audiences.ts';
import type { WriteContext } from '../../../viewer/context.ts';
import { type MessageUpdate, messageUpdated } from './events.ts';

/**
 * Sends readers the new HTML of a message that does not count as edited.
 * @param earlier the texts before, for clients that keep them
 */
export async function emitRendering(
  context: WriteContext,
  message: PlacedMessage,
  earlier: Pick<MessageUpdate, 'orig_content' | 'orig_rendered_content'> = {},
): Promise<void> {
  const { id: message_id, channel_id, content, rendered_content, is_me_message } = message;
  const channel = channel_id === null ? undefined : await channelOf(context, channel_id);
  context.emit(
    await messageAudience(context, message),
    messageUpdated({
      user_id: null,
      rendering_only: true,
      message_id,
      message_ids: [message_id],
      edit_timestamp: Math.floor(context.now / 1000),
      ...(channel ? { stream_id: channel.id, stream_name: channel.name } : {}),
      ...earlier,
      content,
      rendered_content,
      is_me_message,
    }),
  );
}
