import type { Session } from '../../lib/index.ts';
import type { Shown } from '../output/conversation.ts';
import { oneLine } from '../output/sanitize.ts';

/** Reads for the sake of telling must not turn what is done into a failure. */
export const ifReadable = <T>(reading: Promise<T>): Promise<T | undefined> => reading.catch(() => undefined);

/** The message with its Markdown, or nothing where the account may not read it. */
export async function messageOf(session: Session, id: unknown): Promise<Shown | undefined> {
  const reading = session.messages.get({ message_id: Number(id), apply_markdown: false });
  return (await ifReadable(reading))?.message;
}

/** Names of accounts, and of those one may not know, their numbers. */
export async function namesOf(session: Session, ids: readonly number[]): Promise<(id: number) => string> {
  const user_ids = [...new Set(ids)];
  const answer = user_ids.length === 0 ? undefined : await ifReadable(session.users.list({ user_ids }));
  const names = new Map(answer?.members.map(({ user_id, full_name }) => [user_id, oneLine(full_name)]));
  return (id) => names.get(id) ?? `account ${id}`;
}

export async function channelsOf(session: Session, ids: readonly number[]): Promise<(id: number) => string> {
  const answer = ids.length === 0 ? undefined : await ifReadable(session.channels.list({ exclude_archived: false }));
  const names = new Map(answer?.streams.map(({ stream_id, name }) => [stream_id, oneLine(name)]));
  return (id) => names.get(id) ?? `channel ${id}`;
}
