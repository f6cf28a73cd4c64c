import { defineFeature } from '../../../kernel/feature.ts';
import { listTopics } from './list.ts';

/** Topics of channels. */
export const topics = defineFeature({ operations: [listTopics] });
