import * as v from 'valibot';
import type { WriteContext } from '../../kernel/context.ts';
import { defineEvent } from '../../kernel/define-event.ts';
import { describe } from '../../kernel/schemas.ts';
import type { Upload } from '../../storage/interface/uploads.ts';
import { attachmentObject, attachmentView, attachmentViews } from './attachment-view.ts';

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
  fields: { attachment: v.object({ id: v.number() }), upload_space_used },
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

/** Sends the removal of files to their owners. */
export async function emitRemoved(
  { tx, emit }: Pick<WriteContext, 'tx' | 'emit'>,
  uploads: readonly Upload[],
): Promise<void> {
  const complete = uploads.filter((upload) => upload.is_complete);
  if (complete.length === 0) return;
  const upload_space_used = await tx.uploads.spaceUsed();
  for (const { id, owner_id } of complete) {
    emit({ users: [owner_id] }, attachmentRemoved({ attachment: { id }, upload_space_used }));
  }
}
