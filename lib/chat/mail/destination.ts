import { BadRequest } from '../../base/errors.ts';
import { checkPosting } from '../../domains/messages/posting/destinations.ts';
import type { Caller } from '../../engine/callers.ts';
import type { Engine } from '../../engine/engine.ts';
import { normalizeSource } from '../../markdown/blocks/block.ts';
import type { ChannelHead } from '../../model/channels.ts';
import type { Organization } from '../../model/organization.ts';
import type { User } from '../../model/users.ts';
import { effectiveTopicsPolicy } from '../../rules/channels.ts';
import { emailKey } from '../../rules/fold.ts';
import { isExpired, isSigned, type MailAddress, type MailPlace, readMailAddress } from '../../rules/mail-addresses.ts';
import { isBlank } from '../../rules/names.ts';
import { organizationSetting } from '../../rules/organization-settings.ts';
import { EMAIL_GATEWAY, isBot } from '../../rules/roles.ts';
import type { Transaction } from '../../storage/interface/storage.ts';
import type { ReadMail } from './read-mail.ts';

/** The conversation of an e-mail, and the account that posts it. */
export interface Destination {
  caller: Caller & { userId: number };
  /** The account whose limit counts. */
  chargedId: number;
  /** Parameters of `messages.send`. */
  to: { type: 'channel'; to: number; topic: string } | { type: 'direct'; to: number[] };
  /** Markdown above the content. May be empty. */
  introduction: string;
  /** Silences mentions if the sender is not authenticated. */
  adapt(content: string): string;
}

type Place<K extends MailPlace['kind']> = Extract<MailPlace, { kind: K }>;

interface Facts {
  tx: Transaction;
  organization: Organization;
  /** The account of the address. */
  user: User;
  now: number;
  engine: Engine;
  mail: ReadMail;
}

const asItIs = (content: string) => content;

/** @throws BadRequest, StreamDoesNotExist */
export function destinationOf(engine: Engine, mail: ReadMail, recipient: string, domain: string): Promise<Destination> {
  return engine.storage.read(async (tx) => {
    const address = readMailAddress(recipient, domain);
    const now = engine.clock.now();
    const known = address && (await accountOf(tx, address));
    if (!known) throw new BadRequest('This address does not exist.');
    if (isExpired(address.place, now))
      throw new BadRequest('This address has expired. Write in the app, or reply to a newer e-mail.');
    if (!known.user.is_active) throw new BadRequest('The account of this address is deactivated.');
    const facts = { ...known, tx, now, engine, mail };
    const { place } = address;
    return place.kind === 'reply' ? reply(facts, place) : toChannel(facts, place, address.options.has('show-sender'));
  });
}

/** Whether this chat has made the address. It may have expired since. */
export const isKnownAddress = ({ storage }: Engine, address: MailAddress): Promise<boolean> =>
  storage.read(async (tx) => (await accountOf(tx, address)) !== undefined);

/** Undefined if the address is not signed. */
async function accountOf(tx: Transaction, address: MailAddress) {
  const organization = await tx.organization.get();
  const user = await tx.users.byId(address.place.userId);
  if (!organization || !user) return undefined;
  const signing = { secret: organization.secret, keyGeneration: user.key_generation };
  return isSigned(address, signing) ? { organization, user } : undefined;
}

/**
 * Accepts a reply only from the address of the account. A person with a copy of the e-mail could reply to all, and must
 * not post as the account.
 */
async function reply({ tx, user, mail }: Facts, place: Place<'reply'>): Promise<Destination> {
  if (mail.from === undefined || emailKey(mail.from.address) !== emailKey(user.delivery_email))
    throw new BadRequest('Only the account that got the e-mail can reply to it, from the same e-mail address.');
  if (mail.isForged) throw new BadRequest('The mail server says that the sender of this e-mail is forged (DMARC).');
  // The message may have been moved. If it was deleted, its conversation remains.
  const message = await tx.messages.byId(place.messageId);
  const [conversation] = await tx.conversations.byIds([message?.conversation_id ?? place.conversationId]);
  if (!conversation) throw new BadRequest('The conversation no longer exists.');
  const { channel_id, topic, participants } = conversation;
  const others = participants.filter((id) => id !== user.id);
  return {
    caller: { userId: user.id, client: '' },
    chargedId: user.id,
    to:
      channel_id === null
        ? { type: 'direct', to: others.length > 0 ? others : [user.id] }
        : { type: 'channel', to: channel_id, topic },
    introduction: '',
    adapt: asItIs,
  };
}

async function toChannel(facts: Facts, place: Place<'channel'>, showsSender: boolean): Promise<Destination> {
  const { tx, user, mail, organization, now, engine } = facts;
  const found = await tx.channels.withSubscription(place.channelId, user.id);
  if (!found) throw new BadRequest('The channel of this address does not exist.');
  const { channel, subscription } = found;
  // The address ends with the permission of the user who created it.
  await checkPosting({ tx, organization, now, services: engine }, user, {
    channel,
    isSubscribed: subscription?.active === true,
  });
  if (mail.from === undefined) throw new BadRequest('The e-mail must have exactly one sender.');
  const sender = await senderOf(facts, place);
  const { topic, heading } = topicOf(mail, channel, organization);
  const introduction = [
    ...(showsSender ? [`**From:** ${oneLine(`${mail.from.name} <${mail.from.address}>`)}`] : []),
    ...heading,
  ];
  const to = { type: 'channel' as const, to: channel.id, topic };
  if (sender) {
    const shared = { chargedId: sender.id, to, introduction: introduction.join('\n') };
    return { ...shared, caller: { userId: sender.id, client: '' }, adapt: asItIs };
  }
  const gateway = await tx.users.byEmail(EMAIL_GATEWAY);
  if (!gateway) throw new Error(`The bot ${EMAIL_GATEWAY} is missing from this organization.`);
  return {
    caller: { userId: gateway.id, client: '', botOwnerId: user.id },
    chargedId: user.id,
    to,
    introduction: silent(introduction.join('\n')),
    adapt: silent,
  };
}

/**
 * The account that the address names, or the account of an authenticated sender. Otherwise undefined, because anyone can
 * forge `From`.
 */
async function senderOf({ tx, user, mail }: Facts, { senderId }: Place<'channel'>): Promise<User | undefined> {
  if (senderId !== 0) {
    const named = await tx.users.byId(senderId);
    if (named?.is_system_bot) return undefined;
    const isOwn = named?.id === user.id || named?.bot_owner_id === user.id;
    if (!named?.is_active || !isOwn) throw new BadRequest('The account of this address may no longer write.');
    return named;
  }
  const account = mail.isAuthenticated ? await tx.users.byEmail(mail.from?.address ?? '') : undefined;
  if (!account?.is_email_verified || isBot(account)) return undefined;
  if (!account.is_active) throw new BadRequest('Your account is deactivated.');
  return account;
}

/** "Re: " in some languages. */
const REPLY_MARK = /^(?:\s*(?:re|fwd?|aw|wg|tr|rv|sv|vs|antw|odp|enc|res)\s*(?:\[\d+\])?\s*[:：])+/i;

/** A room has no topics, so the subject is above the text. */
function topicOf({ subject }: ReadMail, channel: ChannelHead, organization: Organization) {
  const topic = oneLine(subject.replace(REPLY_MARK, ''));
  const policy = effectiveTopicsPolicy(channel, organizationSetting(organization, 'topics_policy'));
  const isShown = !isBlank(topic);
  if (policy === 'empty_topic_only') return { topic: '', heading: isShown ? [`**${topic.replaceAll('*', '')}**`] : [] };
  return { topic: isShown ? topic : '(no topic)', heading: [] };
}

const oneLine = (text: string) =>
  text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\s]+/gu, ' ').trim();

/** Mentions notify no user, as in messages of webhooks: anyone can write to the address. */
const silent = (content: string) => normalizeSource(content).replace(/@(?=\*)/g, '@_');
