import * as v from 'valibot';
import { describe, flag } from '../../../kernel/schemas.ts';

/** How an account is shown, for operations that answer with accounts. */
export const userViewParams = {
  client_gravatar: v.optional(
    describe(flag, 'Let the client compute Gravatar addresses: `avatar_url` null for them.'),
    true,
  ),
  include_custom_profile_fields: v.optional(describe(flag, 'Include `profile_data`.'), false),
};
