import { defineFeature } from '../../../kernel/feature.ts';
import { devFetchApiKey } from './dev-fetch-api-key.ts';
import { fetchApiKey } from './fetch-api-key.ts';

/** Signing in means getting one's API key: with a password, or on development servers without. */
export const signIn = defineFeature({ operations: [fetchApiKey, devFetchApiKey] });
