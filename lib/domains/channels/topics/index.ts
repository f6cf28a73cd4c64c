import { defineFeature } from '../../../kernel/feature.ts';
import { deleteTopic } from './delete.ts';
import { listTopics } from './list.ts';

/** Topics of channels. A topic is there as long as messages are in it; nothing creates one by itself. */
export const topics = defineFeature({ operations: [listTopics, deleteTopic] });
