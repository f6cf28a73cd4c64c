import { CAPABILITIES } from '../kernel/client.ts';
import type { EventQueue } from '../storage/interface/queues.ts';

/** As the queue of a client that understands everything, for events that no queue asked for. */
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
