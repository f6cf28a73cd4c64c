import { defineFeature } from '../../../operation/feature.ts';
import { attachmentAdded, attachmentRemoved, attachmentUpdated } from '../attachments.ts';
import { changeClaims, claimUploads, releaseUploads } from '../claims.ts';
import { removeFile, unwantedFiles } from '../stored-file.ts';
import { getTemporaryUrl } from './get-temporary-url.ts';
import { listUploads } from './list.ts';
import { removeUpload } from './remove.ts';
import { sendUpload } from './send.ts';

/**
 * Uploaded files. A row is committed before the first byte is stored and completed after the last byte. So a crash
 * never leaves bytes in the store without a row. Users can read a file if they can read a message that links to it.
 */
export const uploads = defineFeature({
  operations: [sendUpload, getTemporaryUrl, listUploads, removeUpload],
  events: [attachmentAdded, attachmentUpdated, attachmentRemoved],
  dueWork: [unwantedFiles],
  outbox: [removeFile],
  consequences: { sent: claimUploads, detached: changeClaims, deleting: releaseUploads },
});
