import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import {
  type Chat,
  type ChatOptions,
  type FileStore,
  type Logger,
  localFiles,
  openChat,
  type Session,
  type Storage,
} from '../../lib/index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { assertLog } from './event-keys.ts';
import { buildFixture, type Fixture, FOUNDED, setSettings, type UserName } from './fixture.ts';
import { worldRelay } from './relay.ts';

/** The fixture as it was stored. */
export interface PreparedFixture extends Fixture {
  /** Milliseconds of the clock. */
  now: number;
  /** The number of the last event in the log. */
  tail: number;
}

/** A chat on a copy of the fixture. One test may change it freely. */
export interface World extends PreparedFixture {
  chat: Chat;
  storage: Storage;
  /** The database file, for other programs to open. Absent without a file. */
  location?: string;
  clock: ManualClock;
  /** The folder of uploads. */
  files: FileStore;
  /** Log entries at level error. Tests end with none. */
  failures: object[];
  as(user: UserName): Session;
  /** Changes settings of the organization, as its owner if an operation can. */
  settings(settings: Record<string, unknown>): Promise<void>;
  /** Gives an account the special right to change e-mail addresses. */
  mayChangeAddresses(user: UserName): Promise<unknown>;
  /** IDs that a case's setup stores for its call. */
  kept: Record<string, number>;
  close(): Promise<void>;
}

/** Removed once, when the tests of this process end: most worlds store no file. */
const FILES = join(tmpdir(), `parlance-files-${randomUUID()}`);
after(() => rm(FILES, { recursive: true, force: true }));

export const BASE_URL = 'https://chat.example.com';

/** Opens a chat over a storage that contains the fixture. Closes the storage with it. */
export async function openWorld(
  fixture: PreparedFixture,
  storage: Storage,
  options: Partial<ChatOptions> = {},
): Promise<World> {
  const clock = new ManualClock(fixture.now);
  const failures: object[] = [];
  // Created when the first file is stored.
  const files = localFiles(join(FILES, randomUUID()));
  const chat = await openChat({ ...chatOptions(clock, failures), files, ...options, storage });
  const sessions = new Map<UserName, Session>();
  return {
    ...fixture,
    chat,
    storage,
    clock,
    files,
    failures,
    as(user) {
      const session = sessions.get(user) ?? chat.as(fixture.users[user]);
      sessions.set(user, session);
      return session;
    },
    settings: (settings) => setSettings(chat, fixture.users.owner, storage, settings),
    mayChangeAddresses: (user) => chat.setSpecialPermission(fixture.users[user], 'can_change_user_emails', true),
    kept: {},
    close: () => chat.close(),
  };
}

/** Fills an empty storage with the fixture and closes it. */
export async function prepareWorld(storage: Storage): Promise<PreparedFixture> {
  const clock = new ManualClock(FOUNDED);
  const failures: object[] = [];
  const chat = await openChat({ ...chatOptions(clock, failures), storage });
  const fixture = await buildFixture(chat, storage, clock);
  await assertLog(storage, 0);
  const tail = await storage.read((tx) => tx.events.tail());
  await chat.close();
  return { ...fixture, now: clock.now(), tail };
}

function chatOptions(clock: ManualClock, failures: object[]): Omit<ChatOptions, 'storage'> {
  const logger: Logger = { debug() {}, info() {}, warn() {}, error: (data) => void failures.push(data) };
  return { clock, logger, baseUrl: BASE_URL, pushRelay: worldRelay };
}
