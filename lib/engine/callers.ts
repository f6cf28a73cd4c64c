import type { CancelSignal } from '../base/cancel-signal.ts';
import {
  BadRequest,
  type ChatError,
  TokenExpired,
  TokenNotAllowed,
  TokenRevoked,
  Unauthorized,
  UnauthorizedPrincipal,
} from '../base/errors.ts';
import type { Organization, Versions } from '../model/organization.ts';
import type { User } from '../model/users.ts';
import type { Operation } from '../operation/operation.ts';
import { accountDeactivated, type LoginKind } from '../rules/credentials.ts';
import { emailKey } from '../rules/fold.ts';
import {
  type DecisionTrace,
  isIncomingWebhook,
  isLent,
  isSystem,
  lentTo,
  limitedToRooms,
  NOTIFICATION_BOT,
  type RoomScope,
  roleName,
  roomsOf,
  systemActor,
  traced,
  traceOf,
  withArticle,
} from '../rules/roles.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import type { Access, CountGuess, Permit, ServiceOptions } from '../viewer/context.ts';
import { OrganizationCache, UserCache } from '../viewer/versioned-caches.ts';
import type { FairScheduler } from './fair-scheduler.ts';
import type { DecodeParameter, Values } from './parameters.ts';

/** The caller, as authenticated by a transport. */
export interface Caller {
  /** null: without credentials. Absent: the account that currently has the address. */
  userId?: number | null;
  /** The host's own code: no account, every permission. */
  isSystem?: true;
  /** The user who counts as the owner of a bot without one. */
  botOwnerId?: number;
  /** The connection on which the host has opened the transaction for the call. */
  within?: object;
  /** The address with which the caller authenticated. The call is refused if the account has another one now. */
  address?: string;
  /** The account that currently has this external ID. Only for code in this process. */
  externalId?: string;
  /** Generation of the API key. An outdated one is refused. Absent: trusted code in this process. */
  keyGeneration?: number;
  /** Set if the caller did not send the API key, but a token or a cookie. */
  login?: Login;
  /** Set if the call has used up a code of the caller's second factor. */
  isConfirmed?: true;
  client: string;
  /** ID of the request in the server log. */
  request?: string;
  /** Network address of the caller. Stored only for refusals, and as a digest for logins. */
  network?: string;
  /** For logins. Absent for code in this process, which has no limit. */
  countGuess?: CountGuess;
  /** Name and operating system, if the client is a known browser. */
  browser?: string | undefined;
  /** E-mail address of a caller without an account, verified by code in this process. */
  confirmedEmail?: string;
  signal?: CancelSignal;
  /** Called once for each scan. Absent for code in this process, which has no limit. */
  scanTerms?: () => ScanTerms;
  /** Counts the work of the call. Absent for code in this process. */
  permit?: Permit;
  /** Called with every decision of a rule about the account. */
  trace?: DecisionTrace;
}

/** The client of the host's own code. */
export const SYSTEM_CLIENT = 'system';

/** A login with a token, or with the cookie of the login page. */
interface Login {
  readonly kind: LoginKind;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
  readonly mayWrite: boolean;
  /** IDs of the channels to which the token is limited. */
  readonly rooms?: readonly number[] | undefined;
  readonly id: string;
  /** Generation of the account's logins. */
  readonly loginGeneration: number;
  /** For a cookie: the password at its check. A new one ends the login. */
  readonly passwordHash?: string | null;
}

/** A call of an operation. With `decode`, values are text from a transport. */
export type CallArguments = [operation: Operation, caller: Caller, values?: Values, decode?: DecodeParameter];

/** Limits of a transport for scans. */
export interface ScanTerms {
  /** Rejects if the caller has used up its scan time. */
  check?(): Promise<void>;
  /** Called with the duration of a scan in milliseconds. */
  spent?(milliseconds: number): void;
  /** Aborted when the client is gone. */
  signal?: CancelSignal | undefined;
}

/** Counts work of a caller. The work calls `begin` when it starts, after waiting for other transactions. */
export async function measured<T>(caller: Caller, work: (begin: () => void) => Promise<T>): Promise<T> {
  let end: (() => void) | undefined;
  let isOver = false;
  try {
    return await work(() => {
      if (!isOver) end ??= caller.permit?.beginWork();
    });
  } finally {
    isOver = true;
    end?.();
  }
}

/**
 * Runs a scan when it is the turn of the caller.
 * @throws the error of `ScanTerms.check`, before it waits or when its turn comes; an Error if the client is gone
 */
export async function scanInTurn<T>(scans: FairScheduler, caller: Caller, read: () => Promise<T>): Promise<T> {
  const { check, spent, signal }: ScanTerms = caller.scanTerms?.() ?? { signal: caller.signal };
  await check?.();
  const scan = async () => {
    await check?.();
    const start = performance.now();
    return read().finally(() => spent?.(performance.now() - start));
  };
  return scans.run(caller.userId ?? caller.address ?? caller.externalId ?? 'anonymous', scan, signal);
}

/** What decides who may call. */
export type Admission = Pick<Operation, 'access' | 'ownAccount'> & Partial<Pick<Operation, 'scope' | 'forRooms'>>;

/** An authorized caller, as the transaction saw it. */
export interface AuthorizedCall {
  actor: User | undefined;
  organization: Organization;
  versions: Versions;
}

/** Authorizes callers in the transaction of the call. */
export class Callers {
  readonly users = new UserCache();
  readonly organizations = new OrganizationCache(() => this.options.baseUrl);

  constructor(private readonly options: Pick<ServiceOptions, 'baseUrl' | 'clock' | 'webPublicChannels'>) {}

  /**
   * @param begin called after the first answer: until then, the transaction may wait for other transactions
   * @throws ChatError if the caller may not call the operation
   */
  async admit(tx: Transaction, operation: Admission, caller: Caller, begin?: () => void) {
    const versions = await tx.organization.versions(begin);
    if (!versions) throw new BadRequest('There is no organization in this database yet. Create one first.');
    const organization = await this.organizations.of(tx, versions);
    if (caller.userId === null || operation.access === 'anyone') {
      if (operation.access !== 'anyone') checkSpectator(operation, organization, this.options);
      return { actor: undefined, organization, versions };
    }
    if (caller.isSystem) return { actor: await this.#system(tx, operation, versions), organization, versions };
    const found = await this.#accountOf(tx, caller, versions.users_version);
    const user = caller.trace ? traced(found, caller.trace) : found;
    checkCredentials(caller, user, this.options.clock.now());
    checkAccount(operation, user);
    if (caller.login) checkScope(operation, caller.login);
    const rooms = caller.login?.rooms;
    const known = caller.botOwnerId === undefined ? user : lentTo(user, caller.botOwnerId);
    const actor = rooms ? limitedToRooms(known, await roomScope(tx, known, rooms)) : known;
    return { actor, organization, versions };
  }

  /** Fills the caches. Call it only after the commit, since a write transaction may be rolled back. */
  keep({ actor, organization, versions }: AuthorizedCall): void {
    // A watched account is used for one call only. Those below are not stored ones.
    if (actor && !traceOf(actor) && !isSystem(actor) && !roomsOf(actor) && !isLent(actor))
      this.users.keep(actor, versions.users_version);
    this.organizations.update(organization);
  }

  async #system(tx: Transaction, { ownAccount }: Admission, { users_version }: Versions): Promise<User> {
    if (ownAccount) throw new BadRequest('chat.system() has no account of its own. Call chat.as(user) instead.');
    const bot = await this.users.byAddress(tx, NOTIFICATION_BOT, users_version);
    if (!bot) throw new Error(`The bot ${NOTIFICATION_BOT} is missing from this organization.`);
    return systemActor(bot);
  }

  /** The account of a caller. Refused if the account does not have the caller's address any more. */
  async #accountOf(tx: Transaction, { userId, address, externalId }: Caller, usersVersion: number): Promise<User> {
    if (externalId !== undefined) {
      const [named] = await tx.users.byExternalIds([externalId]);
      // A call that has begun as one account must not go on as another one.
      if (!named || (typeof userId === 'number' && named.id !== userId))
        throw new Unauthorized(`There is no account with the external ID ${externalId}.`);
      return named;
    }
    const user =
      typeof userId === 'number'
        ? await this.users.byId(tx, userId, usersVersion)
        : await this.users.byAddress(tx, address ?? '', usersVersion);
    if (!user || (address !== undefined && !isSameAddress(address, user.delivery_email))) {
      throw new Unauthorized(
        address === undefined ? 'This account does not exist.' : `There is no account with the address ${address}.`,
      );
    }
    return user;
  }
}

/** Whether two addresses are equal without regard to case. Every call checks this, so identical ones skip the rest. */
const isSameAddress = (one: string, other: string) => one === other || emailKey(one) === emailKey(other);

/** Whether the credentials of a caller are valid for this account, which was authorized before. */
export function isStill({ userId, address, trace, ...credentials }: Caller, user: User, now: number): boolean {
  const rooms = roomsOf(user);
  if (trace || credentials.login?.rooms?.join() !== (rooms && [...rooms.channels].join())) return false;
  if (typeof userId === 'number' ? userId !== user.id : address === undefined) return false;
  if (address !== undefined && !isSameAddress(address, user.delivery_email)) return false;
  return hasCredentials(credentials, user) && !hasExpired(credentials, now);
}

type Credentials = Pick<Caller, 'keyGeneration' | 'login'>;

/** Whether the API key, token or cookie has not ended. */
function hasCredentials({ keyGeneration, login }: Credentials, user: User): boolean {
  if (keyGeneration !== undefined && keyGeneration !== user.key_generation) return false;
  if (!login) return true;
  if (login.passwordHash !== undefined && login.passwordHash !== user.password_hash) return false;
  return login.loginGeneration === user.login_generation && user.ended_logins?.[login.id] === undefined;
}

/** Whether the token or cookie has expired, perhaps while the call waited. */
const hasExpired = ({ login }: Credentials, now: number) => login !== undefined && now >= login.expiresAt * 1000;

/** @throws Unauthorized, TokenExpired, TokenRevoked */
function checkCredentials({ keyGeneration, login }: Credentials, user: User, now: number): void {
  const isOver = hasExpired({ login }, now);
  if (!isOver && hasCredentials({ keyGeneration, login }, user)) return;
  // Deactivation ends logins too. Their users must not try to log in again.
  if (login && !user.is_active) throw accountDeactivated();
  if (login?.kind === 'token') throw isOver ? new TokenExpired() : new TokenRevoked();
  throw new Unauthorized(
    login ? 'This login has ended. Log in again.' : 'This API key is no longer valid. Fetch a new one.',
  );
}

/** @throws TokenNotAllowed */
function checkScope({ scope, forRooms }: Admission, { kind, mayWrite, rooms }: Login): void {
  if (kind === 'cookie') return;
  if (scope === 'login') throw new TokenNotAllowed('A token cannot do this. Log in, or send the API key.');
  if (scope === 'write' && !mayWrite) throw new TokenNotAllowed('This token may only read.');
  if (rooms && !forRooms) throw notInRooms();
}

const notInRooms = () => new TokenNotAllowed('This token is limited to the messages of its rooms.');

/** Dry runs and explanations read more than the call itself. @throws TokenNotAllowed */
export function checkMayAsk({ login }: Caller): void {
  if (login?.rooms) throw notInRooms();
}

/** @param rooms IDs of channels. Only subscribers read a room with a token */
async function roomScope(tx: Transaction, { id }: User, rooms: readonly number[]): Promise<RoomScope> {
  const own = (await tx.subscriptions.pairs([id], rooms)).filter(({ active }) => active);
  const inside = own.map(({ channel_id }) => channel_id);
  const subscribers = inside.length > 0 ? await tx.subscriptions.subscriberIds(inside) : new Map<number, number[]>();
  return { channels: new Set(rooms), users: new Set([id, ...[...subscribers.values()].flat()]) };
}

/** @throws TokenNotAllowed if a token sets a parameter that needs a login, or that leads out of its rooms */
export function checkLoginParameters({ loginFor, forRooms }: Operation, { login }: Caller, parameters: Values) {
  if (login?.kind !== 'token') return;
  if (login.rooms && typeof forRooms === 'object') {
    const allowed = Object.entries<readonly unknown[] | undefined>(forRooms);
    const isOutside = allowed.some(
      ([name, values = []]) => parameters[name] !== undefined && !values.includes(parameters[name]),
    );
    if (isOutside) throw notInRooms();
  }
  const given = loginFor.find((name) => parameters[name] !== undefined && parameters[name] !== '');
  if (given) throw new TokenNotAllowed(`A token cannot set ${given}. Log in, or send the API key.`);
}

function checkAccount(operation: Admission, user: User): void {
  const { access } = operation;
  const trace = traceOf(user);
  const unusable = accountRefusal(operation, user);
  trace?.({ rule: 'account', isYes: unusable === undefined, detail: unusable?.message ?? 'The account is active.' });
  if (unusable) throw unusable;
  const refusal = accessRefusal(access, user);
  trace?.({
    rule: 'access',
    isYes: refusal === undefined,
    detail: `It is open to ${OPEN_TO[access]}; ${whatIs(user)}.`,
  });
  if (refusal) throw refusal;
}

function whatIs({ role, bot_type }: User): string {
  return bot_type === null ? `they are ${withArticle(role)}` : `they are a bot with the role ${roleName(role)}`;
}

/** Who may call an operation, as display text. */
export const OPEN_TO: Readonly<Record<Access, string>> = {
  anyone: 'everyone, without login',
  spectator: 'every account; without login if the organization allows public access',
  account: 'every account',
  user: 'every account',
  member: 'all users except guests',
  human: 'people, not bots',
  'human member': 'people who are not guests',
  administrator: 'administrators',
  owner: 'owners',
};

function accountRefusal({ access }: Admission, user: User): ChatError | undefined {
  if (!user.is_active) return accountDeactivated();
  if (!isIncomingWebhook(user) || access === 'account') return undefined;
  return new Unauthorized('An incoming-webhook bot may only send messages.');
}

function accessRefusal(access: Access, user: User): ChatError | undefined {
  const isBot = user.bot_type !== null;
  if ((access === 'member' || access === 'human member') && user.role === 600) {
    return new BadRequest('Guests are not allowed to do this.');
  }
  if ((access === 'human' || access === 'human member') && isBot)
    return new BadRequest('Bots are not allowed to do this.');
  if (access === 'administrator' && user.role > 200) return new UnauthorizedPrincipal('an organization administrator');
  if (access === 'owner' && user.role > 100) return new UnauthorizedPrincipal('an organization owner');
  return undefined;
}

/** Throws unless the operation is open to callers without credentials. */
function checkSpectator(
  { access }: Admission,
  organization: Organization,
  { webPublicChannels }: Pick<ServiceOptions, 'webPublicChannels'>,
): void {
  if (access === 'spectator' && webPublicChannels && organization.settings.enable_spectator_access === true) return;
  throw new Unauthorized('Give the e-mail address and API key of an account by HTTP Basic authentication.');
}
