import { isRecord } from '../base/keys.ts';
import type { User } from '../model/users.ts';
import { PLACEHOLDER_DOMAIN } from './names.ts';

/* Of an erased account, its ID stays, and texts of other users without its name. */

export const erasedName = (userId: number) => `Deleted user ${userId}`;
export const erasedAddress = (userId: number) => `erased-${userId}@${PLACEHOLDER_DOMAIN}`;
export const isErased = ({ id, delivery_email }: Pick<User, 'id' | 'delivery_email'>) =>
  delivery_email === erasedAddress(id);

/** The account that is erased, with the name and address that it had. */
export interface ErasedPerson {
  id: number;
  name: string;
  address: string;
}

/** Parts of texts that may name the person: in Markdown with and without the ID, and in HTML. */
export const marksOf = ({ id, name }: ErasedPerson) => ({
  byId: `|${id}**`,
  byName: `**${name}**`,
  html: `data-user-id="${id}"`,
});

/** Markdown or HTML with the new name in mentions of the person. Other words stay as their author typed them. */
function withoutMentions(text: string, { id }: Pick<ErasedPerson, 'id'>, names: readonly string[] = []): string {
  const forms = [`[^*|\\n]*\\|${id}`, ...names.map(escaped)];
  const inMarkdown = new RegExp(`(@_?\\*\\*)(?:${forms.join('|')})(?=\\*\\*)`, 'g');
  const inHtml = new RegExp(`(<span class="user-mention(?: silent)?" data-user-id="${id}">@?)[^<]*`, 'g');
  return text
    .replace(inMarkdown, (_, opening: string) => `${opening}${erasedName(id)}|${id}`)
    .replace(inHtml, (_, opening: string) => opening + erasedName(id));
}

/** `withoutMentions` for a text and its HTML. The HTML shows the names by which the text mentions the person. */
export function textsWithoutMentions(
  texts: StoredTexts,
  person: ErasedPerson,
  alsoNamed: readonly string[] = [],
): StoredTexts {
  const spans = texts.html.matchAll(
    new RegExp(`<span class="user-mention[^>]* data-user-id="${person.id}">@?([^<]*)`, 'g'),
  );
  const names = [...spans].map(([, name = '']) => name.replaceAll('&amp;', '&'));
  return {
    text: withoutMentions(texts.text, person, [...alsoNamed, ...names]),
    html: withoutMentions(texts.html, person),
  };
}

/** A Markdown text and its HTML. */
export interface StoredTexts {
  text: string;
  html: string;
}

/** A Markdown text of the person without name, address and links to uploaded files. */
export function anonymized(text: string, person: ErasedPerson): string {
  return withoutMentions(withoutAddress(text, person), person, [person.name])
    .replace(/!?\[[^\]\n]*\]\([^()\s]*\/user_uploads\/[^()\s]*\)/g, '(deleted file)')
    .replace(wholeWords(person.name), () => erasedName(person.id));
}

const withoutAddress = (text: string, { id, address }: ErasedPerson) =>
  text.replace(new RegExp(escaped(address), 'gi'), () => erasedAddress(id));

/** Finds the text where no letter or digit continues it. */
export const wholeWords = (text: string) => new RegExp(`(?<![\\p{L}\\p{N}])${escaped(text)}(?![\\p{L}\\p{N}])`, 'giu');

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Fields with texts about an account, in the object of the account. */
const FIELDS_OF_PERSON: Readonly<Record<string, (id: number, value: unknown) => unknown>> = {
  full_name: erasedName,
  sender_full_name: erasedName,
  status_text: () => '',
  timezone: () => '',
  profile_data: () => ({}),
  custom_profile_field: (_, field) => ({ id: (field as { id: number }).id, value: null }),
};
/** The address of a Gravatar avatar is a digest of the e-mail address. */
const isGravatar = (value: unknown) => typeof value === 'string' && /^https:\/\/[^/]*gravatar\.com\//.test(value);

/** Texts that clients need to read an event, and that are never about a person. */
const KEPT_TEXTS = new Set(['type', 'op', 'property', 'operation', 'flag', 'message_type', 'reaction_type']);

type Json = Record<string, unknown>;

/**
 * An event of the log without the texts of the person. Keeps IDs and everything by which clients find the record.
 * @param options `isPrivate`: only the person gets the event. `texts`: the messages of the person lose their texts, too
 */
export function eventWithout(event: Json, person: ErasedPerson, options: { isPrivate: boolean; texts: boolean }): Json {
  // Guests who can no longer see a user get the event, with a placeholder instead of the name.
  if (event.type === 'realm_user' && event.op === 'remove') return event;
  return (options.isPrivate ? withoutTexts(event) : cleaned(event, person, options)) as Json;
}

function withoutTexts(value: unknown, field = ''): unknown {
  if (typeof value === 'string') return KEPT_TEXTS.has(field) ? value : '';
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item, field));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutTexts(item, name)]));
}

function cleaned(value: unknown, person: ErasedPerson, options: { texts: boolean }): unknown {
  if (typeof value === 'string') return withoutAddress(withoutMentions(value, person, [person.name]), person);
  if (Array.isArray(value)) return value.map((item) => cleaned(item, person, options));
  if (!isRecord(value)) return value;
  const isAccount =
    [value.user_id, value.sender_id].includes(person.id) || (value.id === person.id && 'email' in value);
  const isOwnText = options.texts && value.sender_id === person.id;
  const fields = Object.entries(value).map(([name, item]): [string, unknown] => {
    const replace = isAccount ? FIELDS_OF_PERSON[name] : undefined;
    if (replace) return [name, replace(person.id, item)];
    if (isAccount && isGravatar(item)) return [name, ''];
    if (isOwnText && ['content', 'rendered_content'].includes(name)) return [name, ''];
    return [name, cleaned(item, person, options)];
  });
  return Object.fromEntries(fields);
}
