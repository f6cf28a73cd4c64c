import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isChatError, RateLimitHit } from '../lib/index.ts';
import { type ChatTransport, type CountGuess, emailKey, Semaphore, WrongPassword } from '../lib/internal.ts';
import { checkRemaining, consume, type RateLimits } from './rate-limits.ts';

/**
 * How many logins run at the same time, and how many wait in addition. Beyond it, logins are refused. An account has one
 * turn at an address, so known accounts wait at most for one password of each other. Unknown accounts have places of
 * their own: anyone can invent thousands of names.
 */
const SIGN_IN_TURNS = {
  ofAccount: { atOnce: 1, waiting: 10 },
  lookups: { atOnce: 4, waiting: Number.POSITIVE_INFINITY },
  knownAccounts: { atOnce: 4, waiting: Number.POSITIVE_INFINITY },
  unknownAccounts: { atOnce: 2, waiting: 1000 },
};

/** Seconds for the Retry-After header of a login that cannot wait. */
const BUSY_RETRY_AFTER = 5;

/** Limits attempts to guess passwords. */
export class PasswordLimits {
  /** While logins run. */
  readonly #signIns = new Map<string, Semaphore>();

  constructor(
    private readonly rateLimits: RateLimits,
    private readonly transport: ChatTransport,
  ) {}

  /**
   * Runs a login with a password. Wrong passwords count for the account. If the account has not logged in from the
   * address, they also count for the address. So one address cannot try a password on many accounts of other places.
   * Known accounts have no common limit: with one, a person in an office could lock out the others. After an
   * administrator unlocks the account, its count starts again. The database stores this, so it works in all processes.
   */
  async signIn<T>(req: IncomingMessage, account: string, attempt: () => Promise<T>): Promise<T> {
    const network = this.rateLimits.addressOf(req);
    const name = countedName(account.trim());
    const accountHere = hashOf([name, network]);
    // Also with the right password: checking one takes much processor time.
    await consume(this.rateLimits.limits.sign_ins_by_username, accountHere);
    return this.#inTurn('ofAccount', accountHere, async () => {
      const lookup = () => this.transport.signInState(account, network);
      const { timesUnlocked, isKnownNetwork } = await this.#inTurn('lookups', network, lookup);
      const counted = [name, timesUnlocked, ...(isKnownNetwork ? [network] : [])];
      const attemptHere = () => this.#tryPassword(counted, attempt);
      const answer = await (isKnownNetwork
        ? this.#inTurn('knownAccounts', network, attemptHere)
        : this.#unknownHere(network, attemptHere));
      await this.transport.rememberNetwork(userOf(answer) ?? account, network);
      return answer;
    });
  }

  /**
   * Counts wrong passwords of people in a directory, whatever their login names. After too many, the right password is
   * refused too: its answer must not differ.
   */
  guesses(req: IncomingMessage): CountGuess {
    const network = this.rateLimits.addressOf(req);
    const limit = this.rateLimits.limits.authenticate_by_username;
    return async (directory_id, isRight) => {
      const { timesUnlocked, isKnownNetwork } = await this.transport.signInState({ directory_id }, network);
      const key = hashOf(['directory', directory_id, timesUnlocked, ...(isKnownNetwork ? [network] : [])]);
      if (isRight) await checkRemaining(limit, key);
      else await consume(limit, key);
    };
  }

  /**
   * Counts afterwards, because attempts with the right password must not use up the limit while they run. Few run at
   * the same time, so parallel attempts gain little.
   */
  async #unknownHere<T>(network: string, attempt: () => Promise<T>): Promise<T> {
    const limit = this.rateLimits.limits.authenticate_by_ip;
    await checkRemaining(limit, network);
    return this.#inTurn('unknownAccounts', network, async () => {
      await checkRemaining(limit, network);
      try {
        return await attempt();
      } catch (error) {
        if (isWrongPassword(error)) await limit.penalty(network);
        throw error;
      }
    });
  }

  async #inTurn<T>(kind: keyof typeof SIGN_IN_TURNS, key: string, work: () => Promise<T>): Promise<T> {
    const { atOnce, waiting } = SIGN_IN_TURNS[kind];
    const id = `${kind} ${key}`;
    const turns = this.#signIns.get(id) ?? new Semaphore(atOnce);
    if (turns.waiting >= waiting) throw new RateLimitHit(BUSY_RETRY_AFTER);
    this.#signIns.set(id, turns);
    try {
      return await turns.run(work);
    } finally {
      if (!turns.isBusy) this.#signIns.delete(id);
    }
  }

  /**
   * Runs a request in which users confirm their own password. It has a separate counter, so that strangers cannot lock
   * it.
   */
  async ownPassword<T>(userId: number, attempt: () => Promise<T>): Promise<T> {
    const { timesUnlocked } = await this.transport.signInState(userId);
    return this.#tryPassword([userId, timesUnlocked], attempt);
  }

  /**
   * Counts an attempt before it runs, so that parallel attempts gain nothing. Takes it back unless the password was
   * wrong.
   */
  async #tryPassword<T>(counted: readonly (string | number)[], attempt: () => Promise<T>): Promise<T> {
    const key = hashOf(counted);
    const limit = this.rateLimits.limits.authenticate_by_username;
    await consume(limit, key);
    try {
      const answer = await attempt();
      await limit.reward(key);
      return answer;
    } catch (error) {
      if (!isWrongPassword(error)) await limit.reward(key);
      throw error;
    }
  }
}

/**
 * Every spelling of a login name has the same counter. The lookup of accounts ignores some differences, and directories
 * ignore accents, width, spaces and invisible signs too.
 */
function countedName(login: string): string {
  const name = login.includes('@') ? emailKey(login) : login;
  return name
    .normalize('NFKD')
    .replace(/[\p{M}\p{C}\p{Z}]/gu, '')
    .toLowerCase();
}

/** Hashed because names can have any length, and each stays in memory for half an hour. */
const hashOf = (counted: readonly (string | number)[]) =>
  createHash('sha256').update(JSON.stringify(counted)).digest('base64');

/** A wrong code after the right password counts too. */
const isWrongPassword = (error: unknown) =>
  error instanceof WrongPassword ||
  isChatError(error, 'AUTHENTICATION_FAILED') ||
  (isChatError(error, 'SECOND_FACTOR_NEEDED') && error.data.reason === 'code_wrong');

/** The account of a login with any of its names. */
const userOf = (answer: unknown) => (answer as { user_id?: number }).user_id;
