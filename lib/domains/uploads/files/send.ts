import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { BadRequest, RealmUploadQuota } from '../../../base/errors.ts';
import { describe, namedFile, piecesOf, repeatable, streamedFile } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { uploadUrl } from '../../../rules/uploads.ts';
import type { TransactionContext } from '../../../viewer/context.ts';
import { pictureFacts } from '../pictures.ts';
import { storeContent } from '../store-content.ts';
import { arrivingFile, completeFile, discardFile, fileStore, MEBIBYTE, storedAt } from '../stored-file.ts';

export const sendUpload = defineOperation({
  name: 'uploads.send',
  http: 'POST /user_uploads',
  summary: 'Upload a file',
  description:
    'Other users can read it once a message contains its URL: `[name](url)`. Files that no message links to are removed after five weeks.',
  access: 'user',
  forRooms: true,
  effect: 'manual',
  params: {
    file: describe(
      streamedFile(),
      'The file. `register` returns the maximum size. In a form, other parameters precede it.',
    ),
    ...repeatable,
  },
  // Its content is compared after it has arrived.
  idempotency: { ignored: ['file'] },
  result: v.object({
    url: describe(v.string(), 'Path of the file below the URL of the organization.'),
    uri: describe(v.string(), 'Same as `url`; deprecated.'),
    filename: describe(v.string(), 'Original file name.'),
  }),
  errors: [RealmUploadQuota],
  async run(context, { file }) {
    const { services, isDryRun } = context;
    // Throws before a row is written if the server has no file store.
    fileStore(services);
    const given = namedFile(file);
    const upload = arrivingFile(given, context.now);
    // Runs before a byte is stored, so that the worker can remove the file after a crash. A dry run stores nothing.
    const { owned, id, url } = await context.transact(
      isDryRun ? 'read' : 'append',
      async ({ tx, actor, organization }) => {
        const owned = { ...upload, owner_id: actor.id };
        const id = isDryRun ? undefined : await tx.uploads.create(owned);
        return { owned, id, url: uploadUrl(upload, organization.site_path) };
      },
    );
    const pending = id === undefined ? undefined : { ...upload, id };
    let size = 0;
    const hash = createHash('sha256').update(JSON.stringify([upload.name, upload.content_type]));
    const { maxUploadMebibytes: max } = services.options;
    async function* measured() {
      for await (const piece of piecesOf(given.content)) {
        size += piece.length;
        if (size > max * MEBIBYTE) throw new BadRequest(`The file is too large (limit: ${max} MiB).`);
        hash.update(piece);
        yield piece;
      }
    }
    try {
      if (pending) await storeContent(services, owned.owner_id, storedAt(upload), measured());
      else for await (const _ of measured());
      const facts = { size, ...(await pictureFacts(services, owned, size)) };
      const complete = async (writing: TransactionContext<'user'>) => {
        await completeFile(writing, pending ?? upload, facts);
        return { url, uri: url, filename: upload.name };
      };
      const answer = await context.once('append', complete, hash.digest('base64url'));
      // A repeated call: the first one has stored the file.
      if (pending && answer.url !== url) await discardFile(services, pending);
      return answer;
    } catch (error) {
      // If this fails too, the worker removes the file later.
      if (pending) await discardFile(services, pending).catch(() => undefined);
      throw error;
    }
  },
});
