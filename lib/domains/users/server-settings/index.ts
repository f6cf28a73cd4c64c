import { defineFeature } from '../../../kernel/feature.ts';
import { getServerSettings } from './get.ts';

/** What a client must know of a server before anybody signs in. */
export const serverSettings = defineFeature({ operations: [getServerSettings] });
