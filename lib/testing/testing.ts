/**
 * A chat for your tests: in memory, populated, with a clock that you move. It belongs to no test runner.
 *
 * @example
 * import { testChat } from 'parlance/testing';
 * const { chat, clock, people } = await testChat();
 */
import type { Chat } from '../chat/chat.ts';
import type { ChatOptions } from '../chat/chat-options.ts';
import { openChat } from '../chat/open-chat.ts';
import { type Newcomer, populate } from '../chat/populate.ts';
import type { Session } from '../kernel/session.ts';
import type { Email } from '../ports/mail.ts';
import { sqlite } from '../storage/sqlite/sqlite.ts';
import { TestClock } from './clock.ts';

export { TestClock, type TimeSpan } from './clock.ts';

/** What somebody may do, as `people` of `testChat` says it. */
export type RoleName = 'owner' | 'administrator' | 'moderator' | 'member' | 'guest';

const EVERYBODY = {
  ada: 'owner',
  ben: 'administrator',
  cleo: 'moderator',
  dora: 'member',
  emil: 'member',
  finn: 'guest',
} as const;

/** Who is in the chat, and every other option of `openChat`. */
export interface TestChatOptions<P extends string, C extends string>
  extends Omit<ChatOptions, 'storage' | 'clock' | 'mail'> {
  /**
   * Roles by names, one owner at least. `ada` becomes Ada, ada@example.com. Default: ada is an owner, ben an
   * administrator, cleo a moderator, dora and emil are members, finn is a guest.
   */
  people?: Readonly<Record<P, RoleName>>;
  /** Who is subscribed, by the names of channels. Default: a channel `general` with everybody. */
  channels?: Readonly<Record<C, 'everybody' | readonly NoInfer<P>[]>>;
  /** Default: SQLite in memory. */
  storage?: ChatOptions['storage'];
  /** Where the clock stands at the beginning, milliseconds since the epoch. Default: 1 January 2026. */
  now?: number;
}

/** A session with whose it is, so that it stands wherever an account is named: `chat.why(people.ben, …)`. */
export type Person = Session & { readonly user_id: number; readonly email: string; readonly full_name: string };

/** What a test has. */
export interface TestChat<P extends string, C extends string> {
  /** As `openChat` opens it. */
  chat: Chat;
  /** The time of the chat. */
  clock: TestClock;
  /** A session of each, by name. */
  people: Readonly<Record<P, Person>>;
  /** IDs of the channels, by name. */
  channels: Readonly<Record<C, number>>;
  /** What was sent by e-mail, oldest first; `chat.runDue()` sends what is due. */
  emails: readonly Email[];
  /** Closes the chat. */
  close(): Promise<void>;
}

/**
 * Opens a chat with an organization in it. Nothing happens by itself: time stands still until `clock.advance`, and
 * what falls due is done by `chat.runDue()`.
 * @throws Error where nobody is an owner
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
  const names = Object.keys(roles) as P[];
  const newcomers = names.map((name) => ({ ...named(name), role: roles[name] }));
  const founder = newcomers.find(({ role }) => role === 'owner');
  if (!founder) throw new Error('An organization needs an owner: give somebody this role.');
  const clock = new TestClock(now);
  const emails: Email[] = [];
  const mail = { send: async (email: Email) => void emails.push(email), close: async () => undefined };
  const chat = await openChat({ ...options, storage, clock, mail });
  try {
    const { userIds, channelIds } = await populate(chat, {
      name: 'Test',
      people: [founder, ...newcomers.filter((one) => one !== founder)],
      channels: (Object.keys(channels) as C[]).map((name) => ({
        name,
        people: (channels[name] === 'everybody' ? names : (channels[name] as readonly P[])).map(
          (one) => named(one).email,
        ),
      })),
    });
    const personOf = (name: P): [P, Person] => {
      const { email, full_name } = named(name);
      const user_id = userIds.get(email) as number;
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

function named(name: string): Pick<Newcomer, 'email' | 'full_name'> {
  return {
    email: `${name.toLowerCase()}@example.com`,
    full_name: `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
  };
}
