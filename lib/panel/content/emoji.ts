/** The character of a Unicode emoji: of `1f389` it is 🎉. Codes are code points in hexadecimal, joined by `-`. */
export function emojiCharacter(code: string): string {
  const points = code.split('-').map((point) => Number.parseInt(point, 16));
  if (points.length > 12 || points.some((point) => !(point > 0x1f && point <= 0x10ffff))) return '';
  return points
    .map((point, index) => {
      const character = String.fromCodePoint(point);
      const isTextByDefault = /^(?=\p{Emoji})\P{Emoji_Presentation}$/u.test(character);
      const isFollowedByColor = /^\p{Emoji_Modifier}$/u.test(String.fromCodePoint(points[index + 1] ?? 0x20));
      // The variation selector asks for the picture. Codes leave it out.
      return isTextByDefault && !isFollowedByColor ? `${character}\ufe0f` : character;
    })
    .join('');
}
