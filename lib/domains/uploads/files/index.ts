import { defineFeature } from '../../../operation/feature.ts';
import type { WriteContext } from '../../../viewer/context.ts';
import type { ChangedMessage, SentMessage } from '../../../viewer/message-changes.ts';
import { attachmentAdded, attachmentRemoved, attachmentUpdated, emitClaimsChanged } from '../attachments.ts';
import { COLLECT_UNCLAIMED_MS, removeFile, unwantedFiles } from '../stored-file.ts';
import { getTemporaryUrl } from './get-temporary-url.ts';
import { listUploads } from './list.ts';
import { removeUpload } from './remove.ts';
import { sendUpload } from './send.ts';

/* A message claims the files that it links to. Users who can read the message can read its claimed files. */

/** Stores the claims of new messages. */
async function claimUploads(context: WriteContext, messages: readonly SentMessage[]): Promise<void> {
  const claims = messages.flatMap(({ message, uploads }) =>
    uploads.map((upload) => ({ message_id: message.id, upload_id: upload.id })),
  );
  await context.tx.uploads.claim(claims);
  const claimed = new Map(messages.flatMap(({ uploads }) => uploads).map((upload) => [upload.id, upload]));
  await emitClaimsChanged(context, [...claimed.values()]);
}

/** Replaces the claims of an edited message. Returns the files that it no longer claims. */
async function changeClaims(context: WriteContext, { message: { id: messageId }, uploads }: ChangedMessage) {
  const { tx } = context;
  const before = await tx.uploads.claimedBy([messageId]);
  const ids = new Set(uploads.map(({ id }) => id));
  const claimed = new Set(before.map(({ id }) => id));
  const left = before.filter(({ id }) => !ids.has(id));
  const added = uploads.filter(({ id }) => !claimed.has(id));
  if (left.length === 0 && added.length === 0) return [];
  if (left.length > 0) await release(context, [messageId], [...ids]);
  await tx.uploads.claim(added.map(({ id }) => ({ message_id: messageId, upload_id: id })));
  await emitClaimsChanged(context, [...left, ...added]);
  return left;
}

async function releaseUploads(context: WriteContext, messageIds: readonly number[]): Promise<void> {
  const uploads = await context.tx.uploads.claimedBy(messageIds);
  if (uploads.length === 0) return;
  await release(context, messageIds, []);
  await emitClaimsChanged(context, uploads);
}

function release({ tx, now }: WriteContext, messageIds: readonly number[], kept: readonly number[]): Promise<void> {
  return tx.uploads.release(messageIds, now + COLLECT_UNCLAIMED_MS, kept);
}

/**
 * Uploaded files. A row is committed before the first byte is stored and completed after the last byte. So a crash
 * never leaves bytes in the store without a row. Users can read a file if they can read a message that links to it.
 */
export const uploads = defineFeature({
  operations: [sendUpload, getTemporaryUrl, listUploads, removeUpload],
  events: [attachmentAdded, attachmentUpdated, attachmentRemoved],
  dueWork: [unwantedFiles],
  outbox: [removeFile],
  consequences: { sent: { of: 'with files', react: claimUploads }, detached: changeClaims, deleting: releaseUploads },
});
