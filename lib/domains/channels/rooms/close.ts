import * as v from 'valibot';
import { BadRequest, ExternalIdInUse } from '../../../base/errors.ts';
import { describe } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { archive } from '../archiving.ts';
import { findRoom, roomParams } from './room.ts';

export const closeRoom = defineOperation({
  name: 'rooms.close',
  http: 'POST /rooms/close',
  summary: 'Close a room',
  description:
    'Archives its channel. Members and staff can still read it, but not write. Safe to repeat. `rooms.ensure` opens it again.',
  example: { external_id: 'order-17' },
  access: 'owner',
  effect: 'write',
  audited: true,
  params: { external_id: roomParams.external_id },
  result: v.object({ stream_id: describe(v.number(), 'ID of the channel.') }),
  errors: [ExternalIdInUse],
  async run(context, { external_id }) {
    const room = await findRoom(context, external_id);
    if (!room) throw new BadRequest(`There is no room with the external ID "${external_id}".`);
    if (!room.is_archived) await archive(context, room);
    return { stream_id: room.id };
  },
});
