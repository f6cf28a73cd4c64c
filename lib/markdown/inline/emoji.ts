import { createHash } from 'node:crypto';
import { EMOJI } from '../data/emoji.ts';
import { escapeAttribute } from '../html.ts';
import { type InlineRule, replacing } from './rule.ts';

const names = new Map<string, readonly string[]>();
const codes = new Map<string, string>();
for (const line of EMOJI.trim().split('\n')) {
  const [code = '', ...own] = line.split(' ');
  names.set(code, own);
  for (const name of own) codes.set(name, code);
}

/** The code of a Unicode emoji by its canonical name or an alias: `smile` is `1f642`. */
export function emojiByName(name: string): string | undefined {
  return codes.get(name);
}

/** Every name of a code, the canonical one first; empty when there is no such emoji. */
export function namesOfCode(code: string): readonly string[] {
  return names.get(code) ?? [];
}

/** The name that is shown where only a code is known. */
export function canonicalName(code: string): string | undefined {
  return names.get(code)?.[0];
}

/** The code of an emoji that is written as the character itself. */
function codeOfCharacters(characters: string): string {
  return [...characters.replaceAll('\ufe0f', '')]
    .map((character) => (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0'))
    .join('-');
}

/** The first name of an emoji given as the character itself or by another name: "🎉" is `tada`. */
export function emojiNameOf(emoji: string): string | undefined {
  return canonicalName(emojiByName(emoji) ?? codeOfCharacters(emoji));
}

let data: { json: Buffer; version: string } | undefined;

/** The names of all emoji by code, as clients of the API fetch them. `version` changes with the content. */
export function emojiData(): { json: Buffer; version: string } {
  if (!data) {
    // Not an object: it would put codes such as 2600 first.
    const entries = [...names].map(([code, own]) => `${JSON.stringify(code)}:${JSON.stringify(own)}`);
    const json = Buffer.from(`{"code_to_names":{${entries.join(',')}}}\n`);
    data = { json, version: createHash('sha256').update(json).digest('hex').slice(0, 12) };
  }
  return data;
}

/** The one picture every organization has. */
const ZULIP_IMAGE = '/static/generated/emoji/images/emoji/unicode/zulip.png';

const EMOTICONS: Readonly<Record<string, string>> = {
  ':)': 'smile',
  '(:': 'smile',
  ':(': 'frown',
  '<3': 'heart',
  ':|': 'neutral',
  ':/': 'confused',
  ';)': 'wink',
  ':D': 'grinning',
  ':o': 'open_mouth',
  ':O': 'open_mouth',
  ':p': 'stuck_out_tongue',
  ':P': 'stuck_out_tongue',
};
const EMOTICON = /(?<![^,.;?!()[\] "'\n\t])(?::[)(|/DoOpP]|\(:|;\)|<3)(?![^,.;?!()[\] "'\n\t])/g;

/** Emoji as characters: with a joiner, a skin colour or a flag they are one. */
const ONE_EMOJI = '\\p{Emoji}(?:\\p{Emoji_Modifier}|\\ufe0f\\u20e3?|[\\u{e0020}-\\u{e007e}]+\\u{e007f})?';
const FLAG = '\\p{Regional_Indicator}{2}';
const CHARACTERS = new RegExp(`${FLAG}|${ONE_EMOJI}(?:\\u200d(?:${FLAG}|${ONE_EMOJI}))*`, 'gu');
/** Digits, arrows and signs that are letters unless a selector makes them pictures. */
const TEXT_BY_DEFAULT = /^\P{Emoji_Presentation}\u20e3?$/u;

/** `:name:`; custom emoji go before Unicode ones of the same name. */
export const emojiNames = replacing(':', /:([\p{L}\p{N}_+-]+):/gu, ({ state }, _whole, name = '') => {
  const image = state.data.customEmoji?.get(name) ?? (name === 'zulip' ? ZULIP_IMAGE : undefined);
  return image === undefined ? unicodeEmoji(emojiByName(name), name) : customEmoji(image, name);
});

/** `:)` and its like, for senders who want it, between spaces or punctuation. */
export const emoticons: InlineRule = {
  ...replacing('', EMOTICON, (_context, emoticon) => {
    const name = EMOTICONS[emoticon] ?? '';
    return unicodeEmoji(emojiByName(name), name);
  }),
  applies: (_text, state) => state.options.translateEmoticons === true,
};

/** Emoji that were typed as characters. */
export const emojiCharacters = replacing(/[^\u0000-\u00a8]/, CHARACTERS, (_context, characters) => {
  if (TEXT_BY_DEFAULT.test(characters)) return undefined;
  const code = codeOfCharacters(characters);
  return unicodeEmoji(code, canonicalName(code));
});

function unicodeEmoji(code: string | undefined, name: string | undefined): string | undefined {
  if (code === undefined || name === undefined) return undefined;
  const title = name.replaceAll('_', ' ');
  return `<span aria-label="${title}" class="emoji emoji-${code}" role="img" title="${title}">:${name}:</span>`;
}

function customEmoji(image: string, name: string): string {
  const title = escapeAttribute(name.replaceAll('_', ' '));
  return `<img alt=":${escapeAttribute(name)}:" class="emoji" src="${escapeAttribute(image)}" title="${title}">`;
}
