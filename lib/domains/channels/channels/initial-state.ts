import type { Snapshot } from '../../../kernel/context.ts';
import { channelView } from '../channel-view.ts';
import { channelsOf } from '../channels-of-client.ts';

export async function channelsState(snapshot: Snapshot) {
  const { tx, now } = snapshot.context;
  const inactive = new Set(await tx.users.inactiveIds());
  return { streams: (await channelsOf(snapshot)).map(({ channel }) => channelView(channel, inactive, now)) };
}
