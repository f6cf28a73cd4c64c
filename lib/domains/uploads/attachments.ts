import * as v from 'valibot';
import { groupBy } from '../../base/lists.ts';
import { describe } from '../../base/schemas.ts';
import { defineEvent } from '../../events/define-event.ts';
import { pathIdOf } from '../../rules/uploads.ts';
import type { Claim, Upload } from '../../storage/interface/uploads.ts';
import type { ReadContext, WriteContext } from '../../viewer/context.ts';

/** Messages listed per file. */
const MAX_MESSAGES = 100;

/** A file in the API, for its owner. */
export const attachmentObject = v.object({
  id: describe(v.number(), 'ID of the file.'),
  name: describe(v.string(), 'Original file name.'),
  path_id: describe(v.string(), 'The part of its URL after `/user_uploads/`.'),
  size: describe(v.number(), 'Size in bytes.'),
  create_time: describe(v.number(), 'Milliseconds since the epoch.'),
  messages: describe(
    v.array(
      v.object({
        id: describe(v.number(), 'ID of the message.'),
        date_sent: describe(v.number(), 'Milliseconds since the epoch.'),
      }),
    ),
    `The newest messages that link to it, newest first. At most ${MAX_MESSAGES} messages.`,
  ),
});

export type AttachmentObject = v.InferOutput<typeof attachmentObject>;

/** In the order of `uploads`. */
export async function attachmentViews({ tx }: Pick<ReadContext, 'tx'>, uploads: readonly Upload[]) {
  if (uploads.length === 0) return [];
  const claims = await tx.uploads.newestClaims(
    uploads.map(({ id }) => id),
    MAX_MESSAGES,
  );
  const byUpload = groupBy(claims, ({ upload_id }) => upload_id);
  return uploads.map((upload) => attachmentView(upload, byUpload.get(upload.id) ?? []));
}

function attachmentView(upload: Upload, claims: readonly Claim[]): AttachmentObject {
  const { id, name, size, created_ms: create_time } = upload;
  const messages = claims.map(({ message_id, timestamp }) => ({ id: message_id, date_sent: timestamp * 1000 }));
  return { id, name, path_id: pathIdOf(upload), size, create_time, messages };
}

const upload_space_used = describe(v.number(), 'Size of all files of the organization in bytes.');

export const attachmentAdded = defineEvent('attachment/add', {
  summary: 'The reader uploaded a file.',
  fields: { attachment: attachmentObject, upload_space_used },
});

export const attachmentUpdated = defineEvent('attachment/update', {
  summary: 'The messages that link to a file of the reader changed.',
  fields: { attachment: attachmentObject, upload_space_used },
});

export const attachmentRemoved = defineEvent('attachment/remove', {
  summary: 'A file of the reader was removed.',
  fields: { attachment: v.object({ id: describe(v.number(), 'ID of the file.') }), upload_space_used },
});

/** Sends the event of a new file, which no message links to yet, to its owner. */
export async function emitAdded({ tx, emit }: WriteContext, upload: Upload): Promise<void> {
  const attachment = attachmentView(upload, []);
  emit({ users: [upload.owner_id] }, attachmentAdded({ attachment, upload_space_used: await tx.uploads.spaceUsed() }));
}

/** Sends the messages that now link to the files to their owners. */
export async function emitClaimsChanged(context: WriteContext, uploads: readonly Upload[]): Promise<void> {
  if (uploads.length === 0) return;
  const { tx, emit } = context;
  const views = await attachmentViews(context, uploads);
  const upload_space_used = await tx.uploads.spaceUsed();
  for (const [at, { owner_id }] of uploads.entries()) {
    const attachment = views[at];
    if (attachment) emit({ users: [owner_id] }, attachmentUpdated({ attachment, upload_space_used }));
  }
}

export async function emitRemoved({ tx, emit }: Pick<WriteContext, 'tx' | 'emit'>, uploads: readonly Upload[]) {
  const complete = uploads.filter((upload) => upload.is_complete);
  if (complete.length === 0) return;
  const upload_space_used = await tx.uploads.spaceUsed();
  for (const { id, owner_id } of complete) {
    emit({ users: [owner_id] }, attachmentRemoved({ attachment: { id }, upload_space_used }));
  }
}
