import { describe, ids } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { checkCompleteOrder } from '../../../rules/reordering.ts';
import { channelFoldersReordered } from './folder.ts';

export const reorderChannelFolders = defineOperation({
  name: 'channelFolders.reorder',
  http: 'PATCH /channel_folders',
  summary: 'Change the order of the channel folders',
  example: { order: [2, 1] },
  access: 'administrator',
  effect: 'write',
  params: { order: describe(ids, 'IDs of all folders, including archived folders, each exactly once.') },
  async run({ tx, emit }, { order }) {
    const present = (await tx.channels.folders()).map((folder) => folder.id);
    checkCompleteOrder(order, present);
    if (order.every((id, at) => id === present[at])) return;
    await tx.channels.reorderFolders(order);
    emit({ scope: 'everyone' }, channelFoldersReordered({ order }));
  },
});
