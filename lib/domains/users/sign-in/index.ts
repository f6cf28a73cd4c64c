import { defineFeature } from '../../../kernel/feature.ts';
import { devFetchApiKey } from './dev-fetch-api-key.ts';
import { fetchApiKey } from './fetch-api-key.ts';
import { getUserApiKey } from './get-api-key.ts';
import { setPassword } from './set-password.ts';
import { unlockUser } from './unlock.ts';

/**
 * Signing in means getting one's API key: with a password, or on development servers without. Administrators
 * set passwords, hand out keys and let in again who gave too many wrong passwords.
 */
export const signIn = defineFeature({
  operations: [fetchApiKey, devFetchApiKey, setPassword, getUserApiKey, unlockUser],
});
