import type { EmojiTable } from './types.ts';

/** All emoji of a server, in its file of emoji data. */
export async function fetchEmoji(url: string): Promise<EmojiTable> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} answers with status ${answer.status}.`);
  const { code_to_names } = (await answer.json()) as { code_to_names: Record<string, string[]> };
  const names = new Map(Object.entries(code_to_names));
  const codes = new Map<string, string>();
  for (const [code, given] of names) for (const name of given) codes.set(name, code);
  return { names, codes };
}

/** The characters of an emoji, from its code: `1f1e9-1f1ea`. */
export const emojiCharacter = (code: string) =>
  String.fromCodePoint(...code.split('-').map((part) => Number.parseInt(part, 16)));
