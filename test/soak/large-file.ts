/**
 * `npx tsx test/soak/large-file.ts --gib 2`: uploads and downloads a file through a server and a session. Prints how
 * much memory each used. Memory that grows with the file is a fault.
 */
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { connect, localFiles, openChat, sqlite } from '../../lib/index.ts';
import { serve } from '../../server/index.ts';

const MEBIBYTE = 1024 * 1024;
/** Maximum memory above that of an idle process, for any file size. */
const MOST_MEBIBYTES = 200;
const { values } = parseArgs({ options: { gib: { type: 'string', default: '2' }, folder: { type: 'string' } } });
const bytes = Number(values.gib) * 1024 * MEBIBYTE;

interface Started {
  url: string;
  email: string;
  api_key: string;
}

if (values.folder === undefined) await measure();
else await serveIn(values.folder);

async function serveIn(folder: string): Promise<void> {
  const chat = await openChat({
    storage: sqlite(join(folder, 'chat.db')),
    files: localFiles(join(folder, 'files')),
    maxUploadMebibytes: bytes / MEBIBYTE,
  });
  const ada = await chat.createOrganization({ name: 'Harbour', owner: { email: 'a@example.com', full_name: 'Ada' } });
  const { url } = await serve(chat, { port: 0 });
  const started: Started = { url, ...ada };
  process.send?.(started);
  setInterval(() => process.send?.({ rss: process.memoryUsage.rss() }), 100);
  process.on('disconnect', () => process.exit());
}

/** Bytes without repetition, so that a missing or repeated part is detected. */
async function* content() {
  const piece = Buffer.alloc(MEBIBYTE);
  for (let at = 0; at < bytes / MEBIBYTE; at++) {
    piece.fill(at % 256);
    piece.writeUInt32LE(at);
    yield Buffer.from(piece);
  }
}

async function digest(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha1');
  for await (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

async function measure(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'large-file-'));
  const server = fork(fileURLToPath(import.meta.url), ['--gib', String(values.gib), '--folder', folder]);
  const peak = { server: 0, client: 0 };
  const idle = { server: 0, client: 0 };
  const started = await new Promise<Started>((resolve) => server.once('message', (said) => resolve(said as Started)));
  server.on('message', (said) => {
    const { rss } = said as { rss: number };
    idle.server ||= rss;
    peak.server = Math.max(peak.server, rss);
  });
  idle.client = process.memoryUsage.rss();
  const watching = setInterval(() => {
    peak.client = Math.max(peak.client, process.memoryUsage.rss());
  }, 100);
  const session = connect({ site: started.url, email: started.email, api_key: started.api_key });
  try {
    const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
      const start = performance.now();
      const done = await work();
      const seconds = (performance.now() - start) / 1000;
      console.log(`${what}: ${seconds.toFixed(1)} s, ${(bytes / MEBIBYTE / seconds).toFixed(0)} MiB/s`);
      return done;
    };
    const { url } = await timed('sent', () =>
      session.uploads.send({ file: { name: 'large.bin', content: content() } }),
    );
    const got = await timed('got', async () => digest((await session.download(url)).content));
    if (got !== (await digest(content()))) throw new Error('The downloaded file differs from the uploaded one.');
    let failed = false;
    for (const side of ['server', 'client'] as const) {
      const [before, most] = [idle[side] / MEBIBYTE, peak[side] / MEBIBYTE];
      console.log(`${side}: ${before.toFixed(0)} MiB resident at first, ${most.toFixed(0)} MiB at most`);
      failed ||= most - before > MOST_MEBIBYTES;
    }
    if (failed) process.exitCode = 1;
  } finally {
    clearInterval(watching);
    await session.close();
    server.disconnect();
    await rm(folder, { recursive: true, force: true });
  }
}
