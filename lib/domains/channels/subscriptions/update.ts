import * as v from 'valibot';
import { BadRequest, FieldLocked, StreamDoesNotExist, UnauthorizedPrincipal } from '../../../base/errors.ts';
import { describe, optional } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { beginJoining, channelsToJoin, join, joiningParams } from './joining.ts';
import { beginLeaving, channelsToLeave, endedSoFar, leave } from './leaving.ts';

export const updateSubscriptions = defineOperation({
  name: 'subscriptions.update',
  http: 'PATCH /users/me/subscriptions',
  summary: 'Subscribe to and unsubscribe from channels in one request',
  description: 'Checks everything before it changes anything. Creates channels that do not exist as public channels.',
  example: { add: [{ name: 'lunch' }], delete: ['general'] },
  access: 'member',
  effect: 'manual',
  params: {
    add: optional(channelsToJoin, 'Channels to subscribe to, by name. Descriptions only apply to new channels.', []),
    delete: optional(channelsToLeave, 'Names of channels to unsubscribe from.', []),
  },
  result: v.object({
    subscribed: describe(v.record(v.string(), v.array(v.string())), 'Channel names by user ID.'),
    already_subscribed: v.record(v.string(), v.array(v.string())),
    removed: describe(v.array(v.string()), 'Names of channels you were unsubscribed from.'),
    not_removed: describe(v.array(v.string()), 'Names of channels you were not subscribed to.'),
  }),
  errors: [FieldLocked, StreamDoesNotExist, UnauthorizedPrincipal],
  async run(context, { add, delete: left }) {
    if (add.length + left.length === 0) throw new BadRequest('No channels given. Set "add" or "delete".');
    const joining = v.parse(joiningParams, { subscriptions: add });
    const leaving = { subscriptions: left };
    const begun = await context.transact('write', async (tx) => ({
      joining: await beginJoining(tx, joining, context),
      leaving: await beginLeaving(tx, leaving, context),
    }));
    const alsoDone = begun.leaving.gone.length === 0 ? [] : [endedSoFar(begun.leaving)];
    const { subscribed, already_subscribed } = await join(context, joining, { begun: begun.joining, alsoDone });
    return { subscribed, already_subscribed, ...(await leave(context, leaving, begun.leaving)) };
  },
});
