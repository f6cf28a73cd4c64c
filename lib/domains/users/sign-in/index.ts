import { defineFeature } from '../../../kernel/feature.ts';
import { devFetchApiKey } from './dev-fetch-api-key.ts';
import { fetchApiKey } from './fetch-api-key.ts';

/** Getting an API key: with a password, or on development servers without. */
export const signIn = defineFeature({ operations: [fetchApiKey, devFetchApiKey] });
