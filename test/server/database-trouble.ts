import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Storage } from '../../lib/index.ts';
import { until } from '../support/until.ts';
import { type Answer, type Running, running } from './running.ts';

/** Shows which part is not ready. */
export const TOKEN = 'a-token-of-some-length';

/** A server over a storage that will fail, with a channel to send to. */
export interface Troubled extends Running {
  /** Sends a message. Records it if the send was acknowledged. */
  say(content: string): Promise<Answer>;
  /** Acknowledged messages, which must be stored permanently. */
  readonly acknowledged: Map<number, string>;
  /** All stored messages, by ID. */
  everything(): Promise<Map<number, string>>;
  /** Throws unless the response blames the database, in a form that clients understand. */
  checkUnavailable(answer: Answer, options: { passing: boolean }): void;
}

export async function troubled(t: TestContext, storage: Storage): Promise<Troubled> {
  const server = await running(t, { rateLimits: false, inspectionToken: TOKEN }, { storage });
  await server.chat.as(server.owner.user_id).channels.create({ name: 'log', subscribers: [server.owner.user_id] });
  const acknowledged = new Map<number, string>();
  return {
    ...server,
    acknowledged,
    async say(content) {
      const form = { type: 'channel', to: 'log', topic: 'x', content };
      const answer = await server.send('POST', '/api/v1/messages', { form });
      if (answer.status === 200) acknowledged.set(answer.body.id, content);
      return answer;
    },
    async everything() {
      const all = new Map<number, string>();
      const narrow = JSON.stringify([
        ['channel', 'log'],
        ['topic', 'x'],
      ]);
      // A fast machine sends more messages than one response lists.
      for (let anchor = 'newest'; ; ) {
        const query = new URLSearchParams({ anchor, num_before: '5000', num_after: '0', narrow });
        query.set('apply_markdown', 'false');
        const { status, text, body } = await server.send('GET', `/api/v1/messages?${query}`);
        assert.equal(status, 200, text.slice(0, 300));
        for (const { id, content } of body.messages) all.set(id, content);
        if (body.found_oldest) return all;
        anchor = String(Math.min(...all.keys()));
      }
    },
    checkUnavailable(answer, { passing }) {
      assert.equal(answer.status, 503, answer.text.slice(0, 300));
      const { result, msg, code, ...data } = answer.body;
      assert.deepEqual([result, code], ['error', 'SERVICE_UNAVAILABLE']);
      assert.doesNotMatch(
        msg,
        /\/tmp|chat\.db|127\.0\.0\.1|postgres:|SQL/i,
        'no detail of the machine is in the response',
      );
      const seconds = passing ? data['retry-after'] : undefined;
      assert.deepEqual(data, passing ? { 'retry-after': seconds } : {});
      assert.equal(answer.headers['retry-after'], passing ? String(seconds) : undefined);
      if (passing) assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60);
    },
  };
}

/** Repeats a request until it succeeds. Earlier responses must be 503. */
export async function untilWell(chat: Troubled, request: () => Promise<Answer>): Promise<Answer> {
  const look = async () => {
    const answer = await request();
    if (answer.status === 200) return answer;
    chat.checkUnavailable(answer, { passing: true });
  };
  return until('the request succeeds', look, { every: 50 });
}

/** Waits until `/ready` has this status. */
export async function untilReady(chat: Troubled, status: 200 | 503): Promise<void> {
  await until(`/ready has status ${status}`, async () => (await chat.send('GET', '/ready')).status === status, {
    every: 100,
  });
}

/** Eight senders that continue until they are stopped. */
export function startSending(chat: Troubled) {
  const refused: Answer[] = [];
  let isSending = true;
  let sent = 0;
  const senders = Array.from({ length: 8 }, async (_, at) => {
    while (isSending) {
      const answer = await chat.say(`${at}.${sent++}`);
      if (answer.status === 200) continue;
      refused.push(answer);
      // Else the refusals would take all processor time.
      await setTimeout(10);
    }
  });
  const stop = async () => {
    isSending = false;
    await Promise.all(senders);
  };
  return { refused, stop };
}

/** IDs of the messages that the queue received, with repetitions. */
export async function messagesTold(chat: Troubled, queue_id: string): Promise<number[]> {
  const told: number[] = [];
  for (let last = -1; ; ) {
    const { body } = await chat.send(
      'GET',
      `/api/v1/events?queue_id=${queue_id}&last_event_id=${last}&dont_block=true`,
    );
    if (body.events.length === 0) return told.sort((a, b) => a - b);
    for (const event of body.events) {
      told.push(event.message.id);
      last = event.id;
    }
  }
}
