import { defineOperation } from '../../../operation/operation.ts';
import { checkPresent, keysParameter, sizeWithout } from './entries.ts';

export const removeFromBotStorage = defineOperation({
  name: 'botStorage.remove',
  http: 'DELETE /bot_storage',
  summary: 'Remove stored values of your account',
  description: 'Fails and removes nothing if one of the keys does not exist.',
  example: { keys: ['visits'] },
  access: 'user',
  effect: 'mark',
  params: { keys: keysParameter('Default: removes all keys') },
  async run({ tx, actor }, { keys }) {
    if (!keys) {
      await tx.botStorage.removeAll(actor.id);
      return;
    }
    const sizes = await tx.botStorage.sizes(actor.id, keys);
    checkPresent(keys, sizes.named);
    await tx.botStorage.remove(actor.id, keys, sizeWithout(sizes));
  },
});
