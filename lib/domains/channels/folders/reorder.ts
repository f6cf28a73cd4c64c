import * as v from 'valibot';
import { BadRequest, UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, empty, ids } from '../../../kernel/schemas.ts';
import { channelFoldersReordered } from './events.ts';

export const reorderChannelFolders = defineOperation({
  name: 'channelFolders.reorder',
  http: 'PATCH /channel_folders',
  summary: 'Change the order of the channel folders',
  example: { order: [2, 1] },
  access: 'administrator',
  effect: 'write',
  params: v.object({ order: describe(ids, 'Every folder, archived ones too, each once.') }),
  result: empty,
  errors: [BadRequest, UnauthorizedPrincipal],
  async run({ tx, emit }, { order }) {
    const present = (await tx.channels.folders()).map((folder) => folder.id);
    const given = new Set(order);
    const isComplete = given.size === order.length && order.length === present.length;
    if (!isComplete || !present.every((id) => given.has(id))) {
      throw new BadRequest('The list must name every channel folder exactly once, archived ones too.');
    }
    if (order.every((id, at) => id === present[at])) return {};
    await tx.channels.reorderFolders(order);
    emit({ scope: 'everyone' }, channelFoldersReordered({ order }));
    return {};
  },
});
