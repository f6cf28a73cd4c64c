import { BadRequest } from '../../../base/errors.ts';
import { describe, id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { removeFile, storedAt } from '../../uploads/stored-file.ts';
import { emitDataExports } from './data-export.ts';

export const removeExport = defineOperation({
  name: 'exports.remove',
  http: 'DELETE /export/realm/{export_id}',
  summary: 'Delete the file of an export (administrators)',
  example: { export_id: 1 },
  access: 'administrator',
  scope: 'login',
  effect: 'write',
  params: { export_id: describe(id, 'ID of a finished export.') },
  async run(context, { export_id }) {
    const { tx, now, enqueue } = context;
    const found = await tx.dataExports.byId(export_id);
    if (!found) throw new BadRequest('There is no export with this ID.');
    if (found.deleted_ms !== null) throw new BadRequest('The export is already deleted.');
    if (found.failed_ms !== null) throw new BadRequest('The export failed, so there is nothing to delete.');
    if (found.finished_ms === null || found.file_key === null) throw new BadRequest('The export has not finished yet.');
    enqueue(removeFile({ keys: [storedAt({ file_key: found.file_key })] }));
    await tx.dataExports.remove(export_id, now);
    context.audit({ id: export_id });
    await emitDataExports(context);
  },
});
