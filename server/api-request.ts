import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Access, Caller, CancelListener, CancelSignal, RequestPermit } from '../lib/internal.ts';
import type { Identity } from './authentication.ts';
import type { RequestBody } from './body.ts';
import { acceptedEncoding, type Encoding } from './compression.ts';
import { callerKey, type ListenerContext } from './context.ts';
import type { Form } from './form.ts';
import { webhookKeyIn } from './incoming-webhooks.ts';
import type { Exchange } from './respond.ts';
import type { Match, Route } from './router.ts';

/** A dry run, or a `why` request: may a user run the operation, and why. */
export type Preview = { kind: 'dry_run' } | { kind: 'why'; user: number | string };

/** What a request runs. */
export type Kind = 'call' | 'sign-in' | 'upload' | 'preview' | 'poll' | 'stream';

interface Treatment {
  /** The rate limit for all requests of this kind. */
  readonly limit?: 'api_by_user' | 'polls_by_user';
  /** It waits until the account may send another body. */
  readonly arrivesInTurn: boolean;
  /** It waits for its turn before the call. */
  readonly takesTurn: boolean;
}

const ORDINARY: Treatment = { limit: 'api_by_user', arrivesInTurn: true, takesTurn: true };
/** It waits for events. */
const WAITING: Treatment = { limit: 'polls_by_user', arrivesInTurn: false, takesTurn: false };

/** How the stages treat a kind of request. */
const TREATMENTS: Readonly<Record<Kind, Treatment>> = {
  call: ORDINARY,
  preview: ORDINARY,
  // The file is still arriving during the call.
  upload: { ...ORDINARY, takesTurn: false },
  // Logins have limits and turns of their own, so that other requests from an address cannot stop them.
  'sign-in': { arrivesInTurn: false, takesTurn: false },
  poll: WAITING,
  stream: WAITING,
};

/** A call of an operation. */
export interface Call {
  readonly caller: Caller;
  /** Parameters by name, as text. */
  readonly values: Record<string, unknown>;
  /** Parameters of the path that the client has sent again, with another value. */
  readonly repeated: readonly string[];
}

/** A step on the way of a request. */
export interface Stage {
  /** Throws the error of the response. Returns a promise only if the request has to wait. */
  enter(request: ApiRequest): Promise<void> | undefined;
  /** Called for every request at its end, also if it has failed before this stage. */
  leave?(request: ApiRequest): Promise<void> | undefined;
}

/** An API request on its way through the stages. */
export class ApiRequest implements Exchange {
  readonly headers: Exchange['headers'] = {};
  /** The response is complete, so no further stage is needed. */
  isAnswered = false;
  hasFailed = false;

  // Set by the stage `route`.
  match!: Match;
  route!: Route;
  kind!: Kind;
  preview: Preview | undefined;
  body!: RequestBody;
  /** Set by the stage `authenticate`. The route of a form may need it earlier. */
  identity: Identity | undefined;
  /** Set by the stage `readBody`. */
  form: Form | undefined;
  /** Set by the stage `call`. */
  result: object | undefined;

  #encoding: Encoding | undefined;
  #turn: RequestPermit | undefined;
  #signal: CancelSignal | undefined;

  /**
   * @param path below `/api/v1`
   * @param query without the question mark
   */
  constructor(
    readonly context: ListenerContext,
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
    readonly path: string,
    readonly query: string,
  ) {}

  get treatment(): Treatment {
    return TREATMENTS[this.kind];
  }

  /** Only results that are long need it. */
  get encoding(): Encoding | undefined {
    return this.#encoding ?? encodingFor(this.context, this.req);
  }

  /** For a request that loses its headers while it waits. */
  keepEncoding(): void {
    this.#encoding = this.encoding;
  }

  /** Finds the account. @param access who may call the operation */
  async identify(access: Access): Promise<void> {
    const { context, req, headers, match, query } = this;
    const webhookKey = match.methods.get('POST')?.operation.incoming && webhookKeyIn(query);
    this.identity = await context.authentication.identify(req, access, headers, webhookKey);
  }

  /** null without credentials, and before the authentication. */
  get userId(): number | null {
    return this.identity?.userId ?? null;
  }

  /** Who waits for and uses the shared resources of the server. */
  get callerKey(): number | string {
    return callerKey(this.context, this.req, this.userId);
  }

  /** The turn of the request, the same from the first use on. Undefined without rate limits. */
  get turn(): RequestPermit | undefined {
    this.#turn ??= this.context.turns?.permit(this.callerKey, this.signal);
    return this.#turn;
  }

  /** Frees what others wait for. */
  endTurn(): void {
    this.#turn?.end();
  }

  /** Aborted when the client disconnects. */
  get signal(): CancelSignal {
    this.#signal ??= new ClientSignal(this.res);
    return this.#signal;
  }
}

class ClientSignal implements CancelSignal {
  constructor(private readonly res: ServerResponse) {}

  get aborted(): boolean {
    return this.res.destroyed;
  }

  addEventListener(_: 'abort', listener: CancelListener): void {
    this.res.once('close', listener as () => void);
  }

  removeEventListener(_: 'abort', listener: CancelListener): void {
    this.res.off('close', listener as () => void);
  }
}

/**
 * Pages of other sites get nothing compressed. They could send requests with a login cookie and a guess. The size would
 * show whether the response contains the guess (BREACH).
 */
function encodingFor({ authentication }: ListenerContext, req: IncomingMessage): Encoding | undefined {
  const encoding = acceptedEncoding(req);
  return encoding && authentication.isFromOwnSite(req) ? encoding : undefined;
}
