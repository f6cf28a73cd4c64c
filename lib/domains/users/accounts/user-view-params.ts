import * as v from 'valibot';
import { describe, flag, text } from '../../../kernel/schemas.ts';

/** Code points; an address of the API must fit into one line of a request, however it is escaped. */
const MAX_ADDRESS = 320;

/** Names an account. */
export const apiAddress = describe(text(MAX_ADDRESS), 'Real or placeholder address.');

/** How an account is shown, for operations that answer with accounts. */
export const userViewParams = {
  client_gravatar: v.optional(
    describe(flag, 'Let the client compute Gravatar addresses: `avatar_url` null for them.'),
    true,
  ),
  include_custom_profile_fields: v.optional(describe(flag, 'Include `profile_data`.'), false),
};
