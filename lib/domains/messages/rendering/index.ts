import { defineFeature } from '../../../operation/feature.ts';
import { renderMessageOperation } from './render.ts';

/** Renders Markdown like a message of the caller, without sending it. */
export const rendering = defineFeature({ operations: [renderMessageOperation] });
