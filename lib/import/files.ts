import { DownloadFailed, download } from '../adapters/downloads.ts';
import { pictureFacts } from '../domains/uploads/pictures.ts';
import { storeContent } from '../domains/uploads/store-content.ts';
import { arrivingFile, COLLECT_UNCLAIMED_MS, discardFile, MEBIBYTE, storedAt } from '../domains/uploads/stored-file.ts';
import { type ImportRun, knownAmong, storedKey } from './run.ts';
import type { Content, ImportedFile, ImportedMessage } from './source.ts';

class TooLarge extends Error {}

/** Stores the files of messages before the messages, so that these can link to them. */
export async function storeFiles(run: ImportRun, messages: readonly ImportedMessage[]): Promise<void> {
  const wanted = messages.flatMap((message) =>
    message.files.flatMap((file) => (contentOf(run, file) ? [{ message, file }] : [])),
  );
  if (wanted.length === 0) return;
  const known = await run.read((context) =>
    knownAmong(
      context,
      wanted.flatMap(({ file, message }) => [
        ['file', file.key] as const,
        ['message', message.key] as const,
        ['user', message.author] as const,
      ]),
    ),
  );
  const done = new Set<string>();
  for (const { message, file } of wanted) {
    const isKnown = known.id('file', file.key) !== undefined || known.id('message', message.key) !== undefined;
    if (isKnown || done.has(file.key)) continue;
    done.add(file.key);
    await storeFile(run, file, known.id('user', message.author));
  }
}

/** The bytes of a file that the import stores. undefined: messages link to it, or it is missing. */
export function contentOf({ options, engine }: ImportRun, { url, content }: ImportedFile): Content | undefined {
  if (!engine.options.files) return undefined;
  if (content) return content;
  const { allowPrivateAddresses } = engine.options.outgoingWebhooks;
  return url !== undefined && options.download ? () => download(url, { allowPrivateAddresses }) : undefined;
}

async function storeFile(run: ImportRun, file: ImportedFile, author: number | undefined): Promise<void> {
  const { engine } = run;
  const content = contentOf(run, file) as Content;
  const upload = arrivingFile({ name: file.name, type: file.mediaType ?? '' }, engine.clock.now());
  // Recorded before the first byte, so that the worker can remove the file after a crash.
  const pending = await run.write(async ({ tx, actor }) => {
    const owned = { ...upload, owner_id: author ?? actor.id };
    return { ...owned, id: await tx.uploads.create(owned) };
  });
  let size = 0;
  const max = engine.options.maxUploadMebibytes;
  async function* measured() {
    for await (const piece of content()) {
      size += piece.length;
      if (size > max * MEBIBYTE) throw new TooLarge();
      yield piece;
    }
  }
  try {
    await storeContent(engine, null, storedAt(upload), measured());
  } catch (error) {
    await discardFile(engine, pending);
    if (error instanceof TooLarge) return run.lose(`files larger than ${max} MiB`);
    if (error instanceof DownloadFailed) return run.lose(`files that could not be downloaded. ${error.message}`);
    throw error;
  }
  const facts = { size, ...(await pictureFacts(engine, pending, size)) };
  await run.write(async ({ tx, now }) => {
    await tx.uploads.complete(pending.id, { ...facts, collect_ms: now + COLLECT_UNCLAIMED_MS });
    await tx.imports.add([{ key: storedKey('file', file.key), record_id: pending.id }]);
  });
  run.count({ imported: { file: 1 } });
}
