import { defineFeature } from '../../../operation/feature.ts';
import { getBotStorage } from './get.ts';
import { removeFromBotStorage } from './remove.ts';
import { setInBotStorage } from './set.ts';

/** Key-value storage per account, for programs that keep state between runs. */
export const botStorage = defineFeature({
  operations: [getBotStorage, setInBotStorage, removeFromBotStorage],
});
