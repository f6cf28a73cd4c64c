import { defineFeature } from '../../../operation/feature.ts';
import { getServerSettings } from './get.ts';

/** The settings that a client needs before sign-in. */
export const serverSettings = defineFeature({ operations: [getServerSettings] });
