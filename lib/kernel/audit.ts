import type { NewAuditEntry } from '../storage/interface/audit.ts';
import type { Caller } from './callers.ts';
import { type ChatError, RateLimitHit } from './errors.ts';
import type { Operation } from './operation.ts';

/** Characters of what is kept of a call's parameters. */
const MAX_DETAILS = 1_000;
/** Numbers of a list that are kept. */
const MAX_LISTED = 20;

/** Whether a call of the operation is kept in the audit log: of changes for administrators and owners alone, unless it says otherwise. */
export function mayBeAudited({ audited, effect, access }: Operation): boolean {
  return audited !== undefined
    ? audited !== false
    : effect !== 'read' && (access === 'administrator' || access === 'owner');
}

/** What the audit log gets of one call: once, with the first change that it commits, or the refusal. */
export class AuditNote {
  /** Committed; nothing more is to be kept. */
  isKept = false;
  /** Who reads, as the transaction found them. */
  actorId: number | undefined;
  #parameters: Readonly<Record<string, unknown>> | undefined;
  #misread: unknown;

  constructor(
    private readonly operation: Operation,
    private readonly caller: Caller,
  ) {}

  get isSignIn(): boolean {
    return this.operation.audited === 'sign-in';
  }

  /** What was given, or why that could not be read. */
  read(parameters: Readonly<Record<string, unknown>> | undefined, refusal: unknown): void {
    this.#parameters = parameters;
    this.#misread = refusal;
    const { audited } = this.operation;
    if (typeof audited === 'object' && parameters?.[audited.whenGiven] === undefined) this.isKept = true;
  }

  done(actorId: number | undefined, now: number, result: unknown): NewAuditEntry {
    return {
      ...this.#entry(now),
      user_id: actorId ?? (this.caller.userId || null),
      status: 200,
      code: null,
      details: bounded({ ...idsIn(result), ...shown(this.#parameters ?? {}) }),
    };
  }

  /** Of a sign-in nothing is kept but whose it was. */
  signIn(userId: number, now: number): NewAuditEntry {
    return { ...this.done(userId, now, undefined), details: {} };
  }

  /** The entry of a refusal; none where the call was wrong in itself, which says nothing about who may do what. */
  refused(error: ChatError, now: number): { entry: NewAuditEntry; account: string | undefined } | undefined {
    if (this.isKept || error === this.#misread || error instanceof RateLimitHit) return undefined;
    const { limitedBy } = this.operation;
    const account = limitedBy?.rule === 'sign-in' ? this.#parameters?.[limitedBy.account] : undefined;
    return {
      entry: {
        ...this.#entry(now),
        user_id: this.caller.userId ?? null,
        status: error.status,
        code: error.code,
        details: this.isSignIn ? {} : bounded(shown(this.#parameters ?? {})),
        network: this.caller.network ?? null,
      },
      account: typeof account === 'string' ? account : undefined,
    };
  }

  #entry(now: number) {
    const { client, request } = this.caller;
    return { at_ms: now, action: this.operation.name, client, network: null, request: request ?? null, times: 1 };
  }
}

/** Texts may be secrets or what people write; that they were given is all that is kept of them. */
function shown(parameters: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const details: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    if (typeof value === 'number' || typeof value === 'boolean' || value === null) details[name] = value;
    else if (Array.isArray(value) && value.length <= MAX_LISTED && value.every(Number.isInteger)) details[name] = value;
    else details[name] = Array.isArray(value) ? `${value.length} given` : 'given';
  }
  return details;
}

/** The numbers of what was made. */
function idsIn(result: unknown): Record<string, unknown> {
  if (typeof result !== 'object' || result === null) return {};
  return Object.fromEntries(
    Object.entries(result).filter(([name, value]) => /^id$|_id$/.test(name) && Number.isInteger(value)),
  );
}

function bounded(details: Record<string, unknown>): Record<string, unknown> {
  if (JSON.stringify(details).length <= MAX_DETAILS) return details;
  const kept = Object.entries(details).filter(([name, value]) => /^id$|_id$/.test(name) && typeof value === 'number');
  return { ...Object.fromEntries(kept.slice(0, MAX_LISTED)), shortened: true };
}
