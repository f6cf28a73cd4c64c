import { defineFeature } from '../../../operation/feature.ts';
import { eraseUser } from './erase.ts';
import { eraseTraces } from './traces.ts';

/**
 * Erasing the data of a person. The call empties the account and deletes what only the account uses. The outbox then
 * removes the traces elsewhere in short transactions: messages, mentions, files, events, words and the log file.
 */
export const erasure = defineFeature({ operations: [eraseUser], outbox: [eraseTraces] });
