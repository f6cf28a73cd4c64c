import { isChatError } from '../../base/errors.ts';
import type { ChatEvent, Session } from '../../chat/session.ts';
import type { KeptMessages } from './kept-messages.ts';
import type { OpenLists } from './open-lists.ts';
import { stored } from './places.ts';
import type { ReadFlags } from './read-flags.ts';
import type { Cell, EmojiRef, Message, MessageList, Narrow, Messages as PublicMessages } from './types.ts';
import type { Unread } from './unread.ts';

interface Dependencies {
  session: Session;
  me(): number;
  kept: KeptMessages;
  lists: OpenLists;
  unread: Unread;
  readFlags: ReadFlags;
}

/** For `updateFlags`. */
const MESSAGES_PER_REQUEST = 1_000;

/** Lists of messages, and what a user does with messages that exist. */
export class Messages implements PublicMessages {
  /** The Markdown of messages that are edited, to notice a change in between. */
  readonly #edited = new Map<number, string>();

  readonly #listeners = new Set<(messages: readonly Message[]) => void>();

  constructor(private readonly dependencies: Dependencies) {}

  onUnread(run: (messages: readonly Message[]) => void): () => void {
    const listener = (messages: readonly Message[]) => run(messages);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  isUnread(id: number): boolean {
    return this.dependencies.unread.has(id);
  }

  countUnread(narrow: Narrow, after: number): number {
    return this.dependencies.unread.countAfter(narrow, after);
  }

  /** The events of one response were applied. */
  onApplied(events: readonly ChatEvent[]): void {
    if (this.#listeners.size === 0) return;
    const { kept } = this.dependencies;
    const messages = events.flatMap((event) =>
      event.type === 'message' && this.isUnread(event.message.id) ? [kept.of(event)] : [],
    );
    if (messages.length > 0) for (const run of [...this.#listeners]) run(messages);
  }

  open(
    narrow: Narrow,
    at: 'first_unread' | 'newest' | number = 'first_unread',
    { limit }: { limit?: number } = {},
  ): MessageList {
    const { lists, me } = this.dependencies;
    return lists.open(stored(narrow, me()), at, limit);
  }

  message(id: number): Cell<Message | undefined> {
    return this.dependencies.kept.cell(id);
  }

  async fetch(ids: readonly number[]): Promise<void> {
    const { kept, lists } = this.dependencies;
    const missing = ids.filter((id) => !kept.get(id));
    if (missing.length > 0) await lists.fetch(missing);
  }

  async markdown(id: number): Promise<string> {
    const { message } = await this.dependencies.session.messages.get({ message_id: id, apply_markdown: false });
    this.#edited.set(id, message.content);
    return message.content;
  }

  async edit(id: number, content: string): Promise<void> {
    const before = this.#edited.get(id);
    const digest = before !== undefined && (await sha256(before));
    await this.dependencies.session.messages.edit({
      message_id: id,
      content,
      ...(digest && { prev_content_sha256: digest }),
    });
    this.#edited.delete(id);
  }

  async delete(id: number): Promise<void> {
    await this.dependencies.session.messages.delete({ message_id: id });
  }

  unreadIds(): readonly number[] {
    return this.dependencies.unread.ids;
  }

  async markUnread(ids: readonly number[]): Promise<void> {
    const { session } = this.dependencies;
    for (let at = 0; at < ids.length; at += MESSAGES_PER_REQUEST)
      await session.messages.updateFlags({
        op: 'remove',
        flag: 'read',
        messages: ids.slice(at, at + MESSAGES_PER_REQUEST),
      });
  }

  async star(id: number, on: boolean): Promise<void> {
    await this.dependencies.session.messages.updateFlags({
      op: on ? 'add' : 'remove',
      flag: 'starred',
      messages: [id],
    });
  }

  async react(id: number, { emoji_name, emoji_code, reaction_type }: EmojiRef, on: boolean): Promise<void> {
    const given = { emoji_name, ...(emoji_code && { emoji_code }), ...(reaction_type && { reaction_type }) };
    const { session, kept, lists, me } = this.dependencies;
    const show = (op: 'add' | 'remove') => {
      if (!emoji_code || !reaction_type) return;
      lists.change(() => {
        kept.updateReaction(id, { emoji_name, emoji_code, reaction_type, user_id: me() }, op);
        return [id];
      });
    };
    show(on ? 'add' : 'remove');
    const { messages } = session;
    try {
      await (on ? messages.addReaction : messages.removeReaction)({ message_id: id, ...given });
    } catch (error) {
      if (isChatError(error, on ? 'REACTION_ALREADY_EXISTS' : 'REACTION_DOES_NOT_EXIST')) return;
      show(on ? 'remove' : 'add');
      throw error;
    }
  }

  markRead(ids: Iterable<number>): void {
    const { kept, lists, unread, readFlags } = this.dependencies;
    const marked = [...ids].filter((id) => unread.has(id) || kept.get(id)?.flags.has('read') === false);
    if (marked.length === 0) return;
    readFlags.add(marked);
    lists.change(() => {
      unread.remove(marked);
      return kept.updateFlag(marked, 'read', 'add');
    });
  }
}

export const hexOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Undefined where the page may not use cryptography: on plain HTTP. */
async function sha256(text: string): Promise<string | undefined> {
  if (!globalThis.crypto?.subtle) return undefined;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return hexOf(new Uint8Array(digest));
}
