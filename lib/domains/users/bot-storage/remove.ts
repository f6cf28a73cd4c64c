import * as v from 'valibot';
import { BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { empty } from '../../../kernel/schemas.ts';
import { checkPresent, keysParameter, sizeWithout } from './entries.ts';

export const removeFromBotStorage = defineOperation({
  name: 'botStorage.remove',
  http: 'DELETE /bot_storage',
  summary: 'Remove what your account has stored',
  description: 'Where nothing is stored under one of the keys, it is an error and nothing is removed.',
  example: { keys: ['visits'] },
  access: 'user',
  effect: 'mark',
  params: v.object({ keys: keysParameter('without it, everything is removed') }),
  result: empty,
  errors: [BadRequest],
  async run({ tx, actor }, { keys }) {
    if (!keys) {
      await tx.botStorage.removeAll(actor.id);
      return {};
    }
    const sizes = await tx.botStorage.sizes(actor.id, keys);
    checkPresent(keys, sizes.named);
    await tx.botStorage.remove(actor.id, keys, sizeWithout(sizes));
    return {};
  },
});
