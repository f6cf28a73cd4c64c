import type { Body, FormClient } from './form-client.ts';

/** A queue and how far it has been read. */
export class EventReader {
  lastEventId: number;

  /** @param registered answer of POST register */
  constructor(
    readonly client: FormClient,
    readonly registered: Body,
  ) {
    this.lastEventId = registered.last_event_id;
  }

  get queueId(): string {
    return this.registered.queue_id;
  }

  /** One answer of GET events, as it came. */
  async poll(options: { wait?: boolean } = {}): Promise<Body> {
    const body = await this.client.get('events', {
      queue_id: this.queueId,
      last_event_id: this.lastEventId,
      ...(options.wait ? {} : { dont_block: true }),
    });
    for (const event of body.events) this.lastEventId = Math.max(this.lastEventId, event.id);
    return body;
  }

  /** Everything there is now. */
  async drain(): Promise<Body[]> {
    const all: Body[] = [];
    for (;;) {
      const { events } = await this.poll();
      if (events.length === 0) return all;
      all.push(...events);
    }
  }
}
