import type { ServerRequest } from './exchange.ts';

const MAX_CLIENT_NAME = 30;

/** `ZulipPython/0.9.1 (Linux)` → `ZulipPython`. */
export function clientName(req: ServerRequest): string {
  const name = /^[^\s/]+/.exec(req.headers['user-agent']?.trim() ?? '')?.[0];
  return name === undefined ? 'Unspecified' : name.slice(0, MAX_CLIENT_NAME);
}
