import { BadEventQueueId } from '../../../base/errors.ts';
import { nonEmptyText } from '../../../base/schemas.ts';
import { queueDeleted } from '../../../events/queue-notices.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { ownsQueue } from './queue-owner.ts';

export const deleteEventQueue = defineOperation({
  name: 'events.delete',
  http: 'DELETE /events',
  summary: 'Delete an event queue',
  description: 'A poll that waits on the queue fails with BAD_EVENT_QUEUE_ID.',
  example: { queue_id: 'd2b1…' },
  access: 'user',
  forRooms: true,
  scope: 'read',
  effect: 'append',
  params: { queue_id: nonEmptyText(200) },
  errors: [BadEventQueueId],
  async run({ tx, actor, now, services, afterCommit }, { queue_id }) {
    const queue = await tx.queues.byId(queue_id);
    if (!queue || !ownsQueue(actor, queue)) throw new BadEventQueueId(queue_id);
    await tx.queues.remove(queue_id);
    // Ends a waiting poll in any process, including this process.
    await tx.events.append([queueDeleted(queue_id)], now);
    afterCommit(() => services.hub.wake());
  },
});
