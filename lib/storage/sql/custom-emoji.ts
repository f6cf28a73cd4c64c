import type { CustomEmoji, CustomEmojiStore, EmojiImage } from '../interface/custom-emoji.ts';
import { SqlStore, type SqlValue } from './connection.ts';
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

const INSERT = `
  INSERT INTO custom_emoji (${NEW_EMOJI.columns}, deactivated) VALUES (${NEW_EMOJI.places}, 0)
  ON CONFLICT (name) WHERE deactivated = 0 DO NOTHING RETURNING id`;
const DEACTIVATE = 'UPDATE custom_emoji SET deactivated = 1 WHERE id = ?';
const COUNT = 'SELECT COUNT(*) AS count FROM custom_emoji';
const ADD_IMAGE = `INSERT INTO emoji_images (${IMAGE.columns}) VALUES (${IMAGE.places})`;
const IMAGE_BY_NAME = `SELECT ${IMAGE.columns} FROM emoji_images WHERE file_name = ?`;

export class SqlCustomEmoji extends SqlStore implements CustomEmojiStore {
  async all(): Promise<CustomEmoji[]> {
    return this.#select('true', []);
  }

  async byId(id: number): Promise<CustomEmoji | undefined> {
    return (await this.#select('id = ?', [id]))[0];
  }

  async byName(name: string): Promise<CustomEmoji | undefined> {
    return (await this.#select('name = ? AND deactivated = 0', [name]))[0];
  }

  async create(emoji: Omit<CustomEmoji, 'id' | 'deactivated'>): Promise<number | undefined> {
    const row = await this.connection.get<{ id: number }>(INSERT, NEW_EMOJI.values(emoji));
    return row?.id;
  }

  async deactivate(id: number): Promise<void> {
    await this.connection.run(DEACTIVATE, [id]);
  }

  async count(): Promise<number> {
    return (await this.connection.value(COUNT)) ?? 0;
  }

  async addImage(image: EmojiImage): Promise<void> {
    await this.connection.run(ADD_IMAGE, IMAGE.values(image));
  }

  async image(fileName: string): Promise<EmojiImage | undefined> {
    return this.connection.one(IMAGE, IMAGE_BY_NAME, [fileName]);
  }

  async #select(condition: string, params: SqlValue[]): Promise<CustomEmoji[]> {
    const text = `SELECT ${EMOJI.columns} FROM custom_emoji WHERE ${condition} ORDER BY id`;
    return this.connection.many(EMOJI, text, params);
  }
}
