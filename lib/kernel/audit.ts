import type { NewAuditEntry } from '../storage/interface/audit.ts';
import type { Caller } from './callers.ts';
import { type ChatError, RateLimitHit } from './errors.ts';
import type { Operation } from './operation.ts';

/** Characters of a call's parameters that are stored. */
const MAX_DETAILS = 1_000;
/** Numbers of a list that are stored. */
const MAX_LISTED = 20;

/** Whether calls may be recorded in the audit log. Default: changes that only administrators and owners may make. */
export function mayBeAudited({ audited, effect, access }: Operation): boolean {
  return audited !== undefined
    ? audited !== false
    : effect !== 'read' && (access === 'administrator' || access === 'owner');
}

/** The audit entry of one call, written once: with its first committed change, or with its refusal. */
export class AuditNote {
  /** The entry is committed. */
  isKept = false;
  /** The caller of a read, as the transaction found it. */
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

  /** The parameters, or the error of reading them. */
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

  /** The entry of a sign-in contains no parameters, only the account. */
  signIn(userId: number, now: number): NewAuditEntry {
    return { ...this.done(userId, now, undefined), details: {} };
  }

  /** The entry of a refusal. undefined if the parameters were invalid: that says nothing about permissions. */
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

/** Texts may be secrets or private. Only the fact that they were given is stored. */
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

/** The IDs of created objects. */
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
