import type { TestContext } from 'node:test';
import { type Chat, type ChatOptions, openChat, type Session, type Storage } from '../../../lib/index.ts';
import type { Engine } from '../../support/engines.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { Phone } from './phone.ts';
import { openRelay, type TestRelay } from './relay.ts';

export const SITE = 'https://chat.example.com';
const START = Date.UTC(2026, 10, 20, 9, 30);

/** A chat with its own relay and three users. */
export interface PushPlace {
  chat: Chat;
  storage: Storage;
  relay: TestRelay;
  clock: ManualClock;
  /** Ada is the owner, the others are members. */
  ids: Record<'ada' | 'ben' | 'cyd', number>;
  ada: Session;
  ben: Session;
  cyd: Session;
  /** Log lines of level error. */
  failures: string[];
  /** Registers a phone with the relay. */
  phoneOf(user: number, kind?: 'fcm' | 'apns'): Promise<Phone>;
  /** Opens another process with the same database. */
  another(options?: Partial<ChatOptions>): Promise<Chat>;
}

export async function openPushPlace(
  t: TestContext,
  engine: Engine,
  given: Partial<ChatOptions> = {},
): Promise<PushPlace> {
  const place = await engine.open();
  t.after(() => place.dispose());
  const clock = new ManualClock(START);
  const relay = await openRelay(t, { now: () => clock.now() });
  const failures: string[] = [];
  const logger = {
    debug() {},
    info() {},
    warn() {},
    error: (_: object, message: string) => void failures.push(message),
  };
  const process = async (storage: Storage, options: Partial<ChatOptions> = {}) => {
    const chat = await openChat({
      storage,
      clock,
      logger,
      baseUrl: SITE,
      pushRelay: relay.port({ timeoutMs: 5_000 }),
      ...given,
      ...options,
    });
    t.after(() => chat.close());
    return chat;
  };
  const chat = await process(place.storage);
  const owner = { email: 'ada@example.com', full_name: 'Ada' };
  const ada = (await chat.createOrganization({ name: 'Example', owner })).user_id;
  const member = async (full_name: string) =>
    (await chat.as(ada).users.create({ email: `${full_name.toLowerCase()}@example.com`, full_name })).user_id;
  const ids = { ada, ben: await member('Ben'), cyd: await member('Cyd') };
  return {
    chat,
    storage: place.storage,
    relay,
    clock,
    ids,
    failures,
    ada: chat.as(ids.ada),
    ben: chat.as(ids.ben),
    cyd: chat.as(ids.cyd),
    async phoneOf(user, kind = 'fcm') {
      const phone = new Phone(kind);
      await chat.as(user).push.register(phone.registration(relay.publicKey, {}, clock.now()));
      await chat.runDue();
      return phone;
    },
    another: async (options) => process(await place.reopen(), options),
  };
}
