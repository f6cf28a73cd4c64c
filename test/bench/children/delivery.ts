import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { MARK } from '../requests.ts';
import { answer } from './answering.ts';
import { Responses } from './responses.ts';

/** Sends messages, and receives them on polls or streams. Each message contains a number. */

const DIGITS = 9;

interface Listener {
  socket: Socket;
  received: number;
  /** By number: how often it was received. Only under overload. */
  counts?: Uint8Array;
}

let listeners: Listener[] = [];
let sentAt: number[] = [];
let lags: number[] = [];
let onComplete: () => void = () => undefined;
let expected = 0;
let missing = 0;

/** When each message was acknowledged, by number. Only under overload. */
let acknowledgedAt: number[] | undefined;

function noteMessage(listener: Listener, number: number): void {
  if (listener.counts) {
    (listener.counts[number] as number)++;
    // A message may arrive before its acknowledgement.
    lags.push(performance.now() - (acknowledgedAt?.[number] ?? performance.now()));
    listener.received++;
    return;
  }
  lags.push(performance.now() - (sentAt[number] as number));
  listener.received++;
  if (listener.received === expected && --missing === 0) onComplete();
}

/** Finds the numbers in the data of a connection. */
function scanner(found: (number: number) => void) {
  let rest: Buffer = Buffer.alloc(0);
  return (piece: Buffer) => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    let from = 0;
    for (;;) {
      const at = bytes.indexOf(MARK, from);
      if (at === -1 || at + MARK.length + DIGITS > bytes.length) {
        const start = at === -1 ? Math.max(from, bytes.length - MARK.length + 1) : at;
        rest = Buffer.from(bytes.subarray(start));
        return;
      }
      from = at + MARK.length + DIGITS;
      found(Number(bytes.toString('latin1', at + MARK.length, from)));
    }
  };
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.on('error', reject);
  });
}

/** A poll is repeated with the ID of the newest event, as is a stream that has ended. */
async function listen(given: { port: number; requests: string[]; isStream: boolean }) {
  for (const text of given.requests) {
    const listener = { socket: await open(given.port), received: 0 };
    listeners.push(listener);
    if (given.isStream) readStream(listener, given.port, text);
    else repeatPoll(listener, text);
  }
}

const since = (text: string, id: string) => text.replace(/last_event_id=-?\d+/, `last_event_id=${id}`);

function repeatPoll(listener: Listener, text: string): void {
  const { socket } = listener;
  const scan = scanner((number) => noteMessage(listener, number));
  const responses = new Responses(({ status, body, tail }) => {
    if (status !== 200) throw new Error(`The server answered ${status}: ${body.slice(0, 300)}`);
    socket.write(since(text, /"id":(\d+)\}\]/.exec(tail)?.[1] ?? '0'));
  });
  socket.on('data', (piece) => {
    scan(piece);
    responses.feed(piece);
  });
  socket.write(text);
}

function readStream(listener: Listener, port: number, text: string): void {
  const { socket } = listener;
  const scan = scanner((number) => noteMessage(listener, number));
  let tail = '';
  socket.on('data', (piece) => {
    scan(piece);
    tail = (tail + piece.toString('latin1', Math.max(0, piece.length - 400))).slice(-400);
  });
  socket.on('end', async () => {
    const id = /"id":(\d+)\}\n\n$/.exec(tail)?.[1];
    if (id === undefined) throw new Error(`A stream ended with ${tail}`);
    listener.socket = await open(port);
    readStream(listener, port, since(text, id));
  });
  socket.write(text);
}

function numbered(text: string): (number: number) => Buffer {
  const at = text.indexOf(MARK) + MARK.length;
  return (number) => Buffer.from(text.slice(0, at) + String(number).padStart(DIGITS, '0') + text.slice(at + DIGITS));
}

/**
 * Sends messages with one request at a time on each connection: as fast as they are acknowledged, or at a fixed rate.
 *
 * @returns milliseconds until all are acknowledged and until every listener has all; lags in milliseconds
 */
async function deliver(given: { port: number; requests: string[]; messages: number; perSecond?: number }) {
  sentAt = [];
  lags = [];
  expected = given.messages;
  missing = listeners.length;
  for (const listener of listeners) listener.received = 0;
  const complete = new Promise<void>((resolve) => {
    onComplete = resolve;
  });
  const start = performance.now();
  let next = 0;
  const isDue = () => given.perSecond === undefined || next < ((performance.now() - start) / 1000) * given.perSecond;
  const senders = given.requests.map(async (text) => {
    const socket = await open(given.port);
    const textOf = numbered(text);
    let acknowledged: () => void = () => undefined;
    const responses = new Responses(({ status, body }) => {
      if (status !== 200) throw new Error(`The server answered ${status}: ${body.slice(0, 300)}`);
      acknowledged();
    });
    socket.on('data', (piece) => responses.feed(piece));
    while (next < given.messages) {
      if (!isDue()) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        continue;
      }
      const number = next++;
      sentAt[number] = performance.now();
      await new Promise<void>((resolve) => {
        acknowledged = resolve;
        socket.write(textOf(number));
      });
    }
    socket.destroy();
  });
  await Promise.all(senders);
  const acknowledgedMs = performance.now() - start;
  await complete;
  const deliveredMs = performance.now() - start;
  lags.sort((a, b) => a - b);
  const at = (part: number) => lags[Math.floor(lags.length * part)];
  return { acknowledgedMs, deliveredMs, median: at(0.5), p99: at(0.99), longest: lags.at(-1) };
}

/**
 * Sends messages at a rate above what the server can deliver. Refused ones (429) are not repeated.
 *
 * @returns counts of messages; milliseconds of lag since the acknowledgement, and from the last one until all have all
 */
async function overload(given: { port: number; requests: string[]; perSecond: number; seconds: number }) {
  const acknowledgements: number[] = [];
  acknowledgedAt = acknowledgements;
  lags = [];
  const most = given.perSecond * given.seconds;
  for (const listener of listeners) Object.assign(listener, { received: 0, counts: new Uint8Array(most) });
  // Node accepts one connection per turn of its loop, which takes long under load.
  const sockets = await Promise.all(given.requests.map(() => open(given.port)));
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const start = performance.now();
  const elapsed = () => (performance.now() - start) / 1000;
  let next = 0;
  let refused = 0;
  const senders = given.requests.map(async (text, at) => {
    const socket = sockets[at] as Socket;
    const textOf = numbered(text);
    let answered: (status: number) => void = () => undefined;
    const responses = new Responses(({ status, body }) => {
      if (status !== 200 && status !== 429) throw new Error(`The server answered ${status}: ${body.slice(0, 300)}`);
      answered(status);
    });
    socket.on('data', (piece) => responses.feed(piece));
    while (elapsed() < given.seconds) {
      if (next >= most || next >= elapsed() * given.perSecond) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        continue;
      }
      const number = next++;
      const status = await new Promise<number>((resolve) => {
        answered = resolve;
        socket.write(textOf(number));
      });
      if (status === 200) acknowledgements[number] = performance.now();
      else refused++;
    }
    socket.destroy();
  });
  await Promise.all(senders);
  const stopped = performance.now();
  const numbers = Object.keys(acknowledgements).map(Number);
  const isComplete = () => listeners.every(({ received }) => received >= numbers.length);
  while (!isComplete() && performance.now() - stopped < 60_000) await new Promise((resolve) => setTimeout(resolve, 5));
  const recoveryMs = performance.now() - stopped;
  let wrong = 0;
  for (const { counts, received } of listeners) {
    wrong += numbers.filter((number) => counts?.[number] !== 1).length + Math.max(0, received - numbers.length);
  }
  // In place: there may be tens of millions.
  const sorted = Float64Array.from(lags).sort();
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] as number;
  for (const listener of listeners) delete listener.counts;
  acknowledgedAt = undefined;
  return { offered: next, acknowledged: numbers.length, refused, wrong, p99: at(0.99), longest: at(1), recoveryMs };
}

async function leave() {
  for (const { socket } of listeners) socket.destroy();
  listeners = [];
  await new Promise((resolve) => setTimeout(resolve, 200));
}

answer({ listen, deliver, overload, leave });
