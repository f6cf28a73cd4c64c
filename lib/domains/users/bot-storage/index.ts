import { defineFeature } from '../../../kernel/feature.ts';
import { getBotStorage } from './get.ts';
import { removeFromBotStorage } from './remove.ts';
import { setInBotStorage } from './set.ts';

/**
 * Texts that a program keeps under keys from one run to the next, each account its own. It is made for bots; people
 * have it as well, since programs also run with the key of a person.
 */
export const botStorage = defineFeature({
  operations: [getBotStorage, setInBotStorage, removeFromBotStorage],
});
