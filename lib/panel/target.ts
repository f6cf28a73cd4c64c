/** The conversation that the attributes of a panel name. */
import { useEffect, useState } from 'preact/hooks';
import { storedTopic } from '../client/store/places.ts';
import type { ChatStore, Narrow } from '../client/store/types.ts';
import { type Destination, useCell, usePanel } from './context.ts';
import { isWithoutTopics } from './messages/places.ts';
import { reasonOf } from './reasons.ts';
import type { ConversationWords } from './words/conversation-words.ts';

/** Users of a direct conversation that an attribute may name. */
const MAX_PEOPLE = 100;

type At = 'first_unread' | 'newest' | number;

type Target =
  | { state: 'loading' }
  /** With what to say about it. */
  | { state: 'none'; text: string }
  | { state: 'ready'; narrow: Narrow; at: At };

const none = (text: string): Target => ({ state: 'none', text });

type Attributes = Readonly<Record<string, string>>;

/** Attributes that name a conversation. Equal keys name the same. */
export const attributesKey = ({ room, channel, topic, people, message }: Attributes) =>
  [room, channel, topic, people, message].join('\n');

/** @param own where the reader went inside of the panel */
export function useTarget(attributes: Attributes, own: Destination | undefined): Target {
  const { store, words } = usePanel();
  const isStarted = useCell(store.me) !== undefined;
  const channels = useCell(store.channels);
  const key = attributesKey(attributes);
  const [found, setFound] = useState<{ key: string; target: Target }>();
  useEffect(() => {
    if (!isStarted) return;
    let isOver = false;
    narrowOf(store, words, attributes)
      .catch((error: Error) => none(words.startFailed(reasonOf(error, words))))
      .then((target) => isOver || setFound({ key, target }));
    return () => {
      isOver = true;
    };
    // What was not found may be there after a change of the channels.
  }, [store, words, key, isStarted, found?.target.state === 'none' && channels]);
  if (own && 'narrow' in own) return { state: 'ready', narrow: own.narrow, at: own.at ?? 'first_unread' };
  return found?.key === key ? found.target : { state: 'loading' };
}

async function narrowOf(store: ChatStore, words: ConversationWords, attributes: Attributes): Promise<Target> {
  const { room, channel = room && `external:${room}`, topic, people, message } = attributes;
  const at = message !== undefined && /^\d{1,15}$/.test(message) ? Number(message) : 'first_unread';
  if (channel !== undefined) {
    const found = await channelOf(store, channel);
    if (found === undefined) {
      const isExternal = /^external:/.test(channel);
      return none(isExternal ? words.roomNotFound : words.channelNotFound(channel));
    }
    const chosen = isWithoutTopics(found) ? '' : topic && storedTopic(topic);
    const channelId = found.stream_id;
    return { state: 'ready', narrow: chosen === undefined ? { channelId } : { channelId, topic: chosen }, at };
  }
  if (people === undefined) return none(words.noConversation);
  const userIds = new Set<number>();
  for (const person of people.split(',', MAX_PEOPLE).map((text) => text.trim())) {
    if (person === '') continue;
    const id = await userId(store, person);
    if (id === undefined) return none(words.personNotFound(person));
    if (id !== store.me.get()?.user_id) userIds.add(id);
  }
  return { state: 'ready', narrow: { userIds: [...userIds].sort((a, b) => a - b) }, at };
}

/** Digits are an ID, or else a name: what the page means by an ID must not depend on the names of channels. */
async function channelOf(store: ChatStore, channel: string) {
  for (const nameOrId of /^\d{1,15}$/.test(channel) ? [Number(channel), channel] : [channel]) {
    try {
      return await store.channels.lookUp(nameOrId);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }
  return undefined;
}

async function userId(store: ChatStore, person: string): Promise<number | undefined> {
  if (/^\d{1,15}$/.test(person)) return Number(person);
  const address = person.toLowerCase();
  const found = await store.people.search(person);
  return found.find(({ email, delivery_email }) =>
    [email, delivery_email].some((known) => known?.toLowerCase() === address),
  )?.user_id;
}

/** The server answered that there is no such thing, or that the account may not see it. */
const isRefusal = (error: unknown) => error instanceof Error && 'code' in error;
