import { defineFeature } from '../../../operation/feature.ts';
import { deleteTopic } from './delete.ts';
import { listTopics } from './list.ts';

/** Topics of channels. A topic exists as long as it has messages. */
export const topics = defineFeature({ operations: [listTopics, deleteTopic] });
