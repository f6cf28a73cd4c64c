import * as v from 'valibot';
import type { ReadContext } from '../../kernel/context.ts';
import { describe } from '../../kernel/schemas.ts';
import { pathIdOf } from '../../rules/uploads.ts';
import type { Claim, Upload } from '../../storage/interface/uploads.ts';

/** Messages listed per file. */
const MAX_MESSAGES = 100;

/** A file in the API, for its owner. */
export const attachmentObject = v.object({
  id: v.number(),
  name: describe(v.string(), 'Original file name.'),
  path_id: describe(v.string(), 'The part of its URL after `/user_uploads/`.'),
  size: describe(v.number(), 'Size in bytes.'),
  create_time: describe(v.number(), 'Milliseconds since the epoch.'),
  messages: describe(
    v.array(v.object({ id: v.number(), date_sent: describe(v.number(), 'Milliseconds since the epoch.') })),
    `The newest messages that link to it, newest first. At most ${MAX_MESSAGES} messages.`,
  ),
});

export type AttachmentObject = v.InferOutput<typeof attachmentObject>;

/** In the order of `uploads`. */
export async function attachmentViews(
  { tx }: Pick<ReadContext, 'tx'>,
  uploads: readonly Upload[],
): Promise<AttachmentObject[]> {
  if (uploads.length === 0) return [];
  const claims = await tx.uploads.newestClaims(
    uploads.map(({ id }) => id),
    MAX_MESSAGES,
  );
  const byUpload = new Map<number, Claim[]>();
  for (const claim of claims) {
    const those = byUpload.get(claim.upload_id);
    if (those) those.push(claim);
    else byUpload.set(claim.upload_id, [claim]);
  }
  return uploads.map((upload) => attachmentView(upload, byUpload.get(upload.id) ?? []));
}

export function attachmentView(upload: Upload, claims: readonly Claim[]): AttachmentObject {
  const { id, name, size, created_ms: create_time } = upload;
  const messages = claims.map(({ message_id, timestamp }) => ({ id: message_id, date_sent: timestamp * 1000 }));
  return { id, name, path_id: pathIdOf(upload), size, create_time, messages };
}
