import { OutgoingCallFailed } from '../../../adapters/outgoing-calls.ts';
import { sendWebPush, type WebPushMessage, webPushKeys } from '../../../adapters/web-push.ts';
import { present } from '../../../base/present.ts';
import type { Organization } from '../../../model/organization.ts';
import type { User } from '../../../model/users.ts';
import { defineOutboxKind, PermanentFailure } from '../../../operation/feature.ts';
import { isRoom } from '../../../rules/channels.ts';
import type { PushBrowser } from '../../../storage/interface/push.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';
import type { Services } from '../../../viewer/context.ts';
import { messagePage } from '../../../viewer/message-page.ts';
import {
  clipped,
  factsOf,
  type MessageFacts,
  RETRY_FOR_MS,
  type Reader,
  type Recipient,
  readersOf,
  senderShown,
  subtitleOf,
  titleOf,
  WITHHELD,
} from '../notifications/send-batch.ts';
import { isValid } from './browser.ts';

export interface BrowserNotification {
  browser_id: number;
  message_id: number;
  recipient: Recipient;
}

/** A slow push service, which a user chose, must not block the others. */
const REQUESTS_AT_ONCE = 40;
const REQUESTS_PER_ACCOUNT = 4;
const REMOVALS_PER_ACCOUNT = 2;

/** Shows the current message in a browser, unless the user has read it or may no longer read it. */
export const sendToBrowser = defineOutboxKind<BrowserNotification>('web-push', {
  concurrency: REQUESTS_AT_ONCE,
  share: { places: REQUESTS_PER_ACCOUNT, keyOf: ({ recipient }) => recipient.user_id },
  retryForMs: RETRY_FOR_MS,
  async perform(services, { browser_id, message_id, recipient }) {
    const found = await services.storage.read(async (tx) => {
      const target = await targetOf(services, tx, browser_id);
      if (!target?.isValid) return target;
      const standing = await tx.pushNotices.standing(message_id, [recipient.user_id]);
      const facts = standing.length > 0 ? await factsOf(tx, message_id, { withNames: true }) : undefined;
      if (!facts || target.user.id !== recipient.user_id || !isInRooms(target.browser, facts)) return undefined;
      const reader = present((await readersOf(tx, facts, [recipient], standing)).get(recipient.user_id));
      return {
        ...target,
        message: shown(services, { facts, reader, user: target.user, badge: await badgeOf(tx, target) }),
      };
    });
    if (found) await deliver(services, found);
  },
});

export interface BrowserRemoval {
  browser_id: number;
  /** Absent in items of earlier versions. */
  user_id?: number;
  message_ids: number[];
}

/** Closes the notifications of read and deleted messages, and counts again. */
export const removeFromBrowser = defineOutboxKind<BrowserRemoval>('web-push-removal', {
  share: { places: REMOVALS_PER_ACCOUNT, keyOf: ({ user_id }) => user_id },
  retryForMs: RETRY_FOR_MS,
  async perform(services, { browser_id, message_ids }) {
    const found = await services.storage.read(async (tx) => {
      const target = await targetOf(services, tx, browser_id);
      if (!target?.isValid || !mayBeSilent(target.browser)) return undefined;
      const shown = await shownOf(tx, target.browser, message_ids);
      if (shown.length === 0) return undefined;
      const text = JSON.stringify({ type: 'remove', message_ids: shown, badge: await badgeOf(tx, target) });
      return { ...target, message: { text, urgency: 'low' } as const };
    });
    if (found) await deliver(services, found);
  },
});

interface Target {
  organization: Organization;
  browser: PushBrowser;
  user: User;
  isValid: boolean;
  message?: WebPushMessage;
}

async function targetOf({ clock }: Services, tx: Transaction, browserId: number): Promise<Target | undefined> {
  const browser = await tx.pushBrowsers.byId(browserId);
  const user = browser && (await tx.users.byId(browser.user_id));
  const organization = await tx.organization.get();
  return user && organization && { organization, browser, user, isValid: isValid(browser, user, clock.now()) };
}

/** Browsers that a token for rooms added get only messages of these rooms. */
const isInRooms = ({ rooms }: PushBrowser, { channel }: MessageFacts) =>
  !rooms || (channel !== undefined && rooms.includes(channel.id));

/**
 * The messages that the browser may have shown. The room of a deleted message is not known any more, so a browser of a
 * token for rooms keeps its notification.
 */
async function shownOf(tx: Transaction, { rooms }: PushBrowser, messageIds: readonly number[]) {
  if (!rooms) return messageIds;
  const messages = await tx.messages.byIds(messageIds);
  return messages.flatMap(({ id, channel_id }) => (channel_id !== null && rooms.includes(channel_id) ? [id] : []));
}

/** Safari ends a subscription after three notifications that show nothing. */
const mayBeSilent = ({ endpoint }: PushBrowser) => new URL(endpoint).hostname !== 'web.push.apple.com';

const MAX_BADGE = 99;

/** Messages that the user was notified of and has not read. A token for rooms must not learn the number of all. */
const badgeOf = async (tx: Transaction, { user, browser }: Target): Promise<number | undefined> =>
  browser.rooms ? undefined : tx.pushNotices.count(user.id, MAX_BADGE);

/** The push service or the browser has ended the subscription. */
const ENDED = [404, 410];

/** @throws Error if the notification is to be retried */
async function deliver(services: Services, { organization, browser, message, isValid }: Target): Promise<void> {
  const { options, clock } = services;
  if (!isValid || !message) return remove(services, browser);
  const keys = webPushKeys(organization.secret, organization.web_push_generation);
  const sender = { keys, contact: options.baseUrl, now: clock.now() };
  try {
    const status = await sendWebPush(browser, message, sender, options.outgoingWebhooks);
    if (status < 300) return;
    if (ENDED.includes(status)) return await remove(services, browser);
    const says = `The push service answered ${status}.`;
    throw status === 429 || status >= 500 ? new Error(says) : new PermanentFailure(says);
  } catch (error) {
    throw error instanceof OutgoingCallFailed && error.isFinal ? new PermanentFailure(error.message) : error;
  }
}

/** Removes the browser, unless a new login has added it again. */
async function remove({ storage }: Services, { id, credentials, ends_ms }: PushBrowser): Promise<void> {
  await storage.write(async (tx) => {
    const present = await tx.pushBrowsers.byId(id);
    if (present?.credentials === credentials && present.ends_ms === ends_ms) await tx.pushBrowsers.removeById(id);
  }, 'mark');
}

interface Shown {
  facts: MessageFacts;
  reader: Reader;
  user: User;
  badge: number | undefined;
}

const MAX_TITLE = 80;
const MAX_ICON = 300;
const MAX_URL = 1_000;
/** In bytes. Push services accept 4096 of the encrypted notification. */
const MAX_TEXT = 3_000;

function shown(services: Services, { facts, reader, user, badge }: Shown): WebPushMessage {
  const { message, channel, participants } = facts;
  const { sender_full_name, sender_avatar_url } = senderShown(services, facts, reader);
  const tag = `conversation-${message.conversation_id}`;
  const place = {
    messageId: message.id,
    conversation: { topic: message.topic, participants: [...participants] },
    channel,
  };
  const { url } = messagePage(services, place, user);
  const isWithheld = !channel && user.settings.pm_content_in_desktop_notifications === false;
  const content = isWithheld ? WITHHELD : facts.content;
  const notification = {
    type: 'message',
    message_id: message.id,
    user_id: user.id,
    tag,
    badge,
    time: message.timestamp,
    title: clipped(channel && isRoom(channel) ? channel.name : titleOf(facts), MAX_TITLE),
    ...(sender_avatar_url.length <= MAX_ICON ? { icon: sender_avatar_url } : {}),
    ...(url.length <= MAX_URL ? { url } : {}),
  };
  const body = [subtitleOf(facts, reader, clipped(sender_full_name, MAX_TITLE)), content].filter(Boolean).join(' ');
  const text = JSON.stringify({ ...notification, body });
  const isTooLong = Buffer.byteLength(text) > MAX_TEXT;
  return { text: isTooLong ? JSON.stringify({ ...notification, body: '' }) : text, urgency: 'high', topic: tag };
}
