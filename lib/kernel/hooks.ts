import type { User } from '../storage/interface/users.ts';

/** A message that somebody is about to send, or an edit of one. */
export interface ProposedMessage {
  /** `scheduled`: it is due; `reply`: what the web hook of a bot has answered. */
  kind: 'send' | 'edit' | 'scheduled' | 'reply';
  /** Markdown, as it would be stored. */
  content: string;
  /** Where it goes: `channel_id` and `topic` name the place in a channel, `user_ids` that of a direct message. */
  type: 'channel' | 'direct';
  /** The channel, of a message to one. */
  channel_id?: number;
  /** The topic, of a message to a channel. */
  topic?: string;
  /** The people of a direct message: everybody in the conversation, the sender included. */
  user_ids?: readonly number[];
  /** The message that is edited; absent where a new one is sent. */
  message_id?: number;
  /** The Markdown that an edit replaces. */
  previous_content?: string;
}

/** Who sends a message that hooks are asked about. */
export type MessageSender = Pick<User, 'full_name' | 'role' | 'bot_owner_id'> & {
  user_id: number;
  /** The real address. */
  email: string;
  is_bot: boolean;
};

/** What a hook decides; nothing (undefined): the message goes as it is. */
export type Verdict = undefined | { content: string } | { refuse: string };

/** What the chat asks your program. */
export interface Hooks {
  /**
   * Asked before a message is sent or its text edited, outside of every transaction. May change the text, or refuse
   * with a reason that the sender is told. Everything else, such as whether they may still write there, is checked
   * afterwards. Whoever only tries something (a dry run) is not asked about.
   * @example
   * beforeSend: ({ content }) => (/\bhunter2\b/.test(content) ? { refuse: 'No passwords here, please.' } : undefined)
   */
  beforeSend?(
    message: ProposedMessage,
    about: { sender: MessageSender /** Aborted when the time is over. */; signal: AbortSignal },
    // biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing lets the message go
  ): Verdict | void | Promise<Verdict | void>;
  /** Milliseconds that it may take; what takes longer is refused like what fails. Default 5000. */
  timeoutMs?: number;
}

/** What hooks decide on, and the parameters by which the same is meant in the transaction that follows. */
export interface Proposal {
  message: ProposedMessage;
  pinned: Record<string, unknown>;
}

/** A hook threw, took too long, or answered what no hook may. Whoever sends is told that something went wrong. */
export class HookFailed extends Error {
  constructor(message: string, cause?: unknown) {
    super(`The hook beforeSend ${message}.`, cause === undefined ? {} : { cause });
    this.name = 'HookFailed';
  }
}
