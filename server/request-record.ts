import { randomUUID } from 'node:crypto';
import type { Logger } from '../lib/index.ts';
import type { ServerAnswer, ServerRequest } from './exchange.ts';
import type { Metrics } from './metrics.ts';

/** Status of a request that its sender gave up before there was an answer; nginx has the same number for it. */
const GONE = 499;
/** Status of a request whose answer broke off by a fault of ours, whatever its head said. */
const BROKEN_OFF = 500;
/** What proxies send: UUIDs and the like. Anything else could forge a line where logs are read by people. */
const SANE_ID = /^[A-Za-z0-9._:-]{8,64}$/;

const RECORD: unique symbol = Symbol('parlance.request');

interface Recorded {
  [RECORD]?: RequestRecord;
}

/** What is kept of a request until it has ended. Thousands of polls have one at a time, so it is small. */
export class RequestRecord {
  /** The pattern of its address, never the address: that holds names, and on some pages a secret. */
  route = '';
  /** Its operation by name, or what else it was for. */
  operation = 'none';
  /** null: without credentials; undefined: it was refused before that was known. */
  userId: number | null | undefined;
  /** Its answer had begun and could not be ended. */
  hasBrokenOff = false;
  readonly #begun = performance.now();
  /** When it began to wait for something to happen. */
  #waitsSince: number | undefined;
  #waited: number | undefined;
  readonly #socket: ServerRequest['socket'];
  readonly #sentBefore: number;

  constructor(
    readonly id: string,
    private readonly method: string,
    socket: ServerRequest['socket'],
  ) {
    this.#socket = socket;
    this.#sentBefore = socket.bytesWritten ?? 0;
  }

  beginWaiting(): void {
    this.#waitsSince = performance.now();
  }

  endWaiting(): void {
    if (this.#waitsSince !== undefined) this.#waited ??= performance.now() - this.#waitsSince;
  }

  /** The facts of a request that has ended: its answer was sent, or its sender is gone. */
  facts(res: ServerAnswer): RequestFacts {
    // One whose caller went away ends while it waits.
    this.endWaiting();
    const waited = this.#waited;
    const facts: RequestFacts = {
      request: this.id,
      method: this.method,
      route: this.route,
      operation: this.operation,
      status: this.hasBrokenOff ? BROKEN_OFF : res.headersSent ? res.statusCode : GONE,
      ms: rounded(performance.now() - this.#begun - (waited ?? 0)),
      user: this.userId ?? null,
      // With its headers, where they went through a socket.
      bytes: res.bytesSent ?? (this.#socket.bytesWritten ?? 0) - this.#sentBefore,
    };
    if (waited !== undefined) facts.waited_ms = rounded(waited);
    if (res.headersSent && !res.writableFinished) facts.cut = true;
    return facts;
  }
}

interface RequestFacts {
  request: string;
  method: string;
  route: string;
  operation: string;
  status: number;
  ms: number;
  waited_ms?: number;
  user: number | null;
  bytes: number;
  cut?: true;
}

const rounded = (ms: number) => Math.round(ms * 100) / 100;

/** What is recorded of a request; nothing where nobody wants to know. */
export function recordOf(req: ServerRequest): RequestRecord | undefined {
  return (req as Recorded)[RECORD];
}

/** Tells of each request of a listener, when it has ended: a line of the log, and the figures. */
export class RequestRecords {
  constructor(
    private readonly logger: Logger | undefined,
    private readonly metrics: Metrics | undefined,
    /** Whether whoever is in front may say what a request is called. */
    private readonly takesIds: boolean,
  ) {}

  begin(req: ServerRequest, res: ServerAnswer): RequestRecord {
    const record = new RequestRecord(this.#idOf(req), req.method ?? 'GET', req.socket);
    (req as Recorded)[RECORD] = record;
    // Node emits 'close' exactly once for a response, sent or broken off.
    res.on('close', () => this.#end(record, res));
    return record;
  }

  #idOf(req: ServerRequest): string {
    const given = this.takesIds ? req.headers['x-request-id'] : undefined;
    return typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID();
  }

  #end(record: RequestRecord, res: ServerAnswer): void {
    const facts = record.facts(res);
    this.metrics?.count(facts.operation, facts.status, facts.ms / 1000, facts.bytes);
    this.logger?.info(facts, 'request');
  }
}
