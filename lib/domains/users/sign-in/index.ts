import { defineFeature } from '../../../operation/feature.ts';
import { devFetchApiKey } from './dev-fetch-api-key.ts';
import { devListUsers } from './dev-list-users.ts';
import { endLogins } from './end-logins.ts';
import { fetchApiKey } from './fetch-api-key.ts';
import { getUserApiKey } from './get-api-key.ts';
import { setPassword } from './set-password.ts';
import { unlockUser } from './unlock.ts';

/**
 * Signing in means getting your API key: with a password, or without on development servers. Administrators can set
 * passwords, read API keys, end logins, and unlock accounts after too many wrong passwords.
 */
export const signIn = defineFeature({
  operations: [fetchApiKey, devFetchApiKey, devListUsers, setPassword, getUserApiKey, unlockUser, endLogins],
});
