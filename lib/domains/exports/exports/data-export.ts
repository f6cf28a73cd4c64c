import * as v from 'valibot';
import { describe } from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';
import type { DataExport } from '../../../storage/interface/data-exports.ts';
import { administratorIds } from '../../../viewer/audiences.ts';
import type { ReadContext, WriteContext } from '../../../viewer/context.ts';
import { exportPath } from '../../uploads/export-files.ts';

/** Values of `export_type`, with their scopes. */
export const EXPORT_TYPES = { 1: 'public', 2: 'consent' } as const;

/** The list has the newest. */
const MAX_LISTED = 100;

const seconds = v.nullable(v.number());

const dataExportObject = v.object({
  id: describe(v.number(), 'ID of the export.'),
  acting_user_id: describe(v.number(), 'Administrator who started it.'),
  export_time: describe(v.number(), 'When it was started; UNIX seconds.'),
  deleted_timestamp: describe(seconds, 'When it was deleted; UNIX seconds. null if it is not deleted.'),
  failed_timestamp: describe(seconds, 'When it failed; UNIX seconds. null if it has not failed.'),
  export_url: describe(v.nullable(v.string()), 'URL of the ZIP file, for administrators. null if there is no file.'),
  pending: describe(v.boolean(), 'Whether it is waiting or running.'),
  export_type: describe(v.number(), '1: public data. 2: also private data of users who allow it.'),
});

export const dataExportList = describe(v.array(dataExportObject), `The newest first, at most ${MAX_LISTED}.`);

export const dataExportsChanged = defineEvent('realm_export', {
  summary: 'An export of the organization was started, finished, failed or was deleted.',
  fields: { exports: dataExportList },
});

export async function dataExportViews({ tx, services, organization }: ReadContext) {
  const { origin } = new URL(services.options.baseUrl);
  const toSeconds = (ms: number | null) => (ms === null ? null : ms / 1000);
  const urlOf = ({ finished_ms, file_key, ...rest }: DataExport) =>
    finished_ms === null || file_key === null
      ? null
      : `${origin}${exportPath({ file_key, ...rest }, organization.site_path)}`;
  return (await tx.dataExports.list(MAX_LISTED)).map((each) => ({
    id: each.id,
    acting_user_id: each.acting_user_id,
    export_time: each.created_ms / 1000,
    deleted_timestamp: toSeconds(each.deleted_ms),
    failed_timestamp: toSeconds(each.failed_ms),
    export_url: urlOf(each),
    pending: (each.finished_ms ?? each.failed_ms ?? each.deleted_ms) === null,
    export_type: each.export_type,
  }));
}

export async function emitDataExports(context: WriteContext): Promise<void> {
  context.emit(
    { users: await administratorIds(context) },
    dataExportsChanged({ exports: await dataExportViews(context) }),
  );
}
