import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { answer } from './answering.ts';
import { type Response, Responses } from './responses.ts';

/**
 * Sends prepared requests and counts the responses. It implements the minimum of HTTP: a client as expensive as the
 * server would distort the measurement.
 */

interface Line {
  socket: Socket;
  send(text: string | Buffer): Promise<Response>;
}

function open(port: number): Promise<Line> {
  return new Promise((resolve, reject) => {
    const waiting: { resolve(response: Response): void; reject(error: Error): void }[] = [];
    const responses = new Responses((response) => waiting.shift()?.resolve(response));
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.on('data', (piece) => responses.feed(piece));
    socket.on('error', reject);
    socket.on('close', () => {
      for (const { reject } of waiting.splice(0)) reject(new Error('The server closed the connection.'));
    });
    socket.once('connect', () => {
      resolve({
        socket,
        send: (text) =>
          new Promise((resolve, reject) => {
            waiting.push({ resolve, reject });
            socket.write(text);
          }),
      });
    });
  });
}

function refuse({ status, body }: Response): never {
  throw new Error(`The server answered ${status}: ${body.slice(0, 300)}`);
}

/**
 * As many requests as the server answers, one at a time on each connection. Several ports share the connections
 * equally.
 */
async function load(given: {
  port: number | readonly number[];
  requests: string[];
  connections: number;
  milliseconds: number;
  /** Continues until there are so many responses. */
  atLeast?: number;
  /** Sleeps between two responses, so that the servers have the processor. */
  sleeps?: boolean;
}) {
  const ports = [given.port].flat();
  const texts = given.requests.map((text) => Buffer.from(text));
  let next = 0;
  let isOver = false;
  const latencies: number[] = [];
  const lines: Line[] = [];
  for (let n = 0; n < given.connections; n++) lines.push(await open(ports[n % ports.length] as number));
  const start = performance.now();
  let end = start;
  await new Promise<void>((resolve, reject) => {
    let open = lines.length;
    const drive = async ({ socket, send }: Line) => {
      while (!isOver) {
        const sent = performance.now();
        const response = await send(texts[next++ % texts.length] as Buffer);
        end = performance.now();
        if (response.status !== 200) refuse(response);
        latencies.push(end - sent);
        if (end - start > given.milliseconds && latencies.length >= (given.atLeast ?? 0)) isOver = true;
      }
      socket.destroy();
      if (--open === 0) resolve();
    };
    for (const line of lines) drive(line).catch(reject);
    if (!given.sleeps) stayAwake(() => isOver);
  });
  latencies.sort((a, b) => a - b);
  return {
    perSecond: (latencies.length * 1000) / (end - start),
    answers: latencies.length,
    p99: latencies[Math.floor(latencies.length * 0.99)],
  };
}

/**
 * Checks for responses without sleeping. A server that has to wake its client pays for it with every response. On
 * virtual processors this costs more than the response itself.
 */
function stayAwake(isOver: () => boolean): void {
  if (!isOver()) setImmediate(stayAwake, isOver);
}

let steady: { port: number; line: Line } | undefined;

/** One request on an open connection: milliseconds until the last byte arrives. */
async function exchange(given: { port: number; request: string }) {
  if (steady?.port !== given.port) {
    steady?.line.socket.destroy();
    steady = { port: given.port, line: await open(given.port) };
  }
  const start = performance.now();
  const response = await steady.line.send(given.request);
  const milliseconds = performance.now() - start;
  if (response.status !== 200) refuse(response);
  return { milliseconds, length: response.length };
}

let parked: { line: Line; answered: Promise<Response> }[] = [];

/** Sends each request on its own connection and does not wait for the responses. */
async function park(given: { port: number; requests: string[] }) {
  for (const text of given.requests) {
    const line = await open(given.port);
    const answered = line.send(text);
    answered.catch(() => undefined);
    parked.push({ line, answered });
  }
}

async function drop() {
  for (const { line } of parked) line.socket.destroy();
  parked = [];
  // The other side notices a little later.
  await new Promise((resolve) => setTimeout(resolve, 200));
}

/** Sends one request and waits for the responses of all waiting requests: milliseconds until the last one. */
async function wake(given: { port: number; request: string }) {
  const trigger = await open(given.port);
  const start = performance.now();
  const done = trigger.send(given.request);
  for (const { answered } of parked) {
    const response = await answered;
    if (response.status !== 200) refuse(response);
  }
  const milliseconds = performance.now() - start;
  await done;
  trigger.socket.destroy();
  return { milliseconds };
}

let polling: { line: Line; text: string; answered: Promise<Response> }[] = [];

/** Polls that wait and are repeated. Each contains a `last_event_id`. */
async function poll(given: { port: number; requests: string[] }) {
  for (const text of given.requests) {
    const line = await open(given.port);
    polling.push({ line, text, answered: line.send(text) });
  }
}

/** Sends one request. Each answered poll is repeated with the ID of its newest event. */
async function pollAgain(given: { port: number; request: string }) {
  const trigger = await open(given.port);
  let isOver = false;
  stayAwake(() => isOver);
  const done = trigger.send(given.request);
  await Promise.all(
    polling.map(async (one) => {
      const { status, body, tail } = await one.answered;
      if (status !== 200) throw new Error(`The server answered ${status}: ${body.slice(0, 300)}`);
      const id = /"id":(\d+)\}\]/.exec(tail)?.[1] ?? '0';
      one.answered = one.line.send(one.text.replace(/last_event_id=-?\d+/, `last_event_id=${id}`));
      one.answered.catch(() => undefined);
    }),
  );
  await done;
  isOver = true;
  trigger.socket.destroy();
}

/** Sends one request and does not repeat the polls: milliseconds until all of them are answered. */
async function fanOut(given: { port: number; request: string }) {
  const trigger = await open(given.port);
  const start = performance.now();
  const done = trigger.send(given.request);
  const bytes = await Promise.all(polling.map(async ({ answered }) => (await answered).length));
  await done;
  const milliseconds = performance.now() - start;
  trigger.socket.destroy();
  for (const { line } of polling) line.socket.destroy();
  polling = [];
  await new Promise((resolve) => setTimeout(resolve, 200));
  return { milliseconds, length: bytes[0] };
}

answer({ load, exchange, park, drop, wake, poll, pollAgain, fanOut });
