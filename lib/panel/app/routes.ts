/**
 * Views of the app and their addresses: the part of the URL after `#`. The form is that of Zulip's web app, so links in
 * messages work in both.
 */
import type { Narrow } from '../../client/store/types.ts';
import type { Destination } from '../context.ts';

/** Pages that are not lists of messages. */
const PAGES = {
  inbox: 'inbox',
  recent: 'recent',
  /** On phones: the links to all views. */
  menu: 'menu',
  settings: 'settings',
  people: 'people',
  drafts: 'drafts',
  'new-message': 'new-message',
  'channels/browse': 'browse-channels',
  'channels/new': 'new-channel',
} as const;

/** The nearest page, for the pages of Zulip's web app that have another name here, or none. By the first part. */
const NEAREST: ReadonlyMap<string, PageName> = new Map([
  ...['recent_topics', 'feed', 'all_messages'].map((name) => [name, 'recent'] as const),
  ['home', 'inbox'],
  ...['drafts', 'scheduled', 'reminders'].map((name) => [name, 'drafts'] as const),
  ['settings', 'settings'],
  ...['user', 'users', 'groups', 'invite'].map((name) => [name, 'people'] as const),
  ...['channels', 'streams'].map((name) => [name, 'browse-channels'] as const),
]);

export type PageName = (typeof PAGES)[keyof typeof PAGES];

/** A term of a search: `['sender', 9]`. */
export type SearchTerm = readonly [operator: string, operand: string | number | readonly number[]];

/** `near`: the message to place the reader at. */
export type Route =
  | { readonly view: PageName }
  /** `#user/9`: the list of people, with this profile above it. */
  | { readonly view: 'people'; readonly userId: number }
  /** `path`: the section, and the ID of what is open in it: `people/9`. */
  | { readonly view: 'administration'; readonly path: string }
  | { readonly view: 'channel'; readonly channelId: number; readonly near?: number; readonly toWrite?: true }
  | {
      readonly view: 'topic';
      readonly channelId: number;
      readonly topic: string;
      /** A message of the topic. If it was moved, the link leads to the topic that it is in now. */
      readonly with?: number;
      readonly near?: number;
      readonly toWrite?: true;
    }
  | { readonly view: 'direct'; readonly userIds: readonly number[]; readonly near?: number; readonly toWrite?: true }
  | { readonly view: 'mentions' | 'starred'; readonly near?: number }
  | { readonly view: 'search'; readonly terms: readonly SearchTerm[]; readonly near?: number };

export const INBOX: Route = { view: 'inbox' };

/** Addresses longer than this are not read. */
const MAX_FRAGMENT_LENGTH = 4000;

/** Operators and their older names. Others are searched for as they are. */
const CURRENT_NAMES: ReadonlyMap<string, string> = new Map([
  ['stream', 'channel'],
  ['subject', 'topic'],
  ['pm-with', 'dm'],
  ['from', 'sender'],
]);

const ESCAPED: Readonly<Record<string, string>> = { '%': '.', '.': '.2E', '(': '.28', ')': '.29' };

/** Zulip's encoding: like that of URLs, but with `.` for `%`. */
function encoded(text: string): string {
  const wellFormed = text.replace(/\p{Surrogate}/gu, '\ufffd');
  return encodeURIComponent(wellFormed).replace(/[%.()]/g, (character) => ESCAPED[character] ?? character);
}

/** @throws URIError if this is no encoding of a text */
const decoded = (text: string) => decodeURIComponent(text.replaceAll('.', '%'));

/** The ID, with the name for readers of the address. Spaces become dashes; only the ID counts. */
function channelSlug(id: number, name: string | undefined): string {
  return name === undefined ? String(id) : `${id}-${encoded(name.replaceAll(' ', '-'))}`;
}

/** What names appear in an address. They are decoration. */
export interface NamesOfRoutes {
  channel?(id: number): string | undefined;
}

/** The address of a view: with `#`, for `href`. */
export function fragmentOf(route: Route, names: NamesOfRoutes = {}): string {
  if ('userId' in route) return `#user/${route.userId}`;
  const page = Object.entries(PAGES).find(([, name]) => name === route.view);
  if (page) return `#${page[0]}`;
  if (route.view === 'administration') return `#organization/${route.path}`;
  const parts = termsOf(route).flatMap(([operator, operand]) => [
    encoded(operator),
    operandSlug(operator, operand, names),
  ]);
  if (route.view === 'topic' && route.with !== undefined) parts.push('with', String(route.with));
  if ('near' in route && route.near !== undefined) parts.push('near', String(route.near));
  return `#narrow/${parts.join('/')}`;
}

function operandSlug(operator: string, operand: SearchTerm[1], names: NamesOfRoutes): string {
  if (operator === 'channel' && typeof operand === 'number') return channelSlug(operand, names.channel?.(operand));
  if (typeof operand === 'object') return `${operand.join(',')}-dm`;
  return encoded(String(operand));
}

/** The terms that the messages of this view match. */
function termsOf(route: Route): readonly SearchTerm[] {
  switch (route.view) {
    case 'channel':
      return [['channel', route.channelId]];
    case 'topic':
      return [
        ['channel', route.channelId],
        ['topic', route.topic],
      ];
    case 'direct':
      return [['dm', route.userIds]];
    case 'mentions':
      return [['is', 'mentioned']];
    case 'starred':
      return [['is', 'starred']];
    case 'search':
      return route.terms;
    default:
      return [];
  }
}

/** The view with this address, with or without `#`. Undefined if there is none. */
export function routeOf(fragment: string): Route | undefined {
  const path = fragment.replace(/^#/, '');
  if (path === '') return INBOX;
  if (path.length > MAX_FRAGMENT_LENGTH) return undefined;
  const page = Object.hasOwn(PAGES, path) ? PAGES[path as keyof typeof PAGES] : undefined;
  if (page) return { view: page };
  const [first = '', ...rest] = path.split('/');
  if (first === 'organization') return { view: 'administration', path: rest.join('/') };
  const nearest = NEAREST.get(first);
  if (nearest) {
    const id = idIn(rest[0] ?? '');
    if (id !== undefined && first === 'user') return { view: 'people', userId: id };
    return id !== undefined && nearest === 'browse-channels' ? { view: 'channel', channelId: id } : { view: nearest };
  }
  if (first !== 'narrow' || rest.length === 0 || rest.length % 2 === 1) return undefined;
  try {
    return routeOfParts(rest);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function routeOfParts(parts: readonly string[]): Route | undefined {
  const terms: SearchTerm[] = [];
  for (let index = 0; index < parts.length; index += 2) {
    const [, minus = '', given = ''] = /^(-?)(.*)$/s.exec(decoded(parts[index] ?? '')) ?? [];
    const operator = CURRENT_NAMES.get(given) ?? given;
    const text = decoded(parts[index + 1] ?? '');
    const operand = operandOf(operator, text);
    if (operator === '' || operand === undefined) return undefined;
    terms.push([minus + operator, operand]);
  }
  return routeOfTerms(terms);
}

/** The ID at the start of `4-general`. */
function idIn(text: string): number | undefined {
  const digits = /^\d{1,15}(?=$|-)/.exec(text)?.[0];
  return digits === undefined ? undefined : Number(digits);
}

function operandOf(operator: string, text: string): SearchTerm[1] | undefined {
  if (operator === 'channel' || operator === 'sender') return idIn(text) ?? (text || undefined);
  if (operator === 'dm' || operator === 'dm-including') return userIdsIn(text);
  if (operator === 'id' || operator === 'near' || operator === 'with') return idIn(text);
  return operator === 'topic' ? text : text || undefined;
}

/** The user IDs in `9,10-dm`, ascending, each once. */
function userIdsIn(text: string): readonly number[] | undefined {
  const list = text.split('-', 1)[0] ?? '';
  if (list === '') return text.startsWith('-') ? [] : undefined;
  const parts = list.split(',');
  const ids = parts.map(idIn).filter((id) => id !== undefined);
  return ids.length < parts.length ? undefined : [...new Set(ids)].sort((a, b) => a - b);
}

/** The view of these terms. `near` is a position in it, and `with` is one in a conversation. */
export function routeOfTerms(given: readonly SearchTerm[]): Route | undefined {
  const positionOf = (name: string) => given.find(([operator]) => operator === name)?.[1] as number | undefined;
  const [near, id] = [positionOf('near'), positionOf('with')];
  const terms = given.filter(([operator]) => operator !== 'near');
  const place = narrowRoute(terms.filter(([operator]) => operator !== 'with'));
  const isSearch = place === undefined || place.view === 'search';
  if (isSearch && near === undefined && terms.length === 0) return undefined;
  const route: Route = isSearch ? { view: 'search', terms } : place;
  const at = near === undefined ? {} : { near };
  return { ...route, ...at, ...(route.view === 'topic' && id !== undefined && { with: id }) };
}

function narrowRoute(terms: readonly SearchTerm[]): Route | undefined {
  const [first, second, ...more] = terms;
  if (!first) return undefined;
  const [operator, operand] = first;
  if (!second) {
    if (operator === 'channel' && typeof operand === 'number') return { view: 'channel', channelId: operand };
    if (operator === 'dm' && typeof operand === 'object') return { view: 'direct', userIds: operand };
    if (operator === 'is' && operand === 'mentioned') return { view: 'mentions' };
    if (operator === 'is' && operand === 'starred') return { view: 'starred' };
  }
  if (second?.[0] === 'topic' && more.length === 0 && operator === 'channel' && typeof operand === 'number') {
    return { view: 'topic', channelId: operand, topic: String(second[1]) };
  }
  return { view: 'search', terms };
}

/** The messages of this view. Undefined for pages. */
export function narrowOf(route: Route): Narrow | undefined {
  switch (route.view) {
    case 'channel':
      return { channelId: route.channelId };
    case 'topic':
      return { channelId: route.channelId, topic: route.topic };
    case 'direct':
      return { userIds: route.userIds };
    case 'mentions':
    case 'starred':
      return { view: route.view };
    case 'search':
      return { search: route.terms };
    default:
      return undefined;
  }
}

/** Without the message that the link leads to. */
export function withoutPlace(route: Route): Route {
  const { near: _near, with: _with, ...rest } = route as Extract<Route, { view: 'topic' }>;
  return rest as Route;
}

/** Where a part of the panel leads to. Undefined for an unknown page. */
export function routeFor(to: Destination): Route | undefined {
  if ('page' in to) {
    if (to.page === 'channels')
      return to.id === undefined ? { view: 'browse-channels' } : { view: 'channel', channelId: to.id };
    return routeOf(to.page);
  }
  const { narrow, at, with: id, toWrite } = to;
  const place = { ...(typeof at === 'number' && { near: at }), ...(toWrite && { toWrite }) };
  if ('topic' in narrow)
    return {
      view: 'topic',
      channelId: narrow.channelId,
      topic: narrow.topic,
      ...place,
      ...(id !== undefined && { with: id }),
    };
  if ('channelId' in narrow) return { view: 'channel', channelId: narrow.channelId, ...place };
  if ('userIds' in narrow) return { view: 'direct', userIds: narrow.userIds, ...place };
  if ('search' in narrow) return { view: 'search', terms: narrow.search, ...place };
  return narrow.view === 'all' ? INBOX : { view: narrow.view, ...place };
}

/** Links to a direct conversation may list the reader as a participant. */
export function withoutOwnId(route: Route, me: number | undefined): Route {
  if (route.view !== 'direct' || me === undefined || !route.userIds.includes(me)) return route;
  return { ...route, userIds: route.userIds.filter((id) => id !== me) };
}

/** Where a link to messages leads. Undefined if it is not valid. */
export function destinationOf(fragment: string, me: number | undefined): Destination | undefined {
  const route = routeOf(fragment);
  const narrow = route && narrowOf(withoutOwnId(route, me));
  if (!narrow) return undefined;
  const near = 'near' in route ? route.near : undefined;
  const id = 'with' in route ? route.with : undefined;
  return { narrow, ...(near !== undefined && { at: near }), ...(id !== undefined && { with: id }) };
}
