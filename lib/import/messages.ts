import { BadRequest } from '../base/errors.ts';
import { allInOrder } from '../base/lists.ts';
import { present } from '../base/present.ts';
import { messageContent, type RenderedContent, usersNamed } from '../domains/messages/message-content.ts';
import type { Channel } from '../model/channels.ts';
import type { User } from '../model/users.ts';
import { fold } from '../rules/fold.ts';
import { MAX_MESSAGE_LENGTH, MAX_TOPIC_LENGTH } from '../rules/names.ts';
import { directAddress, topicAddress } from '../rules/narrow.ts';
import { truncate } from '../rules/topics.ts';
import { uploadUrl } from '../rules/uploads.ts';
import type { Conversation } from '../storage/interface/conversations.ts';
import type { Upload } from '../storage/interface/uploads.ts';
import type { AccountContext } from '../viewer/context.ts';
import { emojiFinder, withOwnEmoji } from './emoji.ts';
import { lineOf } from './free-names.ts';
import { addPlaceholders, idsOf } from './people.ts';
import { noteAndMarkRead } from './read-state.ts';
import { renderedAll } from './rendering.ts';
import {
  type Counted,
  type ImportOptions,
  type ImportRun,
  type Known,
  knownAmong,
  type StoredKind,
  storedKey,
} from './run.ts';
import {
  type ImportedFile,
  type ImportedMessage,
  type MissingAuthor,
  type Reference,
  referencesIn,
  replaceReferences,
} from './source.ts';

const DEFAULT_TOPIC = 'general';

/** Records that messages refer to, by ID or by key. */
interface Referred {
  known: Known;
  users: ReadonlyMap<number, User>;
  channels: ReadonlyMap<number, Channel>;
  groups: ReadonlyMap<number, string>;
  /** Addresses of messages, by ID. */
  addresses: ReadonlyMap<number, string>;
  uploads: ReadonlyMap<number, Upload>;
}

/**
 * Stores messages of the export with everything that belongs to them, ascending by time. No event, notification or
 * e-mail follows. The number of statements grows with the conversations, not with the messages.
 */
export async function importMessages(
  context: AccountContext,
  given: readonly ImportedMessage[],
  run: Pick<ImportRun, 'options' | 'others'>,
): Promise<Counted> {
  const { tx } = context;
  const stored = await knownAmong(
    context,
    given.map(({ key }) => ['message', key]),
  );
  const messages = firstOfEach(given).filter(({ key }) => stored.id('message', key) === undefined);
  const knownCount = given.length - messages.length;
  if (messages.length === 0) return { present: { message: knownCount } };
  const { known, placeholders } = await knownWithPlaceholders(context, messages);
  const conversations = await conversationsOf(context, messages, known, run.options);
  const referred = await referredBy(context, messages, known);
  const contents = messages.map((message) => contentOf(context, message, referred));
  const rendered = await renderedAll(context, messages, contents, known);
  const ids = await tx.messages.createMany(
    messages.map((message, at) => {
      const { html, isMe } = present(rendered[at]);
      return {
        conversation_id: present(conversations[at]).id,
        sender_id: present(known.id('user', message.author)),
        content: present(contents[at]),
        rendered_content: html,
        timestamp: Math.floor(message.timeMs / 1000),
        client: 'import',
        is_me_message: isMe,
        read_by_sender: true,
      };
    }),
  );
  const all = messages.map(
    (message, at): Stored => ({
      message,
      id: present(ids[at]),
      conversation: present(conversations[at]),
      rendered: present(rendered[at]),
    }),
  );
  await tx.imports.add(all.map(({ message, id }) => ({ key: storedKey('message', message.key), record_id: id })));
  const reactions = await addReactions(context, all, known);
  await setFlags(context, all, known);
  const others = await noteAndMarkRead(context, all, run.options, run.others);
  await tx.uploads.claim(
    all.flatMap(({ message, id }) =>
      idsOf(
        message.files.map(({ key }) => key),
        (key) => known.id('file', key),
      ).map((upload_id) => ({ message_id: id, upload_id })),
    ),
  );
  return {
    imported: { message: messages.length, reaction: reactions.added, user: placeholders },
    present: { message: knownCount },
    losses: [...reactions.losses, ...lossesOf(context, messages, contents, known)],
    others,
  };
}

interface Stored {
  message: ImportedMessage;
  id: number;
  conversation: Conversation;
  rendered: RenderedContent;
}

/** The messages without repetitions: an export may contain a message twice. */
function firstOfEach(given: readonly ImportedMessage[]): ImportedMessage[] {
  return [...new Map([...given].reverse().map((message) => [message.key, message])).values()].reverse();
}

/** Authors, and participants of direct conversations: they need an account. */
export function peopleOf(messages: readonly ImportedMessage[]): Map<string, MissingAuthor | undefined> {
  const people = new Map<string, MissingAuthor | undefined>();
  for (const { author, missingAuthor, to } of messages) {
    if (!people.get(author)) people.set(author, missingAuthor);
    for (const user of 'users' in to ? to.users : []) if (!people.has(user)) people.set(user, undefined);
  }
  return people;
}

/** The records that messages refer to. Creates missing accounts. */
async function knownWithPlaceholders(context: AccountContext, messages: readonly ImportedMessage[]) {
  const keys: [StoredKind, string][] = [];
  const people = peopleOf(messages);
  for (const { to, content, reactions, starredBy, files } of messages) {
    if ('channel' in to) keys.push(['channel', to.channel]);
    if ('channel' in to && to.thread) keys.push(['thread', to.thread.key]);
    for (const { kind, key } of referencesIn(content)) keys.push([kind, key]);
    for (const { user } of reactions) keys.push(['user', user]);
    for (const user of starredBy) keys.push(['user', user]);
    for (const { key } of files) keys.push(['file', key]);
  }
  for (const user of people.keys()) keys.push(['user', user]);
  const known = await knownAmong(context, keys);
  const missing = new Map([...people].filter(([user]) => known.id('user', user) === undefined));
  if (missing.size === 0) return { known, placeholders: 0 };
  await addPlaceholders(context, missing);
  return { known: await knownAmong(context, keys), placeholders: missing.size };
}

/** The conversation of each message, created if necessary. */
async function conversationsOf(
  context: AccountContext,
  messages: readonly ImportedMessage[],
  known: Known,
  options: ImportOptions,
): Promise<Conversation[]> {
  const { tx } = context;
  const groups = messages.map(({ to }) => ('users' in to ? idsOf(to.users, (user) => known.id('user', user)) : []));
  const directs = await tx.conversations.ensureDirects(groups.filter((group) => group.length > 0));
  const byParticipants = new Map(directs.map((direct) => [direct.participants.join(), direct]));
  const topics = new Map<string, Conversation>();
  const threads = await knownThreads(context, messages, known);
  const conversations: Conversation[] = [];
  for (const [at, { to, timeMs }] of messages.entries()) {
    if ('users' in to) {
      conversations.push(present(byParticipants.get(present(groups[at]).join())));
      continue;
    }
    const channel = known.id('channel', to.channel);
    if (channel === undefined) throw new BadRequest(`The channel ${to.channel} was not imported.`);
    const topicOf = async (topic: string) => {
      const key = `${channel} ${fold(topic)}`;
      const conversation = topics.get(key) ?? (await tx.conversations.ensureTopic(channel, topic));
      topics.set(key, conversation);
      return conversation;
    };
    if (!to.thread) {
      const topic = to.topic ?? options.topic ?? DEFAULT_TOPIC;
      conversations.push(await topicOf(topic === '' ? '' : lineOf(topic, MAX_TOPIC_LENGTH)));
      continue;
    }
    const { key, title } = to.thread;
    let conversation = threads.get(key);
    if (!conversation) {
      const isTaken = (topic: string) => topics.has(topic);
      conversation = await topicOf(await threadTopic(context, channel, { title, timeMs, isTaken }));
      threads.set(key, conversation);
      await tx.imports.add([{ key: storedKey('thread', key), record_id: conversation.id }]);
    }
    conversations.push(conversation);
  }
  return conversations;
}

/** The topics of threads that earlier messages have begun, by the key of the thread. */
async function knownThreads({ tx }: AccountContext, messages: readonly ImportedMessage[], known: Known) {
  const keys = messages.flatMap(({ to }) => ('channel' in to && to.thread ? [to.thread.key] : []));
  const ids = idsOf(keys, (key) => known.id('thread', key));
  const found = new Map((await tx.conversations.byIds(ids)).map((conversation) => [conversation.id, conversation]));
  const threads = new Map<string, Conversation>();
  for (const key of keys) {
    const conversation = found.get(known.id('thread', key) ?? -1);
    if (conversation) threads.set(key, conversation);
  }
  return threads;
}

/**
 * The first words of the thread. If another thread begins alike, adds the date, and a number if that is not enough.
 */
async function threadTopic(
  { tx }: AccountContext,
  channel: number,
  { title, timeMs, isTaken }: { title: string; timeMs: number; isTaken(key: string): boolean },
): Promise<string> {
  const day = new Date(timeMs).toISOString().slice(0, 10);
  const words = lineOf(firstWords(title.trim() === '' ? 'Thread' : title), MAX_TOPIC_LENGTH);
  const isFree = async (topic: string) =>
    !isTaken(`${channel} ${fold(topic)}`) && !(await tx.conversations.topic(channel, topic));
  if (await isFree(words)) return words;
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? ` (${day})` : ` (${day}) ${number}`;
    const topic = truncate(words, MAX_TOPIC_LENGTH - suffix.length, '…') + suffix;
    if (await isFree(topic)) return topic;
  }
}

/** Words of the first line that fit into a topic. */
function firstWords(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  if (line.length <= MAX_TOPIC_LENGTH) return line;
  const end = line.lastIndexOf(' ', MAX_TOPIC_LENGTH - 1);
  return end > MAX_TOPIC_LENGTH / 2 ? `${line.slice(0, end)}…` : line;
}

async function referredBy(
  context: AccountContext,
  messages: readonly ImportedMessage[],
  known: Known,
): Promise<Referred> {
  const { tx } = context;
  const references = messages.flatMap(({ content }) => referencesIn(content));
  const of = (kind: Reference['kind']) =>
    idsOf(
      references.filter((each) => each.kind === kind).map(({ key }) => key),
      (key) => known.id(kind, key),
    );
  const [users, channels, groups, linked, uploads] = await allInOrder([
    tx.users.byIds(of('user')),
    tx.channels.byIds(of('channel')),
    tx.groups.heads(of('group')),
    tx.messages.byIds(of('message')),
    allInOrder(of('file').map((id) => tx.uploads.byId(id))),
  ]);
  const places = new Map((await channelsOf(context, linked)).map((channel) => [channel.id, channel]));
  const directs = await tx.conversations.byIds(
    linked.filter(({ channel_id }) => channel_id === null).map(({ conversation_id }) => conversation_id),
  );
  const participants = new Map(directs.map((direct) => [direct.id, direct.participants]));
  return {
    known,
    users: new Map(users.map((user) => [user.id, user])),
    channels: new Map(channels.map((channel) => [channel.id, channel])),
    groups: new Map(groups.map((group) => [group.id, group.name])),
    addresses: new Map(
      linked.map(({ id, channel_id, topic, conversation_id }) => {
        const channel = channel_id === null ? undefined : places.get(channel_id);
        const place = channel
          ? topicAddress(channel.id, channel.name, topic)
          : directAddress(participants.get(conversation_id) ?? []);
        return [id, `${place}/near/${id}`];
      }),
    ),
    uploads: new Map(uploads.flatMap((upload) => (upload ? [[upload.id, upload]] : []))),
  };
}

const channelsOf = ({ tx }: AccountContext, messages: readonly { channel_id: number | null }[]) =>
  tx.channels.byIds([...new Set(messages.flatMap(({ channel_id }) => (channel_id === null ? [] : [channel_id])))]);

/** The content with mentions and addresses of the records here, as it is stored. */
function contentOf(context: AccountContext, { content }: ImportedMessage, referred: Referred): string {
  const shown = replaceReferences(withOwnEmoji(content), ({ kind, key, otherwise }) => {
    const id = referred.known.id(kind, key) ?? -1;
    switch (kind) {
      case 'user': {
        const user = referred.users.get(id);
        if (!user) return otherwise;
        return `@${otherwise.startsWith('@_') ? '_' : ''}**${user.full_name}|${user.id}**`;
      }
      case 'group': {
        const group = referred.groups.get(id);
        return group === undefined ? otherwise : `@*${group}*`;
      }
      case 'channel': {
        const channel = referred.channels.get(id);
        return channel ? `#**${channel.name}**` : otherwise;
      }
      case 'message':
        return referred.addresses.get(id) ?? otherwise;
      case 'file': {
        const upload = referred.uploads.get(id);
        return upload ? encodeURI(uploadUrl(upload, context.organization.site_path)) : otherwise;
      }
    }
  });
  return messageContent(shown.replaceAll('\0', ''), { mayBeEmpty: true, truncate: true });
}

export const CUT = `messages cut at ${MAX_MESSAGE_LENGTH} characters`;

function lossesOf(
  { services }: AccountContext,
  messages: readonly ImportedMessage[],
  contents: readonly string[],
  known: Known,
): string[] {
  const cut = contents.filter((content) => content.length >= MAX_MESSAGE_LENGTH && content.endsWith('truncated]'));
  const files = messages.flatMap((message) => message.files.filter(({ key }) => known.id('file', key) === undefined));
  return [...cut.map(() => CUT), ...lossesOfFiles(files, { hasPlace: services.options.files !== undefined })];
}

/** @param files those that the import does not store. It has counted those with content already, unless it has no place */
export const lossesOfFiles = (files: readonly ImportedFile[], { hasPlace }: { hasPlace: boolean }): string[] =>
  files.flatMap(({ url, content }) => {
    if (content) return hasPlace ? [] : ['files, because there is no place for uploads'];
    return [url === undefined ? 'files whose content is missing' : 'files linked, not downloaded'];
  });

/** One text for each reaction that the import does not store. */
export const lossesOfReactions = (
  reactions: ImportedMessage['reactions'],
  isKnown: (user: string) => boolean,
  isEmoji: (name: string) => boolean,
): string[] =>
  reactions.flatMap(({ user, name }) => {
    if (!isKnown(user)) return ['reactions of users that the export lacks'];
    return isEmoji(name) ? [] : [`reactions with unknown emoji, such as :${name.slice(0, 40)}:`];
  });

async function addReactions(context: AccountContext, all: readonly Stored[], known: Known) {
  const { tx } = context;
  const reactions = all.flatMap(({ message }) => message.reactions);
  const find = await emojiFinder(context, reactions.length > 0);
  const wanted = all.flatMap(({ message, id }) =>
    message.reactions.flatMap(({ user, name }) => {
      const user_id = known.id('user', user);
      const emoji = find(name);
      return user_id === undefined || !emoji ? [] : [{ message_id: id, user_id, ...emoji }];
    }),
  );
  const losses = lossesOfReactions(
    reactions,
    (user) => known.id('user', user) !== undefined,
    (name) => find(name) !== undefined,
  );
  return { added: await tx.imports.react(wanted), losses };
}

/** Mentions, stars, and the times of edits. */
async function setFlags(context: AccountContext, all: readonly Stored[], known: Known): Promise<void> {
  const { tx } = context;
  const mentioned: { message_id: number; user_id: number }[] = [];
  for (const { id, rendered } of all)
    for (const user_id of await usersNamed(context, rendered.mentions)) mentioned.push({ message_id: id, user_id });
  if (mentioned.length > 0) await tx.flags.setForReceivers(mentioned, 'mentioned');
  await tx.imports.star(
    all.flatMap(({ message, id }) =>
      idsOf(message.starredBy, (user) => known.id('user', user)).map((user_id) => ({ message_id: id, user_id })),
    ),
  );
  await tx.imports.markEdited(
    all.flatMap(({ message, id }) =>
      message.editedMs === undefined ? [] : [{ id, timestamp: Math.floor(message.editedMs / 1000) }],
    ),
  );
}
