import * as v from 'valibot';
import type { ChannelFolder } from '../../../storage/interface/channels.ts';

export const channelFolderObject = v.object({
  id: v.number(),
  name: v.string(),
  description: v.string(),
  rendered_description: v.string(),
  creator_id: v.nullable(v.number()),
  date_created: v.number(),
  is_archived: v.boolean(),
  order: v.number(),
});

export function channelFolderView({ created_ms, ...folder }: ChannelFolder): v.InferOutput<typeof channelFolderObject> {
  return { ...folder, date_created: Math.floor(created_ms / 1000) };
}
