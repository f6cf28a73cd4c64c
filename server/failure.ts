import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type Logger, StorageError } from '../lib/index.ts';
import { sendFailure } from './respond.ts';

/** Answers a request that failed by a defect, and logs the cause under the id that the caller is told. */
export function reportFailure(
  logger: Logger,
  res: ServerResponse,
  error: unknown,
  request: object,
  headers: readonly string[] = [],
): void {
  const id = randomUUID();
  logger.error({ error, id, ...request }, 'a request failed unexpectedly');
  if (res.headersSent) res.destroy();
  else sendFailure(res, isTemporary(error) ? 503 : 500, id, headers);
}

function isTemporary(error: unknown): boolean {
  return error instanceof StorageError && ['busy', 'unreachable', 'closed'].includes(error.reason);
}
