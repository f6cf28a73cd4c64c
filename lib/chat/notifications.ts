import { BadRequest } from '../base/errors.ts';
import type { AbortSignalLike } from '../base/platform-types.ts';
import { firstMessagePage, placeName } from '../domains/notifications/email/compose.ts';
import { mayShowContent } from '../domains/notifications/email/letter.ts';
import {
  type MissedMessages,
  missedMessages,
  type ShownMessage,
} from '../domains/notifications/email/missed-messages.ts';
import { announces } from '../domains/notifications/program/program.ts';
import type { Engine } from '../engine/engine.ts';
import { decisionIn, type ProgramWay } from '../events/decisions.ts';
import { BY_EMAIL, BY_PUSH, type NotificationReason } from '../rules/notifications.ts';
import { organizationSetting } from '../rules/organization-settings.ts';
import type { CursorOptions } from './event-subscription.ts';
import { readLog } from './observed-events.ts';

export type { NotificationReason } from '../rules/notifications.ts';

/** A message that a user has missed. */
export interface NotifiedMessage {
  /** ID of the message. */
  id: number;
  /** ID of the sender. */
  sender_id: number;
  /** As the user may see it. */
  sender_full_name: string;
  /** Seconds since the epoch. */
  timestamp: number;
  /** Markdown. */
  content: string;
  /** HTML. */
  rendered_content: string;
}

/** The decision to notify a user of messages that the user has missed in one conversation. */
export interface ChatNotification {
  /** Position in the log. The same after a repeated delivery. */
  position: number;
  /** Time of the decision in milliseconds since the epoch. */
  timestamp_ms: number;
  /** Who is to be notified. */
  user: { user_id: number; full_name: string; email: string; role: number };
  /** The ID of the user in your program. null: none. */
  external_id: string | null;
  /** The first missed message. */
  message: NotifiedMessage;
  /** The missed messages, oldest first: at most 20. */
  messages: readonly NotifiedMessage[];
  /** Number of missed messages. */
  unread: number;
  /** Why, the most important reason first. */
  reasons: readonly NotificationReason[];
  /** Where the messages are. */
  conversation: {
    /** For a subject line, such as `#support > order 17` or `Ada Lovelace`. */
    name: string;
    /** Page that shows the message: by `messageUrl`, or in the web app. */
    url: string;
    /** Of a channel, if it has one. */
    external_id?: string;
    channel_id?: number;
    topic?: string;
    /** Participants of a direct conversation. */
    user_ids?: readonly number[];
  };
  /** Whether a notification may contain texts and names, by the settings of the user and the organization. */
  shows_content: boolean;
}

/** Called for one notification at a time: the next call waits until the returned promise resolves. */
export type NotificationListener = (
  notification: ChatNotification,
  about: { /** Aborted when the subscription stops. */ signal: AbortSignalLike },
) => unknown;

/** Options of `chat.on('notification')`. */
export interface NotificationOptions extends CursorOptions {
  /**
   * `email`: by the settings of e-mail, after the period that collects the messages of a conversation. `push`:
   * by the settings of push notifications, at once, for each message. Default `email`.
   */
  way?: 'email' | 'push';
}

/** @throws BadRequest */
export function checkIsAnnounced(engine: Engine, way: ProgramWay): void {
  if (way !== 'email' && way !== 'push') throw new BadRequest('way must be "email" or "push".');
  if (announces(engine, way)) return;
  throw new BadRequest(`Open the chat with notifications: { program: ['${way}'] } to listen to these notifications.`);
}

type Moment = Pick<ChatNotification, 'position' | 'timestamp_ms'>;

const SETTINGS = { email: BY_EMAIL, push: BY_PUSH };

/** Leaves out messages that the user has read since the decision, or may no longer read. */
export const readNotifications = (engine: Engine, after: number, way: ProgramWay) =>
  readLog(engine, after, async ({ tx }, logged) => {
    const notifications: ChatNotification[] = [];
    for (const event of logged) {
      const decision = decisionIn(event);
      if (decision?.way !== way) continue;
      for (const missed of await missedMessages(engine, tx, decision, SETTINGS[way])) {
        const at: Moment = { position: event.seq, timestamp_ms: event.created_ms };
        notifications.push({ ...at, ...shown(engine, missed, way) });
      }
    }
    return notifications;
  });

function shown(engine: Engine, missed: MissedMessages, way: ProgramWay): Omit<ChatNotification, keyof Moment> {
  const { user, messages, more, reasons } = missed;
  const { id: user_id, full_name, delivery_email: email, role, external_id } = user;
  const notified = messages.map(shownMessage) as [NotifiedMessage];
  const shows_content = SHOWS_CONTENT[way](missed);
  return {
    /** Who is to be notified. */
    user: { user_id, full_name, email, role },
    external_id,
    message: notified[0],
    messages: notified,
    unread: messages.length + more,
    reasons,
    conversation: shownConversation(engine, missed, shows_content),
    shows_content,
  };
}

const shownMessage = ({ sender, message }: ShownMessage): NotifiedMessage => ({
  id: message.id,
  sender_id: message.sender_id,
  sender_full_name: sender,
  timestamp: message.timestamp,
  content: message.content,
  rendered_content: message.rendered_content,
});

function shownConversation(
  engine: Engine,
  missed: MissedMessages,
  showsContent: boolean,
): ChatNotification['conversation'] {
  const { channel, conversation } = missed;
  const named = { name: placeName(missed), url: firstMessagePage(engine, missed, showsContent).url };
  if (!channel) return { ...named, user_ids: conversation.participants };
  const { id: channel_id, external_id } = channel;
  return { ...named, ...(external_id === null ? {} : { external_id }), channel_id, topic: conversation.topic };
}

/** Notifications of a program are not encrypted for the device. */
const SHOWS_CONTENT = {
  email: mayShowContent,
  push: ({ organization }: MissedMessages) => !organizationSetting(organization, 'require_e2ee_push_notifications'),
};
