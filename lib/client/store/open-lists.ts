import type { ChatEvent } from '../../chat/session.ts';
import { type ListDependencies, OpenList } from './message-list.ts';
import type { Narrow, Outgoing } from './types.ts';

/** The open lists, and what each event does to them. */
export class OpenLists {
  readonly #lists = new Set<OpenList>();

  constructor(private readonly dependencies: Omit<ListDependencies, 'onClose'>) {}

  open(narrow: Narrow, at: 'first_unread' | 'newest' | number, limit?: number): OpenList {
    const list = new OpenList(narrow, at, { ...this.dependencies, onClose: () => this.#lists.delete(list) }, limit);
    this.#lists.add(list);
    void list.load();
    return list;
  }

  /** A new queue: messages may have changed. */
  reload(): void {
    for (const list of this.#lists) void list.reload();
  }

  /** Fetches again what failed. */
  retry(): void {
    for (const list of this.#lists) if (list.state.get().error) void list.load();
  }

  apply(event: ChatEvent): void {
    const { messages } = this.dependencies;
    const changed = messages.apply(event);
    if (event.type === 'message') {
      for (const list of this.#lists) {
        if (!list.takes(event)) continue;
        messages.add(event);
        list.insert(event.message.id);
      }
      return;
    }
    for (const list of this.#lists) list.reconsider(event, changed);
    if (event.type === 'subscription') this.#applySubscription(event);
    if (event.type === 'stream' && event.op === 'update') this.#applyHistory(event);
  }

  /** Changes messages before the server has confirmed it. */
  change(work: () => readonly number[]): void {
    this.dependencies.batch.run(() => {
      const ids = work();
      for (const list of this.#lists) if (ids.some((id) => list.has(id))) list.invalidate();
    });
  }

  showOutgoing(outgoing: Outgoing): void {
    for (const list of this.#lists) if (list.shows(outgoing)) list.invalidate();
  }

  /** Puts an own message, whose event may never come, into the lists. */
  async show(id: number): Promise<void> {
    await this.fetch([id], () => {
      const kept = this.dependencies.messages.get(id);
      if (kept) for (const list of this.#lists) if (list.takesKept(kept)) list.insert(id);
    });
  }

  /** Fetches messages. Those that nothing holds after `onReceived` are dropped again. */
  async fetch(message_ids: readonly number[], onReceived?: () => void): Promise<void> {
    const { messages, session } = this.dependencies;
    const fetch = messages.beginFetch();
    try {
      const answer = await session.messages.list({
        message_ids: [...message_ids],
        client_gravatar: false,
        allow_empty_topic_name: true,
      });
      this.change(() => {
        const { ids } = fetch.receive(answer.messages);
        onReceived?.();
        return ids;
      });
    } finally {
      fetch.end();
    }
  }

  /** No events come for the messages of a channel without a subscription. */
  #applySubscription(event: Extract<ChatEvent, { type: 'subscription' }>): void {
    if (event.op !== 'add' && event.op !== 'remove') return;
    const ids = new Set(event.subscriptions.map(({ stream_id }) => stream_id));
    if (event.op === 'remove') for (const id of ids) this.dependencies.messages.markStale(id);
    for (const list of this.#lists) {
      const { narrow } = list;
      if ('channelId' in narrow ? !ids.has(narrow.channelId) : !('view' in narrow)) continue;
      list.invalidate();
      if (event.op === 'add' || 'view' in narrow) list.reloadSoon();
    }
  }

  /** Older messages may be visible now, or not any more. */
  #applyHistory({ property, stream_id }: { property: string; stream_id: number }): void {
    if (property !== 'invite_only' && property !== 'history_public_to_subscribers') return;
    for (const list of this.#lists) {
      if (!('channelId' in list.narrow) || list.narrow.channelId === stream_id) list.reloadSoon();
    }
  }
}
