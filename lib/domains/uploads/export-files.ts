import { uploadUrl } from '../../rules/uploads.ts';
import type { DataExport } from '../../storage/interface/data-exports.ts';
import type { Upload } from '../../storage/interface/uploads.ts';

/* The ZIP file of an export has an address like an uploaded file, but only administrators can read it. */

const nameOf = ({ id }: Pick<DataExport, 'id'>) => `export-${id}.zip`;

export const exportPath = (given: Pick<DataExport, 'id'> & { file_key: string }, sitePath: string | undefined) =>
  uploadUrl({ file_key: given.file_key, file_name: nameOf(given) }, sitePath);

/** A complete export as a file, to send its content. */
export function exportAsUpload(given: DataExport, file_key: string): Upload {
  const name = nameOf(given);
  return {
    id: 0,
    owner_id: given.acting_user_id,
    file_key,
    file_name: name,
    name,
    content_type: 'application/zip',
    size: given.size,
    width: null,
    height: null,
    frames: null,
    is_complete: true,
    created_ms: given.created_ms,
    collect_ms: null,
  };
}
