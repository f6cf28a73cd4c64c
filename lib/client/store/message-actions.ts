import { isChatError } from '../../base/errors.ts';
import type { Session } from '../../chat/session.ts';
import type { EmojiRef, Reaction } from './types.ts';

/** Shows a reaction of the own account, or takes it away. */
type ShowReaction = (id: number, reaction: Omit<Reaction, 'user_id'>, op: 'add' | 'remove') => void;

/** What a user does with messages that exist. */
export class MessageActions {
  /** The Markdown of messages that are edited, to notice a change in between. */
  readonly #edited = new Map<number, string>();

  constructor(
    private readonly session: Session,
    private readonly showReaction: ShowReaction,
  ) {}

  async markdown(id: number): Promise<string> {
    const { message } = await this.session.messages.get({ message_id: id, apply_markdown: false });
    this.#edited.set(id, message.content);
    return message.content;
  }

  async edit(id: number, content: string): Promise<void> {
    const before = this.#edited.get(id);
    const digest = before !== undefined && (await sha256(before));
    await this.session.messages.edit({ message_id: id, content, ...(digest && { prev_content_sha256: digest }) });
    this.#edited.delete(id);
  }

  async delete(id: number): Promise<void> {
    await this.session.messages.delete({ message_id: id });
  }

  async star(id: number, on: boolean): Promise<void> {
    await this.session.messages.updateFlags({ op: on ? 'add' : 'remove', flag: 'starred', messages: [id] });
  }

  async react(id: number, { emoji_name, emoji_code, reaction_type }: EmojiRef, on: boolean): Promise<void> {
    const given = { emoji_name, ...(emoji_code && { emoji_code }), ...(reaction_type && { reaction_type }) };
    const show = (op: 'add' | 'remove') => {
      if (emoji_code && reaction_type) this.showReaction(id, { emoji_name, emoji_code, reaction_type }, op);
    };
    show(on ? 'add' : 'remove');
    const { messages } = this.session;
    try {
      await (on ? messages.addReaction : messages.removeReaction)({ message_id: id, ...given });
    } catch (error) {
      if (isChatError(error, on ? 'REACTION_ALREADY_EXISTS' : 'REACTION_DOES_NOT_EXIST')) return;
      show(on ? 'remove' : 'add');
      throw error;
    }
  }
}

export const hexOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Undefined where the page may not use cryptography: on plain HTTP. */
async function sha256(text: string): Promise<string | undefined> {
  if (!globalThis.crypto?.subtle) return undefined;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return hexOf(new Uint8Array(digest));
}
