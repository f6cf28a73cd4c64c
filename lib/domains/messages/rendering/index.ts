import { defineFeature } from '../../../kernel/feature.ts';
import { renderMessageOperation } from './render.ts';

/** Markdown as a message of the caller's would show it, without sending it. */
export const rendering = defineFeature({ operations: [renderMessageOperation] });
