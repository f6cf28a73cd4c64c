import type { LoggedEvent } from '../storage/interface/events.ts';
import { type Batch, deliveriesOf, type Recipient } from './batch.ts';

/** UTF-16 code units of JSON. */
const MAX_SIZE = 8_000_000;

/** The newest part of the log: the batches for the subscriptions, oldest first and without gaps. */
export class RecentLog {
  readonly #batches: { after: number; batch: Batch; readAt: number }[] = [];
  #size = 0;

  /**
   * @param position log position up to which the batches reach
   * @param usersVersion all accounts of the subscriptions are current up to this version
   */
  constructor(
    public position: number,
    public usersVersion: number,
  ) {}

  /** Average size of the events of the newest batch. The largest size before there is one. */
  get eventSize(): number {
    const { size = 0, events = [] } = this.#batches.at(-1)?.batch ?? {};
    return events.length > 0 ? size / events.length : MAX_SIZE;
  }

  hasAllAfter(seq: number): boolean {
    return seq >= (this.#batches[0]?.after ?? this.position);
  }

  /** Adds the next batch. Drops old ones: those before `oldest`, and the oldest ones if all are too large. */
  add(batch: Batch, { readAt, oldest }: { readAt: number; oldest: number }): void {
    this.#batches.push({ after: this.position, batch, readAt });
    this.#size += batch.size;
    this.position = batch.events.at(-1)?.seq ?? this.position;
    this.usersVersion = Math.max(this.usersVersion, batch.usersVersion);
    for (let [first] = this.#batches; first && first.batch !== batch; [first] = this.#batches) {
      if (this.#size <= MAX_SIZE && first.readAt >= oldest) return;
      this.#size -= first.batch.size;
      this.#batches.shift();
    }
  }

  /** The events after the position of the recipient. */
  eventsFor(recipient: Recipient): LoggedEvent[] {
    let first = this.#batches.length;
    for (let end = this.position; first > 0 && end > recipient.seq; end = this.#batches[first]?.after ?? 0) first--;
    return this.#batches.slice(first).flatMap(({ batch }) => deliveriesOf(batch, [recipient]).get(recipient) ?? []);
  }
}
