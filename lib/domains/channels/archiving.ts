import type { Channel } from '../../model/channels.ts';
import { channelAudience } from '../../viewer/audiences.ts';
import type { AccountContext } from '../../viewer/context.ts';
import { readArchived } from '../messages/flags/deferred-read-events.ts';
import { emitEdit } from './channels/edit-events.ts';

/** Archives an active channel. The caller has checked permissions. */
export async function archive(context: AccountContext, channel: Channel): Promise<void> {
  const audience = await channelAudience(context, channel);
  await context.tx.channels.update(channel.id, { is_archived: true, is_default: false });
  await readArchived(context, channel.id);
  await emitEdit(context, audience, channel, { is_archived: true });
}
