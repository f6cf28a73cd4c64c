import type { AddressInfo } from 'node:net';
import type { Chat } from '../../../lib/index.ts';
import { type ServeOptions, serve } from '../../../server/index.ts';

const PLENTY = { seconds: 60, max: 1_000_000_000 };
const UNREACHED = {
  api_by_user: PLENTY,
  api_by_ip: PLENTY,
  waiting_queues_by_user: PLENTY.max,
  waiting_queues_by_ip: PLENTY.max,
};

/** The measured server, with default options except for the rate limits. Returns its port. */
export async function listen(chat: Chat, options: ServeOptions = {}): Promise<number> {
  const { server } = await serve(chat, { ...options, port: 0, rateLimits: UNREACHED });
  return (server.address() as AddressInfo).port;
}
