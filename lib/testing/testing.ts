import type { Clock } from '../adapters/clock.ts';
import type { Email } from '../adapters/mail.ts';
import { keysOf } from '../base/keys.ts';
import { present } from '../base/present.ts';
import type { Chat } from '../chat/chat.ts';
import type { ChatOptions } from '../chat/chat-options.ts';
import { type NewAccount, populate } from '../chat/demo.ts';
import { openChat } from '../chat/open-chat.ts';
import type { Session } from '../chat/session.ts';
import { sqlite } from '../storage/sqlite/sqlite.ts';

/** A duration: the sum of its parts. */
export interface TimeSpan {
  /** Default 0. */
  milliseconds?: number;
  /** Default 0. */
  seconds?: number;
  /** Default 0. */
  minutes?: number;
  /** Default 0. */
  hours?: number;
  /** Days of 24 hours. */
  days?: number;
}

/**
 * A clock for tests. Its time only changes with `advance`, which also runs the callbacks that become due.
 * @example
 * const clock = new TestClock(Date.UTC(2026, 5, 1));
 * const chat = await openChat({ storage: sqlite(':memory:'), clock });
 * clock.advance({ days: 1 });
 */
export class TestClock implements Clock {
  #now: number;
  readonly #due = new Set<{ at: number; callback: () => void }>();

  /** @param start start time in milliseconds since the epoch; default 1 January 2026 */
  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#now;
  }

  /** Calls `callback` once, when the clock has advanced by `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void {
    const entry = { at: this.#now + Math.max(0, ms), callback };
    this.#due.add(entry);
    return () => void this.#due.delete(entry);
  }

  /**
   * Advances the time, then runs the due callbacks, earliest first. All of them see the new time. Callbacks that they
   * add run in the next `advance` at the earliest.
   * @throws the error of a callback; later due callbacks then run in the next `advance`
   * @example clock.advance({ minutes: 5 });
   */
  advance({ milliseconds = 0, seconds = 0, minutes = 0, hours = 0, days = 0 }: TimeSpan): void {
    this.#now += milliseconds + 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days)));
    for (const entry of [...this.#due].sort((a, b) => a.at - b.at)) {
      // An earlier callback may have cancelled this one.
      if (entry.at > this.#now || !this.#due.delete(entry)) continue;
      entry.callback();
    }
  }
}

/** Role of a user in `people` of `testChat`. */
export type RoleName = 'owner' | 'administrator' | 'moderator' | 'member' | 'guest';

const EVERYBODY = {
  ada: 'owner',
  ben: 'administrator',
  cleo: 'moderator',
  dora: 'member',
  emil: 'member',
  finn: 'guest',
} as const;

/** Options of `testChat`: users, channels, and all other options of `openChat`. */
export interface TestChatOptions<P extends string, C extends string>
  extends Omit<ChatOptions, 'storage' | 'clock' | 'mail'> {
  /**
   * Users: role by name, with at least one owner. `ada` gets the name Ada and the address ada@example.com. Default: ada
   * (owner), ben (administrator), cleo (moderator), dora and emil (members), finn (guest).
   */
  people?: Readonly<Record<P, RoleName>>;
  /** Channels: subscribers by channel name. Default: a channel `general` with all users. */
  channels?: Readonly<Record<C, 'everybody' | readonly NoInfer<P>[]>>;
  /** Default: SQLite in memory. */
  storage?: ChatOptions['storage'];
  /** Start time of the clock in milliseconds since the epoch. Default: 1 January 2026. */
  now?: number;
}

/** A session together with its user. Pass it wherever an account is expected: `chat.why(people.ben, …)`. */
export type Person = Session & { readonly user_id: number; readonly email: string; readonly full_name: string };

/** Result of `testChat`. */
export interface TestChat<P extends string, C extends string> {
  /** The chat, as returned by `openChat`. */
  chat: Chat;
  /** The clock of the chat. */
  clock: TestClock;
  /** A session for each user, by name. */
  people: Readonly<Record<P, Person>>;
  /** Channel IDs, by name. */
  channels: Readonly<Record<C, number>>;
  /** Sent e-mails, oldest first. Call `chat.runDue()` to send those that are due. */
  emails: readonly Email[];
  /** Closes the chat. */
  close(): Promise<void>;
}

/**
 * Opens a chat with an organization, users and channels. Time only changes with `clock.advance`, and background work
 * only runs with `chat.runDue()`.
 * @throws Error if no user is an owner
 * @example
 * const { chat, clock, people, close } = await testChat({ people: { ada: 'owner', ben: 'guest' } });
 * await people.ada.messages.send({ type: 'direct', to: [people.ben.user_id], content: 'Hello' });
 * await close();
 */
export async function testChat<P extends string = keyof typeof EVERYBODY, C extends string = 'general'>({
  people: roles = EVERYBODY as unknown as Record<P, RoleName>,
  channels = { general: 'everybody' } as Record<C, 'everybody'>,
  storage = sqlite(':memory:'),
  now,
  ...options
}: TestChatOptions<P, C> = {}): Promise<TestChat<P, C>> {
  const names = keysOf(roles);
  const newcomers = names.map((name) => ({ ...named(name), role: roles[name] }));
  const founder = newcomers.find(({ role }) => role === 'owner');
  if (!founder) throw new Error("An organization needs an owner. Give at least one user in people the role 'owner'.");
  const clock = new TestClock(now);
  const emails: Email[] = [];
  const mail = { send: async (email: Email) => void emails.push(email), close: async () => undefined };
  const chat = await openChat({ ...options, storage, clock, mail });
  try {
    const { userIds, channelIds } = await populate(chat, {
      name: 'Test',
      people: [founder, ...newcomers.filter((person) => person !== founder)],
      channels: keysOf(channels).map((name) => ({
        name,
        people: (channels[name] === 'everybody' ? names : (channels[name] as readonly P[])).map(
          (person) => named(person).email,
        ),
      })),
    });
    const personOf = (name: P): [P, Person] => {
      const { email, full_name } = named(name);
      const user_id = present(userIds.get(email));
      return [name, Object.assign(chat.as(user_id), { user_id, email, full_name })];
    };
    return {
      chat,
      clock,
      people: Object.fromEntries(names.map(personOf)) as Record<P, Person>,
      channels: Object.fromEntries(channelIds) as Record<C, number>,
      emails,
      close: () => chat.close(),
    };
  } catch (error) {
    await chat.close();
    throw error;
  }
}

function named(name: string): Pick<NewAccount, 'email' | 'full_name'> {
  return {
    email: `${name.toLowerCase()}@example.com`,
    full_name: `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
  };
}
