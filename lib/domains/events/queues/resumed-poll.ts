import type { Seat } from '../../../delivery/parked-queues.ts';
import type { Departure, Sleeper, Wakeup } from '../../../delivery/waiter.ts';
import type { Services } from '../../../kernel/context.ts';
import type { Asker, Resumption } from '../../../kernel/resumption.ts';
import { answerTo, isTouchDue, knownAnswer, type PollParams, patienceFor, pollLog } from './poll.ts';

/**
 * A poll that continues in the seat of the previous poll of its queue. It waits immediately, without a query, and is
 * answered with the events that are shared by all clients. If this is not possible, it reads the log like other polls.
 */
export class ResumedPoll implements Resumption, Sleeper {
  readonly #seat: Seat;
  #asker: Asker | undefined;
  #end = 0;

  private constructor(
    private readonly services: Services,
    private readonly params: PollParams,
    seat: Seat,
  ) {
    this.#seat = seat;
  }

  /** Undefined if there is no seat, or if the use of the queue must be stored again. */
  static at(services: Services, params: PollParams): ResumedPoll | undefined {
    const { hub, clock } = services;
    const seat = params.dont_block ? undefined : hub.seatOf(params.queue_id, params.last_event_id);
    if (!seat || isTouchDue(seat.queue, clock.now(), seat.last)) return undefined;
    return new ResumedPoll(services, params, seat);
  }

  get actor() {
    return this.#seat.reader;
  }

  begin(asker: Asker, signal: Departure | undefined): void {
    const { hub, options } = this.services;
    this.#asker = asker;
    if (this.#seat.pending.length > 0) return this.woken(hub.take(this.#seat));
    this.#end = performance.now() + options.heartbeatSeconds * 1000;
    hub.park(this.#seat, { milliseconds: patienceFor(this.services, this.#seat, this.#end), signal }, this);
  }

  woken(wakeup: Wakeup): void {
    const asker = this.#asker as Asker;
    try {
      const isLast = wakeup !== 'look again' && (wakeup !== 'heartbeat' || this.#isOver);
      const known = isLast ? knownAnswer(this.services, this.params, this.#seat, wakeup) : undefined;
      if (known) asker.resolve(known);
      else
        this.#lookAgain(asker, wakeup).then(
          (answer) => asker.resolve(answer),
          (error) => asker.reject(error),
        );
    } catch (error) {
      asker.reject(error);
    }
  }

  get #isOver(): boolean {
    return this.#seat.queue.holder === this.services.hub.id || performance.now() >= this.#end;
  }

  async #lookAgain(asker: Asker, wakeup: Wakeup) {
    const { reader: actor, organization } = this.#seat;
    const context = asker.context({ actor, organization });
    const answer = await answerTo(context, this.params, this.#seat, wakeup, this.#end);
    return answer ?? pollLog(context, this.params, this.#end);
  }
}
