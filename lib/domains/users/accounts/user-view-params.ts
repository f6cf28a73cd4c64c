import * as v from 'valibot';
import { describe, flag, text } from '../../../kernel/schemas.ts';

/** In code points. The address is part of the URL, and escaping can make it several times longer. */
const MAX_ADDRESS = 320;

export const apiAddress = describe(text(MAX_ADDRESS), 'Real or placeholder e-mail address.');

/** Parameters of operations that return accounts. */
export const userViewParams = {
  client_gravatar: v.optional(
    describe(flag, 'Return null as `avatar_url` of Gravatar avatars. The client then computes the URL.'),
    true,
  ),
  include_custom_profile_fields: v.optional(describe(flag, 'Include `profile_data`.'), false),
};
