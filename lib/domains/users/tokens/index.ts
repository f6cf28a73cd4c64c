import { defineFeature } from '../../../operation/feature.ts';
import { createToken } from './create.ts';
import { revokeToken } from './revoke.ts';

/** Tokens replace an API key for a limited time. */
export const tokens = defineFeature({ operations: [createToken, revokeToken] });
