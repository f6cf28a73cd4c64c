import { groupBy } from '../../base/lists.ts';
import { present } from '../../base/present.ts';
import type { PlacedMessage } from '../../storage/interface/messages.ts';
import { channelMessagesAudience, channelOf } from '../../viewer/audiences.ts';
import type { WriteContext } from '../../viewer/context.ts';
import { noteDeparture, removeMessages } from './channel-activity.ts';
import { deletionOf } from './editing/events.ts';

/** Deletes messages of any places, in the order of their IDs. All users who could read them get events. */
export async function deleteMessages(context: WriteContext, messages: readonly PlacedMessage[]): Promise<void> {
  for (const [channelId, those] of groupBy(messages, ({ channel_id }) => channel_id)) {
    const ids = those.map(({ id }) => id);
    const byConversation = groupBy(those, ({ conversation_id }) => conversation_id);
    if (channelId === null) {
      const conversations = await context.tx.conversations.byIds([...byConversation.keys()]);
      await removeMessages(context, ids);
      for (const { id, participants } of conversations)
        context.emit({ users: participants }, deletionOf(byConversation.get(id) ?? []));
    } else {
      const channel = await channelOf(context, channelId);
      const audience = await channelMessagesAudience(context, channel, ids);
      await removeMessages(context, ids);
      for (const deleted of byConversation.values()) context.emit(audience, deletionOf(deleted));
      await noteDeparture(context, channel, present(ids[0]));
    }
  }
}
