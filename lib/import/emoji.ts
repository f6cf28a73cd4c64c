import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { EmojiPicture } from '../adapters/images.ts';
import { ChatError } from '../base/errors.ts';
import { present } from '../base/present.ts';
import { storePicture } from '../domains/organization/custom-emoji/custom-emoji.ts';
import { SHORT_NAMES } from '../markdown/data/short-names.ts';
import { canonicalName, emojiByName } from '../markdown/inline/emoji.ts';
import type { Reaction } from '../storage/interface/messages.ts';
import type { AccountContext } from '../viewer/context.ts';
import { type ImportRun, knownAmong, storedKey } from './run.ts';
import type { ImportedEmoji } from './source.ts';

const MAX_NAME = 100;

let shortNames: Map<string, string> | undefined;

/** The code of an emoji by its name in other chats. Reads the table when an import needs it. */
function codeOfShortName(name: string): string | undefined {
  shortNames ??= new Map(
    SHORT_NAMES.trim()
      .split('\n')
      .flatMap((line) => {
        const [code = '', ...names] = line.split(' ');
        return names.map((each): [string, string] => [each, code]);
      }),
  );
  return shortNames.get(name);
}

/** Scales pictures outside of the transaction, which may run again. */
export async function importEmoji(run: ImportRun, given: readonly ImportedEmoji[]): Promise<void> {
  const known = await run.read((context) =>
    knownAmong(
      context,
      given.map(({ key }) => ['emoji', key]),
    ),
  );
  for (const emoji of given) {
    const name = emojiName(emoji.name);
    if (known.id('emoji', emoji.key) !== undefined) run.count({ present: { emoji: 1 } });
    else if (name === '') run.reject(`emoji ${emoji.name}`, 'The name has no letter or digit.');
    else if (run.options.dryRun) {
      run.count({ imported: { emoji: 1 } });
      run.plannedEmoji.add(name);
    } else await addEmoji(run, emoji, name);
  }
}

export const emojiName = (given: string) =>
  given
    .toLowerCase()
    .replace(/[^0-9a-z_-]+/g, '_')
    .slice(0, MAX_NAME)
    .replace(/[_-]+$/, '');

async function addEmoji(run: ImportRun, emoji: ImportedEmoji, name: string): Promise<void> {
  let picture: EmojiPicture;
  try {
    picture = await run.engine.options.images.emoji(new Uint8Array(await buffer(emoji.image())));
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    return run.reject(`emoji ${emoji.name}`, error.message);
  }
  const token = randomBytes(16).toString('hex');
  const isNew = await run.write(async ({ tx }) => {
    const existing = await tx.customEmoji.byName(name);
    const create = async () =>
      tx.customEmoji.create({ name, author_id: null, ...(await storePicture({ tx }, token, picture)) });
    const record_id = existing?.id ?? present(await create());
    await tx.imports.add([{ key: storedKey('emoji', emoji.key), record_id }]);
    return !existing;
  });
  if (isNew) return run.count({ imported: { emoji: 1 } });
  run.count({ conflicts: [`The custom emoji "${name}" exists. Reactions use its picture.`] });
}

type Emoji = Pick<Reaction, 'reaction_type' | 'emoji_code' | 'emoji_name'>;

/** Finds the emoji of reactions by their names in other chats. */
export async function emojiFinder(
  { tx }: AccountContext,
  isNeeded: boolean,
): Promise<(name: string) => Emoji | undefined> {
  const custom = new Map(
    (isNeeded ? await tx.customEmoji.all() : [])
      .filter((emoji) => !emoji.deactivated)
      .map((emoji) => [emoji.name, emoji]),
  );
  return (given) => {
    // Skin tones follow the name: `+1::skin-tone-2`.
    const name = given.replace(/::?skin-tone-\d:?$/, '').replaceAll(':', '');
    const own = custom.get(emojiName(name));
    if (own) return { reaction_type: 'realm_emoji', emoji_code: String(own.id), emoji_name: own.name };
    if (name === 'zulip') return { reaction_type: 'zulip_extra_emoji', emoji_code: name, emoji_name: name };
    const code = emojiByName(name) ?? codeOfShortName(name) ?? emojiByName(name.replaceAll('-', '_'));
    const emoji_name = code === undefined ? undefined : emojiByName(name) === code ? name : canonicalName(code);
    if (code === undefined || emoji_name === undefined) return undefined;
    return { reaction_type: 'unicode_emoji', emoji_code: code, emoji_name };
  };
}

/** Replaces names of emoji by those of the chat, except in code. */
export function withOwnEmoji(content: string): string {
  if (!content.includes(':')) return content;
  return content
    .split(/(```[\s\S]*?```|`[^`\n]*`)/)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replace(/:([a-z0-9_+'-]{1,60}):(?::skin-tone-\d:)?/g, (whole, name: string) => {
            if (emojiByName(name) !== undefined) return `:${name}:`;
            const code = codeOfShortName(name);
            return code === undefined ? whole : `:${canonicalName(code)}:`;
          }),
    )
    .join('');
}
