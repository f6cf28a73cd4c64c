import * as v from 'valibot';
import { defineOperation } from '../../../operation/operation.ts';
import { checkPresent, keysParameter } from './entries.ts';

/** A read of more values than this counts as large. */
const MAX_UNMEASURED_VALUES = 10;

export const getBotStorage = defineOperation({
  name: 'botStorage.get',
  http: 'GET /bot_storage',
  summary: 'Get stored values of your account',
  description: 'Fails if a key does not exist.',
  example: { keys: ['visits'] },
  access: 'user',
  extent: ({ keys }) => (keys && keys.length <= MAX_UNMEASURED_VALUES ? undefined : 'large'),
  params: { keys: keysParameter('Default: all keys') },
  result: v.object({ storage: v.record(v.string(), v.string()) }),
  async run({ tx, actor }, { keys }) {
    const entries = await tx.botStorage.of(actor.id, keys);
    if (keys) checkPresent(keys, entries);
    return { storage: Object.fromEntries(entries.map(({ key, value }) => [key, value])) };
  },
});
