import { defineFeature } from '../../../kernel/feature.ts';
import { attachmentAdded, attachmentRemoved, attachmentUpdated } from '../events.ts';
import { removeFile } from '../stored-file.ts';
import { getTemporaryUrl } from './get-temporary-url.ts';
import { listUploads } from './list.ts';
import { removeUpload } from './remove.ts';
import { sendUpload } from './send.ts';
import { unwantedFiles } from './unwanted-files.ts';

/**
 * Files that people send each other. A row is committed before the first byte is stored and completed after the last,
 * so whatever ends a process leaves nothing in the store that no row knows of. Who may have a file follows from the
 * messages that link to it.
 */
export const uploads = defineFeature({
  operations: [sendUpload, getTemporaryUrl, listUploads, removeUpload],
  events: [attachmentAdded, attachmentUpdated, attachmentRemoved],
  dueWork: [unwantedFiles],
  outbox: [removeFile],
});
