import type { ServerRequest } from './exchange.ts';

const MAX_CLIENT_NAME = 30;

const END_OF_NAME = /[\s/]/;

/** `ZulipPython/0.9.1 (Linux)` → `ZulipPython`. */
export function clientName(req: ServerRequest): string {
  const agent = req.headers['user-agent']?.trim() ?? '';
  const end = agent.search(END_OF_NAME);
  const name = end === -1 ? agent : agent.slice(0, end);
  return name === '' ? 'Unspecified' : name.slice(0, MAX_CLIENT_NAME);
}
