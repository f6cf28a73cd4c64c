import type { CustomEmoji, CustomEmojiStore, EmojiImage, Reaction, ReactionStore } from '../interface/emoji.ts';
import { record } from './record.ts';
import { after, count, type Queries, run } from './store.ts';

const EMOJI = record<CustomEmoji>({
  id: 'integer',
  name: 'text',
  author_id: 'integer',
  source_url: 'text',
  still_url: 'text',
  deactivated: 'boolean',
});
const NEW_EMOJI = EMOJI.without('id', 'deactivated');
const IMAGE = record<EmojiImage>({ file_name: 'text', content_type: 'text', bytes: 'bytes' });

const select = (condition: string) => `SELECT ${EMOJI.columns} FROM custom_emoji WHERE ${condition} ORDER BY id`;
const INSERT = `
  INSERT INTO custom_emoji (${NEW_EMOJI.columns}, deactivated) VALUES (${NEW_EMOJI.places}, 0)
  ON CONFLICT (name) WHERE deactivated = 0 DO NOTHING RETURNING id`;

export const customEmoji: Queries<CustomEmojiStore> = {
  all: EMOJI.many(select('true')),
  byId: EMOJI.one(select('id = ?')),
  byName: EMOJI.one(select('name = ? AND deactivated = 0')),
  create: (connection, emoji) => connection.value(INSERT, NEW_EMOJI.values(emoji)),
  deactivate: run('UPDATE custom_emoji SET deactivated = 1 WHERE id = ?'),
  count: count('SELECT COUNT(*) AS count FROM custom_emoji'),
  image: IMAGE.one(`SELECT ${IMAGE.columns} FROM emoji_images WHERE file_name = ?`),
  addImage: after(IMAGE.write(`INSERT INTO emoji_images (${IMAGE.columns}) VALUES (${IMAGE.places})`), () => undefined),
};

const REACTION = record<Reaction>({
  message_id: 'integer',
  user_id: 'integer',
  reaction_type: 'text',
  emoji_code: 'text',
  emoji_name: 'text',
});
const KEY = REACTION.without('emoji_name');

export const reactions: Queries<ReactionStore> = {
  of: REACTION.many(`SELECT ${REACTION.columns} FROM reactions WHERE message_id IN_IDS(?) ORDER BY id`),
  add: after(
    REACTION.write(`
      INSERT INTO reactions (${REACTION.columns}) VALUES (${REACTION.places}) ON CONFLICT (${KEY.columns}) DO NOTHING`),
    (added) => (added > 0 ? ('added' as const) : ('exists' as const)),
  ),
  remove: after(
    KEY.write('DELETE FROM reactions WHERE message_id = ? AND user_id = ? AND reaction_type = ? AND emoji_code = ?'),
    (removed) => removed > 0,
  ),
};
