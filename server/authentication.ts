import type { Chat } from '../lib/index.ts';
import { basicCredentials } from './basic-credentials.ts';

/** Whose key a request carries, and of which generation: the chat refuses an older one with every call. */
export interface Proof {
  readonly userId: number;
  readonly keyGeneration: number;
}

const MOST = 10_000;
/** Longer headers than addresses and keys make are not kept. */
const LONGEST = 400;

/** Remembers Authorization headers that proved right, so that each need not be read and checked again. */
export class Credentials {
  readonly #proven = new Map<string, Proof>();

  constructor(private readonly chat: Chat) {}

  /** @throws Unauthorized, BadRequest (not Basic) */
  prove(header: string): Proof | Promise<Proof> {
    return this.#proven.get(header) ?? this.#check(header);
  }

  async #check(header: string): Promise<Proof> {
    const { email, apiKey } = basicCredentials(header);
    const { userId, keyGeneration } = await this.chat.authenticate(email, apiKey);
    const proof = { userId, keyGeneration };
    if (header.length <= LONGEST) {
      if (this.#proven.size >= MOST) this.#proven.clear();
      this.#proven.set(header, proof);
    }
    return proof;
  }
}
