import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { S3Options } from '../../lib/adapters/s3-files.ts';

/** The parts of the server that the tests use. It has no types. */
interface S3rver {
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
  httpServer: { closeAllConnections(): void };
  use(middleware: Middleware): void;
  middleware: Middleware[];
}

type Middleware = (
  context: { method: string; path: string; query: Record<string, unknown>; status: number },
  next: () => Promise<void>,
) => Promise<void>;

export interface S3Server {
  options: S3Options;
  /** Requests so far: methods and paths with their queries. */
  requests: string[];
  /** The status with which the next requests fail, if set. */
  failing: { method?: string; status: number; times: number };
  /** Objects and parts of incomplete uploads. */
  stored(): Promise<{ objects: string[]; parts: number }>;
  close(): Promise<void>;
}

const BUCKET = 'chat-files';

/** A server that speaks the protocol of S3, checks signatures, and stores objects in a folder. */
export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 's3-'));
  const make = createRequire(import.meta.url)('@20minutes/s3rver') as new (options: object) => S3rver;
  const server = new make({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: BUCKET }],
  });
  const uploads = join(directory, BUCKET, '._S3rver_uploads');
  const failing: S3Server['failing'] = { status: 500, times: 0 };
  const requests: string[] = [];
  server.use(async (context, next) => {
    const { method, path, query } = context;
    requests.push(
      `${method} ${path}${Object.keys(query).length > 0 ? `?${new URLSearchParams(query as Record<string, string>)}` : ''}`,
    );
    if (failing.times > 0 && (failing.method === undefined || failing.method === method)) {
      failing.times--;
      context.status = failing.status;
      return;
    }
    // The only feature that this server lacks.
    if (method === 'DELETE' && typeof query.uploadId === 'string') {
      await rm(join(uploads, query.uploadId), { recursive: true, force: true });
      context.status = 204;
      return;
    }
    await next();
  });
  // Registered before the routes, which would come first.
  server.middleware.unshift(server.middleware.pop() as Middleware);
  const { port } = await server.run();
  return {
    options: {
      bucket: BUCKET,
      region: 'eu-central-1',
      endpoint: `http://127.0.0.1:${port}`,
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
      prefix: 'some/where',
    },
    requests,
    failing,
    async stored() {
      const entries = await readdir(join(directory, BUCKET), { recursive: true, withFileTypes: true });
      const files = entries
        .filter((entry) => entry.isFile())
        .map(({ parentPath, path, name }) => join(parentPath ?? path, name));
      const objects = files.filter((file) => file.endsWith('._S3rver_object'));
      return {
        objects: objects
          .map((file) => file.slice(join(directory, BUCKET).length + 1, -'._S3rver_object'.length))
          .sort(),
        parts: files.filter((file) => file.startsWith(uploads) && /\/[0-9]+$/.test(file)).length,
      };
    },
    async close() {
      server.httpServer.closeAllConnections();
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
