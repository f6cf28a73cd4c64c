import type { CustomEmoji, CustomEmojiStore, EmojiImage, Reaction, ReactionStore } from '../interface/emoji.ts';
import { SqlStore } from './connection.ts';
import { record } from './record.ts';

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
const ALL = select('true');
const BY_ID = select('id = ?');
const BY_NAME = select('name = ? AND deactivated = 0');
const INSERT_EMOJI = `
  INSERT INTO custom_emoji (${NEW_EMOJI.columns}, deactivated) VALUES (${NEW_EMOJI.places}, 0)
  ON CONFLICT (name) WHERE deactivated = 0 DO NOTHING RETURNING id`;
const DEACTIVATE = 'UPDATE custom_emoji SET deactivated = 1 WHERE id = ?';
const COUNT_EMOJI = 'SELECT COUNT(*) AS count FROM custom_emoji';
const ADD_IMAGE = `INSERT INTO emoji_images (${IMAGE.columns}) VALUES (${IMAGE.places})`;
const IMAGE_BY_NAME = `SELECT ${IMAGE.columns} FROM emoji_images WHERE file_name = ?`;

export class SqlCustomEmoji extends SqlStore implements CustomEmojiStore {
  readonly all = this.statement.many(EMOJI, ALL);
  readonly byId = this.statement.one(EMOJI, BY_ID);
  readonly byName = this.statement.one(EMOJI, BY_NAME);
  readonly deactivate = this.statement.run(DEACTIVATE);
  readonly count = this.statement.count(COUNT_EMOJI);
  readonly image = this.statement.one(IMAGE, IMAGE_BY_NAME);

  async create(emoji: Omit<CustomEmoji, 'id' | 'deactivated'>): Promise<number | undefined> {
    return this.connection.value(INSERT_EMOJI, NEW_EMOJI.values(emoji));
  }

  async addImage(image: EmojiImage): Promise<void> {
    await this.connection.run(ADD_IMAGE, IMAGE.values(image));
  }
}

const REACTION = record<Reaction>({
  message_id: 'integer',
  user_id: 'integer',
  reaction_type: 'text',
  emoji_code: 'text',
  emoji_name: 'text',
});
const REACTION_KEY = REACTION.without('emoji_name');

const ADD_REACTION = `
  INSERT INTO reactions (${REACTION.columns}) VALUES (${REACTION.places}) ON CONFLICT (${REACTION_KEY.columns}) DO NOTHING`;
const REMOVE_REACTION =
  'DELETE FROM reactions WHERE message_id = ? AND user_id = ? AND reaction_type = ? AND emoji_code = ?';
const OF_MESSAGES = `SELECT ${REACTION.columns} FROM reactions WHERE message_id IN_IDS(?) ORDER BY id`;

export class SqlReactions extends SqlStore implements ReactionStore {
  readonly of = this.statement.manyOf(REACTION, OF_MESSAGES);

  async add(reaction: Reaction): Promise<'added' | 'exists'> {
    const added = await this.connection.run(ADD_REACTION, REACTION.values(reaction));
    return added > 0 ? 'added' : 'exists';
  }

  async remove(reaction: Omit<Reaction, 'emoji_name'>): Promise<boolean> {
    return (await this.connection.run(REMOVE_REACTION, REACTION_KEY.values(reaction))) > 0;
  }
}
