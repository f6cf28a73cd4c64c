import * as v from 'valibot';
import { defineOperation } from '../../../operation/operation.ts';
import { userObject, userView } from '../../../views/user-view.ts';

export const getMe = defineOperation({
  name: 'users.me',
  http: 'GET /users/me',
  summary: 'Get your own account',
  access: 'user',
  forRooms: true,
  result: v.object({ ...userObject.entries, max_message_id: v.number() }),
  async run(context) {
    const { tx, actor } = context;
    const options = { client_gravatar: false, include_custom_profile_fields: true };
    return {
      ...userView(context, actor, options),
      max_message_id: (await tx.messages.maxReceivedId(actor.id)) || -1,
    };
  },
});
