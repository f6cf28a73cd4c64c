import type { TestContext } from 'node:test';
import {
  type Chat,
  type ChatOptions,
  openChat,
  type Replies,
  type Session,
  type Storage,
  smtp,
} from '../../../../lib/index.ts';
import type { Engine } from '../../../support/engines.ts';
import { type Mailbox, openMailbox } from '../../../support/mailbox.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

export const SITE = 'https://chat.example.com';
const START = Date.UTC(2026, 10, 20, 9, 30);
export const PERIOD_SECONDS = 120;

/** A chat with a real mail server and members who are away. Ada is the owner. */
export interface MailPlace {
  chat: Chat;
  storage: Storage;
  clock: ManualClock;
  box: Mailbox;
  ids: Record<string, number>;
  as(name: string): Session;
  /** Reports that a user is at work, as clients do once a minute. */
  arrives(name: string): Promise<void>;
  direct(from: string, to: string | readonly string[], content: string): Promise<number>;
  say(from: string, channel: number, topic: string, content: string): Promise<number>;
  channel(name: string, people: readonly string[], options?: object): Promise<number>;
  reads(name: string, ...messages: number[]): Promise<unknown>;
  /** Lets time pass, with the work that becomes due. */
  wait(seconds?: number): Promise<void>;
  /** The e-mails since the last call: recipient, subject and the texts of the messages. */
  mailed(): string[][];
  another(options?: Partial<ChatOptions>): Promise<Chat>;
  /** Log lines of level error. */
  failures: string[];
}

export async function openMailPlace(
  t: TestContext,
  engine: Engine,
  people: readonly string[] = ['Ben', 'Cyd'],
  options: Partial<ChatOptions> & { audience?: 'customers'; replies?: Replies } = {},
): Promise<MailPlace> {
  const place = await engine.open();
  t.after(() => place.dispose());
  const { audience = 'team', replies, ...chatOptions } = options;
  const box = await openMailbox(t);
  const clock = new ManualClock(START);
  const failures: string[] = [];
  const logger = { debug() {}, info() {}, warn() {}, error: (_: object, text: string) => void failures.push(text) };
  const process = async (storage: Storage, more: Partial<ChatOptions> = {}) => {
    const chat = await openChat({
      storage,
      clock,
      logger,
      baseUrl: SITE,
      mail: smtp({ url: box.url, from: 'Chat <chat@example.com>', timeoutMs: 2_000, ...(replies ? { replies } : {}) }),
      ...chatOptions,
      ...more,
    });
    t.after(() => chat.close());
    return chat;
  };
  const chat = await process(place.storage);
  const owner = { email: 'ada@example.com', full_name: 'Ada' };
  const ids: Record<string, number> = {
    Ada: (await chat.createOrganization({ name: 'Example', owner, audience })).user_id,
  };
  for (const full_name of people) {
    const email = `${full_name.toLowerCase()}@example.com`;
    ids[full_name] = (await chat.as(ids.Ada as number).users.create({ email, full_name })).user_id;
  }
  const idOf = (name: string) => ids[name] as number;
  const as = (name: string) => chat.as(idOf(name));
  let seen = 0;
  return {
    chat,
    storage: place.storage,
    clock,
    box,
    ids,
    as,
    failures,
    arrives: async (name) => void (await as(name).presence.report({ status: 'active' })),
    direct: async (from, to, content) =>
      (await as(from).messages.send({ type: 'direct', to: [to].flat().map(idOf), content })).id,
    say: async (from, to, topic, content) => (await as(from).messages.send({ type: 'channel', to, topic, content })).id,
    channel: async (name, inside, more = {}) =>
      (await as('Ada').channels.create({ name, subscribers: inside.map(idOf), ...more })).id,
    reads: (name, ...messages) => as(name).messages.updateFlags({ messages, op: 'add', flag: 'read' }),
    async wait(seconds = PERIOD_SECONDS) {
      await chat.runDue();
      clock.advance({ seconds });
      await chat.runDue();
    },
    mailed() {
      const fresh = box.letters.slice(seen);
      seen = box.letters.length;
      return fresh
        .map(({ to, subject = '', text = '' }) => [to?.[0]?.address ?? '', subject, ...contentsOf(text)])
        .sort((a, b) => (a.join() < b.join() ? -1 : 1));
    },
    another: async (more) => process(await place.reopen(), more),
  };
}

/** The texts of the messages, each after the line with its sender and time. */
export function contentsOf(text: string): string[] {
  return text
    .replaceAll('\r\n', '\n')
    .split('\n\n')
    .flatMap((part) => /^[^\n]*, \d[^\n]*:\n(.*)$/s.exec(part)?.[1]?.trim() ?? []);
}
