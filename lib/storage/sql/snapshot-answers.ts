import type { SqlValue } from './connection.ts';

interface PendingQuery<A> {
  sql: string;
  params: readonly SqlValue[];
  answer: Promise<A>;
}

/** For read transactions: a statement that is pending, or was sent ahead, is not sent again. */
export class SnapshotAnswers<A> {
  readonly #asked = new Set<PendingQuery<A>>();
  #isAhead = false;

  /** Keeps the answers of the statements that `ask` sends. */
  askAhead<T>(ask: () => T): T {
    this.#isAhead = true;
    try {
      return ask();
    } finally {
      this.#isAhead = false;
    }
  }

  answer(sql: string, params: readonly SqlValue[], send: () => Promise<A>): Promise<A> {
    for (const asked of this.#asked) if (asked.sql === sql && areSame(asked.params, params)) return asked.answer;
    const asked: PendingQuery<A> = { sql, params, answer: send() };
    this.#asked.add(asked);
    const forget = () => void this.#asked.delete(asked);
    if (!this.#isAhead) asked.answer.then(forget, forget);
    return asked.answer;
  }
}

function areSame(ones: readonly SqlValue[], others: readonly SqlValue[]): boolean {
  return ones.length === others.length && ones.every((one, at) => one === others[at]);
}
