import { defineOperation } from '../../../operation/operation.ts';
import { sizedEntries, sizeWith, storageParameter } from './entries.ts';

export const setInBotStorage = defineOperation({
  name: 'botStorage.set',
  http: 'PUT /bot_storage',
  summary: 'Store values by key',
  description: 'Overwrites the values of these keys. Other keys stay. Each account has its own storage.',
  example: { storage: { visits: '3', greeting: 'Hello' } },
  access: 'user',
  effect: 'mark',
  params: { storage: storageParameter },
  async run({ tx, actor }, { storage }) {
    const entries = sizedEntries(storage);
    if (entries.length === 0) return;
    const sizes = await tx.botStorage.sizes(actor.id, Object.keys(storage));
    await tx.botStorage.set(actor.id, entries, sizeWith(entries, sizes));
  },
});
