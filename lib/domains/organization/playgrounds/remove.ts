import { BadRequest } from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { emitPlaygrounds } from './playground.ts';

export const removePlayground = defineOperation({
  name: 'playgrounds.remove',
  http: 'DELETE /realm/playgrounds/{playground_id}',
  summary: 'Remove a code playground',
  example: { playground_id: 1 },
  access: 'administrator',
  effect: 'write',
  params: { playground_id: id },
  async run(context, { playground_id }) {
    const removed = await context.tx.playgrounds.remove(playground_id);
    if (!removed) throw new BadRequest(`There is no playground with ID ${playground_id}.`);
    await emitPlaygrounds(context);
  },
});
