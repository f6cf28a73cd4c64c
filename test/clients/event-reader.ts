import type { Body, FormClient } from './form-client.ts';

/** A queue and its last read position. */
export class EventReader {
  lastEventId: number;

  /** @param registered response of POST register */
  constructor(
    readonly client: FormClient,
    readonly registered: Body,
  ) {
    this.lastEventId = registered.last_event_id;
  }

  get queueId(): string {
    return this.registered.queue_id;
  }

  /** One response of GET events, unchanged. */
  async poll(options: { wait?: boolean } = {}): Promise<Body> {
    const body = await this.client.get('events', {
      queue_id: this.queueId,
      last_event_id: this.lastEventId,
      ...(options.wait ? {} : { dont_block: true }),
    });
    for (const event of body.events) this.lastEventId = Math.max(this.lastEventId, event.id);
    return body;
  }

  /** All present events. */
  async drain(): Promise<Body[]> {
    const all: Body[] = [];
    for (;;) {
      const { events } = await this.poll();
      if (events.length === 0) return all;
      all.push(...events);
    }
  }
}
