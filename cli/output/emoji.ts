import { oneLine } from './sanitize.ts';

export interface Emoji {
  emoji_name: string;
  emoji_code: string;
  reaction_type: string;
}

/** An emoji for the terminal: the character, or `:name:` for a custom emoji. */
export function formatEmoji(emoji: Emoji): string {
  const { emoji_name, emoji_code, reaction_type } = emoji;
  const points = emoji_code.split('-').map((part) => Number.parseInt(part, 16));
  const isCharacter =
    reaction_type === 'unicode_emoji' &&
    /^[0-9a-f]{4,6}(-[0-9a-f]{4,6})*$/.test(emoji_code) &&
    points.every((point) => point <= 0x10ffff);
  if (!isCharacter) return `:${oneLine(emoji_name)}:`;
  const text = String.fromCodePoint(...points);
  // Terminals show hearts and similar characters as text without a variation selector.
  return oneLine(/^(?!\p{Emoji_Presentation})\p{Extended_Pictographic}$/u.test(text) ? `${text}\ufe0f` : text);
}
