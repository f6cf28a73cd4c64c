import { OrganizationCache } from '../caches/organization-cache.ts';
import { UserCache } from '../caches/user-cache.ts';
import type { Departure } from '../delivery/waiter.ts';
import { type Tell, tellOf, watched } from '../rules/decisions.ts';
import { fold } from '../rules/fold.ts';
import type { Organization, Versions } from '../storage/interface/organization.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import type { User } from '../storage/interface/users.ts';
import { checkAccount, checkSpectator } from './admission.ts';
import type { CallTurn } from './call-turn.ts';
import type { ServiceOptions } from './context.ts';
import { BadRequest, Unauthorized } from './errors.ts';
import type { Operation } from './operation.ts';

/** Who calls, as a transport has established it. */
export interface Caller {
  /** null: without credentials. Absent: whoever has the address at the time. */
  userId?: number | null;
  /** The address by which the caller was found; refused once the account has another. */
  address?: string;
  /** Key generation the caller proved; an older one is refused. Absent: trusted code in this process. */
  keyGeneration?: number;
  client: string;
  /** The id by which a server's log calls the request. */
  request?: string;
  /** The network address it comes from; kept of refusals alone. */
  network?: string;
  /** The address of a person without an account, by the word of code in this process. */
  confirmedEmail?: string;
  signal?: Departure;
  /** Asked once for each read that waits in line; code in this process goes on as long as it likes. */
  scanTerms?: () => ScanTerms;
  /** Told when a transaction begins to work, having waited for others; what it returns, when it has ended or failed. */
  beginWork?(): () => void;
  /** Where calls wait for each other that do much; of one that mostly does little. */
  turn?: CallTurn;
  /** Told what rules decide about the account. */
  tell?: Tell;
}

/** What tells who calls. */
export type Shown = Pick<Caller, 'userId' | 'address' | 'keyGeneration' | 'tell'>;

/** What a transport asks of reads that may look through everything there is. */
export interface ScanTerms {
  /** Throws where the caller has had enough of them. */
  check?(): void;
  /** Told how long one took, milliseconds. */
  spent?(milliseconds: number): void;
  /** Aborted when nobody waits for the answer any more. */
  signal?: Departure | undefined;
}

/** Does a piece of a caller's work, and tells when it begins, which the work says itself for the first time, and when it ends. */
export async function measured<T>(caller: Caller, work: (begin: () => void) => Promise<T>): Promise<T> {
  let end: (() => void) | undefined;
  let isOver = false;
  try {
    return await work(() => {
      if (!isOver) end ??= caller.beginWork?.();
    });
  } finally {
    isOver = true;
    end?.();
  }
}

/** A caller let in, as the transaction saw them. */
export interface AuthorizedCall {
  actor: User | undefined;
  organization: Organization;
  versions: Versions;
}

/** Lets callers in, each as the transaction sees them. */
export class Callers {
  readonly users = new UserCache();
  readonly organizations = new OrganizationCache(() => this.options.baseUrl);

  constructor(private readonly options: Pick<ServiceOptions, 'baseUrl' | 'webPublicChannels'>) {}

  /**
   * @param begin called when the first statement has been answered: until then a transaction may wait for others
   * @throws whatever the caller is refused with
   */
  async admit(
    tx: Transaction,
    operation: Pick<Operation, 'access' | 'webhook'>,
    caller: Caller,
    begin?: () => void,
  ): Promise<AuthorizedCall> {
    const versions = await tx.organization.versions(begin);
    if (!versions) throw new BadRequest('This database holds no organization yet; create one first.');
    const organization = await this.organizations.of(tx, versions);
    if (caller.userId === null || operation.access === 'anyone') {
      if (operation.access !== 'anyone') checkSpectator(operation.access, organization, this.options.webPublicChannels);
      return { actor: undefined, organization, versions };
    }
    const found = await this.#accountOf(tx, caller, versions.users_version);
    const user = caller.tell ? watched(found, caller.tell) : found;
    if (caller.keyGeneration !== undefined && caller.keyGeneration !== user.key_generation) {
      throw new Unauthorized('This API key is no longer valid; fetch a new one.');
    }
    checkAccount(operation, user);
    return { actor: user, organization, versions };
  }

  /** Whether a caller has shown what makes them this account, as it was let in before. */
  isStill({ userId, address, keyGeneration, tell }: Shown, user: User): boolean {
    if (tell || (typeof userId === 'number' ? userId !== user.id : address === undefined)) return false;
    if (address !== undefined && !isSameAddress(address, user.delivery_email)) return false;
    return keyGeneration === undefined || keyGeneration === user.key_generation;
  }

  /** What a write transaction has read may be rolled back, so it is kept only after the commit. */
  keep({ actor, organization, versions }: AuthorizedCall): void {
    // A watched account is for one call.
    if (actor && !tellOf(actor)) this.users.keep(actor, versions.users_version);
    this.organizations.keep(organization);
  }

  /** The account of a caller, as long as the address leads to it by which it was found. */
  async #accountOf(tx: Transaction, { userId, address }: Caller, usersVersion: number): Promise<User> {
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

/** Whether two addresses lead to one account. Every call asks, and nearly always they are the same to the letter. */
function isSameAddress(one: string, other: string): boolean {
  return one === other || fold(one) === fold(other);
}
