import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Chat, ChatError, openChat, type Session } from '../../../lib/index.ts';
import type { Storage } from '../../../lib/storage/interface/storage.ts';
import type { Engine } from '../../support/engines.ts';
import { ManualClock } from '../../support/manual-clock.ts';

export const MINUTE = 60;

export interface Processes {
  clock: ManualClock;
  storage: Storage;
  chats: readonly [Chat, Chat];
  as: readonly [Session, Session];
  user: number;
  failures: object[];
}

/** Two chats with one database and one clock. */
export async function twoProcesses(t: TestContext, engine: Engine): Promise<Processes> {
  const { storage, reopen, dispose } = await engine.open();
  const clock = new ManualClock();
  const failures: object[] = [];
  const logger = { debug() {}, info() {}, warn() {}, error: (data: object) => void failures.push(data) };
  const one = await openChat({ storage, clock, logger });
  const { user_id } = await one.createOrganization({
    name: 'Example',
    owner: { email: 'ada@example.com', full_name: 'Ada' },
  });
  const other = await openChat({ storage: await reopen(), clock, logger });
  t.after(async () => {
    await one.close();
    await other.close();
    await dispose();
  });
  const chats = [one, other] as const;
  return { clock, storage, chats, as: [one.as(user_id), other.as(user_id)], user: user_id, failures };
}

/** A time in seconds from now. */
export const at = ({ clock }: Processes, seconds = MINUTE) => Math.floor(clock.now() / 1000) + seconds;

/** Advances the clock and does due work in both processes. */
export async function pass({ clock, chats }: Processes, seconds = MINUTE): Promise<void> {
  clock.advance({ seconds });
  await Promise.all(chats.map((chat) => chat.runDue()));
}

/** Number of sent messages by text, for texts with this prefix. */
export async function sent({ storage }: Processes, beginning: RegExp): Promise<Map<string, number>> {
  const messages = await storage.read(async (tx) =>
    tx.messages.byIds(Array.from({ length: await tx.messages.maxId() }, (_, at) => at + 1)),
  );
  const counts = new Map<string, number>();
  for (const { content } of messages) {
    if (beginning.test(content)) counts.set(content, (counts.get(content) ?? 0) + 1);
  }
  return counts;
}

/** Returns whether the call succeeded or was too late. */
export async function isDone(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    assert.ok(error instanceof ChatError && error.status === 404, String(error));
    return false;
  }
}
