import type { ReadContext } from '../kernel/context.ts';
import type { Audience } from '../kernel/event.ts';
import { ADMINISTRATOR, OWNER } from '../rules/roles.ts';
import type { ChannelHead } from '../storage/storage.ts';
import { metadataHolders } from './users-with-permission.ts';

export function administratorIds({ tx }: Pick<ReadContext, 'tx'>): Promise<number[]> {
  return tx.users.activeIds([OWNER, ADMINISTRATOR]);
}

/** Everybody who may know that the channel exists; they may also see its settings and its subscribers. */
export async function whoKnowsOf(scope: ReadContext, channel: ChannelHead): Promise<Audience> {
  if (channel.is_web_public) return { scope: 'everyone' };
  if (!channel.invite_only) return { scope: 'members', channel: channel.id };
  const holders = await metadataHolders(scope, channel);
  for (const id of await administratorIds(scope)) holders.add(id);
  return { channel: channel.id, users: [...holders] };
}
