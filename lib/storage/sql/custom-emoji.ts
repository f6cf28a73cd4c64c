import type { CustomEmoji, CustomEmojiStore, EmojiImage } from '../interface/custom-emoji.ts';
import type { Connection, SqlValue } from './connection.ts';

type EmojiRow = Omit<CustomEmoji, 'deactivated'> & { deactivated: number };

export class SqlCustomEmoji implements CustomEmojiStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

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
    const row = await this.#connection.get<{ id: number }>(
      `INSERT INTO custom_emoji (name, author_id, source_url, still_url, deactivated) VALUES (?, ?, ?, ?, 0)
       ON CONFLICT (name) WHERE deactivated = 0 DO NOTHING RETURNING id`,
      [emoji.name, emoji.author_id, emoji.source_url, emoji.still_url],
    );
    return row?.id;
  }

  async deactivate(id: number): Promise<void> {
    await this.#connection.run('UPDATE custom_emoji SET deactivated = 1 WHERE id = ?', [id]);
  }

  async count(): Promise<number> {
    const row = await this.#connection.get<{ count: number }>('SELECT COUNT(*) AS count FROM custom_emoji');
    return row?.count ?? 0;
  }

  async addImage({ file_name, content_type, bytes }: EmojiImage): Promise<void> {
    await this.#connection.run('INSERT INTO emoji_images (file_name, content_type, bytes) VALUES (?, ?, ?)', [
      file_name,
      content_type,
      Buffer.from(bytes),
    ]);
  }

  async image(fileName: string): Promise<EmojiImage | undefined> {
    return this.#connection.get<EmojiImage>(
      'SELECT file_name, content_type, bytes FROM emoji_images WHERE file_name = ?',
      [fileName],
    );
  }

  async #select(condition: string, params: SqlValue[]): Promise<CustomEmoji[]> {
    const rows = await this.#connection.all<EmojiRow>(
      `SELECT id, name, author_id, source_url, still_url, deactivated FROM custom_emoji WHERE ${condition} ORDER BY id`,
      params,
    );
    return rows.map((row) => ({ ...row, deactivated: row.deactivated === 1 }));
  }
}
