import type { AbortSignalLike } from '../base/platform-types.ts';

/** A message before it is sent, or before its text is edited. */
export interface ProposedMessage {
  /** `scheduled`: a scheduled message is due. `reply`: the response of the outgoing webhook of a bot. */
  kind: 'send' | 'edit' | 'scheduled' | 'reply';
  /** Markdown, as it would be stored. */
  content: string;
  /** `channel`: `channel_id` and `topic` are set. `direct`: `user_ids` is set. */
  type: 'channel' | 'direct';
  /** ID of the channel. Absent for direct messages. */
  channel_id?: number;
  /** Topic in the channel. Absent for direct messages. */
  topic?: string;
  /** IDs of all users in the conversation, including the sender. Absent for channel messages. */
  user_ids?: readonly number[];
  /** ID of the edited message. Absent unless `kind` is `edit`. */
  message_id?: number;
  /** Current Markdown of the edited message. Absent unless `kind` is `edit`. */
  previous_content?: string;
}

/** The sender of a message that a hook checks. */
export interface MessageSender {
  /** ID of the account. */
  user_id: number;
  /** The real e-mail address. */
  email: string;
  /** Display name. */
  full_name: string;
  /** 100: owner, 200: administrator, 300: moderator, 400: member, 600: guest. */
  role: 100 | 200 | 300 | 400 | 600;
  /** Whether it is a bot. */
  is_bot: boolean;
  /** ID of the user who owns the bot. null for human users, and for bots without an owner. */
  bot_owner_id: number | null;
}

export function proposedPlace(
  { channel_id, topic }: { channel_id: number | null; topic: string },
  user_ids: readonly number[],
): Pick<ProposedMessage, 'type' | 'channel_id' | 'topic' | 'user_ids'> {
  return channel_id === null ? { type: 'direct', user_ids } : { type: 'channel', channel_id, topic };
}

/** Result of a hook. undefined: send unchanged. `content`: send this text instead. `refuse`: the reason to show. */
export type Verdict = undefined | { content: string } | { refuse: string };

/** Functions of your program that the chat calls. */
export interface Hooks {
  /**
   * Called before a message is sent or its text is edited, outside of any transaction. Return new text, or refuse
   * with a reason for the sender. Permissions are checked after the hook. Dry runs do not call it.
   * @example
   * beforeSend: ({ content }) => (/\bhunter2\b/.test(content) ? { refuse: 'No passwords here, please.' } : undefined)
   */
  beforeSend?(
    message: ProposedMessage,
    about: { sender: MessageSender /** Aborted after `timeoutMs`. */; signal: AbortSignalLike },
    // biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing lets the message go
  ): Verdict | void | Promise<Verdict | void>;
  /** Timeout of `beforeSend` in milliseconds. After it, the message is refused with `HookFailed`. Default 5000. */
  timeoutMs?: number;
}

/** The message for the hook, and parameters that make the later transaction send to the same place. */
export interface Proposal {
  message: ProposedMessage;
  pinned: Record<string, unknown>;
}

/** A hook threw, exceeded its timeout, or returned an invalid result. Servers answer with an internal error. */
export class HookFailed extends Error {
  constructor(message: string, cause?: unknown) {
    super(`The hook beforeSend ${message}.`, cause === undefined ? {} : { cause });
    this.name = 'HookFailed';
  }
}
