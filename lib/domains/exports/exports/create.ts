import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { choice, describe, optional, repeatable } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { fileStore } from '../../uploads/stored-file.ts';
import { emitDataExports } from './data-export.ts';
import { makeExport } from './make-export.ts';

/** Each reads the whole database. */
const MAX_EXPORTS = 5;
const WEEK_MS = 7 * 86_400_000;

export const createExport = defineOperation({
  name: 'exports.create',
  http: 'POST /export/realm',
  summary: 'Start an export of the organization (administrators)',
  description: `A background job makes a ZIP file of JSON Lines and uploaded files. You get a \`realm_export\` event and a direct message when it ends. At most ${MAX_EXPORTS} exports in 7 days.`,
  example: { export_type: 1 },
  access: 'administrator',
  scope: 'login',
  effect: 'write',
  params: {
    export_type: optional(
      choice([1, 2]),
      '1: data that all members can see. 2: also private data of users who allow it with `allow_private_data_export`.',
      1,
    ),
    ...repeatable,
  },
  result: v.object({ id: describe(v.number(), 'ID of the export.') }),
  async run(context, { export_type }) {
    const { tx, actor, now, services } = context;
    fileStore(services);
    if (!services.options.storage.exportRows) throw new BadRequest('This storage cannot be exported.');
    if ((await tx.dataExports.countSince(now - WEEK_MS)) >= MAX_EXPORTS)
      throw new BadRequest(`An organization can make at most ${MAX_EXPORTS} exports in 7 days.`);
    const id = await tx.dataExports.create({ acting_user_id: actor.id, export_type, created_ms: now });
    context.enqueue(makeExport({ id }));
    context.audit({ id });
    await emitDataExports(context);
    return { id };
  },
});
