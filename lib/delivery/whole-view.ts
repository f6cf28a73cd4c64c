import { CAPABILITIES } from '../kernel/client.ts';
import type { EventQueue } from '../storage/interface/queues.ts';

/** The queue of a client with all capabilities, for events outside of a queue. */
export function wholeView(userId: number, { apply_markdown = false }: { apply_markdown?: boolean } = {}): EventQueue {
  const client_capabilities = Object.fromEntries(CAPABILITIES.map((name) => [name, true]));
  const options = { apply_markdown, client_gravatar: false, include_subscribers: true, slim_presence: true };
  return {
    id: '',
    user_id: userId,
    client: '',
    event_types: null,
    narrow: [],
    all_public_streams: false,
    options: { ...options, client_capabilities },
    start_seq: 0,
    acked_seq: 0,
    last_used_ms: 0,
    lifespan: 0,
    holder: null,
  };
}
