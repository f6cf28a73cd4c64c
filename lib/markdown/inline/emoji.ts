import { canonicalName, codeOfCharacters, emojiByName } from '../emoji.ts';
import { escapeAttribute } from '../html.ts';
import { type InlineRule, replacing } from './rule.ts';

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
const ONE = '\\p{Emoji}(?:\\p{Emoji_Modifier}|\\ufe0f\\u20e3?|[\\u{e0020}-\\u{e007e}]+\\u{e007f})?';
const FLAG = '\\p{Regional_Indicator}{2}';
const CHARACTERS = new RegExp(`${FLAG}|${ONE}(?:\\u200d(?:${FLAG}|${ONE}))*`, 'gu');
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
