import type { AvatarImage, AvatarStore } from '../interface/avatars.ts';
import { SqlStore } from './connection.ts';
import { record } from './record.ts';

const IMAGE = record<AvatarImage>({ file_name: 'text', user_id: 'integer', bytes: 'bytes' });

const ADD = `INSERT INTO avatar_images (${IMAGE.columns}) VALUES (${IMAGE.places})`;
const REMOVE = 'DELETE FROM avatar_images WHERE user_id = ?';
const BY_NAME = `SELECT ${IMAGE.columns} FROM avatar_images WHERE file_name = ?`;

export class SqlAvatars extends SqlStore implements AvatarStore {
  async replace(userId: number, images: readonly Omit<AvatarImage, 'user_id'>[]): Promise<void> {
    await this.connection.run(REMOVE, [userId]);
    for (const image of images) await this.connection.run(ADD, IMAGE.values({ ...image, user_id: userId }));
  }

  async image(fileName: string): Promise<AvatarImage | undefined> {
    return this.connection.one(IMAGE, BY_NAME, [fileName]);
  }
}
