import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { S3Files } from '../../lib/adapters/s3-files.ts';
import { localFiles } from '../../lib/index.ts';
import { startS3Server } from './s3-server.ts';

export async function localPlace(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'files-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const entries = () => readdir(folder, { recursive: true, withFileTypes: true });
  return {
    files: localFiles(folder),
    another: () => localFiles(folder),
    stored: async () => (await entries()).filter((entry) => entry.isFile()).length,
  };
}

/** @param partBytes the default is that of the product */
export async function bucket(t: TestContext, partBytes?: number) {
  const server = await startS3Server();
  t.after(() => server.close());
  const stored = async () => {
    const { objects, parts } = await server.stored();
    return objects.length + parts;
  };
  const another = () => new S3Files(server.options, partBytes);
  return { files: another(), another, stored, server };
}
