import * as v from 'valibot';
import { ChannelAlreadyExists, ExternalIdInUse } from '../../../base/errors.ts';
import { describe } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { withoutLocks } from '../../../views/external-ids.ts';
import { applyRoom, isUnchanged, planRoom, roomParams } from './room.ts';

export const ensureRoom = defineOperation({
  name: 'rooms.ensure',
  http: 'POST /rooms/ensure',
  summary: 'Find or create a private conversation of members and staff',
  description:
    'A room is a private channel with one topic, which is empty. Its subscribers are exactly the members and the staff. Other subscribers leave, the name follows, and a closed room opens again. Members read the whole history. Safe to repeat and to call concurrently. Posts no notices. If another channel has the name, the call fails with `CHANNEL_ALREADY_EXISTS`. If a channel that is not a room has the external ID, it fails with `EXTERNAL_ID_IN_USE`.',
  example: { external_id: 'order-17', name: 'Order 17', members: [9], staff: 'support' },
  access: 'owner',
  effect: 'write',
  audited: true,
  params: roomParams,
  result: v.object({
    stream_id: describe(v.number(), 'ID of the channel.'),
    is_new: describe(v.boolean(), 'Whether this call created the room.'),
  }),
  errors: [ChannelAlreadyExists, ExternalIdInUse],
  async run(given, params) {
    const context = withoutLocks(given);
    // Write transactions run one at a time, so no other request creates the room after this lookup.
    const plan = await planRoom(context, params);
    if (plan.channel && isUnchanged(plan)) return { stream_id: plan.channel.id, is_new: false };
    const room = await applyRoom(context, params.external_id, plan);
    return { stream_id: room.id, is_new: !plan.channel };
  },
});
