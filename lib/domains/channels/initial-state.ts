import { inactiveUserIds } from '../../access/inactive-users.ts';
import type { Snapshot } from '../../kernel/context.ts';
import { channelView } from './channel-view.ts';
import { channelsOf } from './channels-of-client.ts';

export async function channelsState(snapshot: Snapshot) {
  const { now } = snapshot.context;
  const inactive = await inactiveUserIds(snapshot.context);
  return { streams: (await channelsOf(snapshot)).map(({ channel }) => channelView(channel, inactive, now)) };
}
