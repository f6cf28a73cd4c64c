/** A message that somebody is about to send, or an edit of one. */
export interface ProposedMessage {
  /** What is about to happen. `scheduled`: a scheduled message is due; `reply`: what the web hook of a bot has answered. */
  kind: 'send' | 'edit' | 'scheduled' | 'reply';
  /** Markdown, as it would be stored. */
  content: string;
  /** Where it goes: `channel_id` and `topic` name the place in a channel, `user_ids` that of a direct message. */
  type: 'channel' | 'direct';
  /** ID of the channel that it goes to; absent of a direct message. */
  channel_id?: number;
  /** Topic in the channel; absent of a direct message. */
  topic?: string;
  /** IDs of everybody in the conversation, the sender included; absent of a message to a channel. */
  user_ids?: readonly number[];
  /** ID of the message that is edited; absent unless `kind` is `edit`. */
  message_id?: number;
  /** Markdown that the edit replaces; absent unless `kind` is `edit`. */
  previous_content?: string;
}

/** Who sends a message that hooks are asked about. */
export interface MessageSender {
  /** ID of the account. */
  user_id: number;
  /** The real address. */
  email: string;
  /** Name as people read it. */
  full_name: string;
  /** 100: owner, 200: administrator, 300: moderator, 400: member, 600: guest. */
  role: 100 | 200 | 300 | 400 | 600;
  /** Whether it is a bot. */
  is_bot: boolean;
  /** ID of whoever owns the bot; null of a person, and of a bot without owner. */
  bot_owner_id: number | null;
}

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
