import type { Linkifier, Organization, Playground, ProfileField, Versions } from '../../model/organization.ts';
import type {
  CustomEmoji,
  CustomEmojiStore,
  OrderedListStore,
  OrganizationPictureStore,
  OrganizationStore,
  PlaygroundStore,
  StoredImage,
} from '../interface/organization.ts';
import { StorageError } from '../storage-error.ts';
import type { Connection } from './connection.ts';
import { checkNotMoved } from './move-marks.ts';
import { type RecordMapping, record } from './record.ts';
import { after, changes, count, keyed, type Queries, type Query, run } from './store.ts';

const ORGANIZATION = record<Omit<Organization, 'linkifiers' | 'profile_fields' | 'site_path'>>({
  version: 'integer',
  users_version: 'integer',
  name: 'text',
  description: 'text',
  host: 'text',
  created_ms: 'integer',
  secret: 'text',
  uuid: 'text',
  settings: 'json',
  web_push_generation: 'integer',
});
const NEW_ORGANIZATION = ORGANIZATION.without('version', 'users_version', 'web_push_generation');
/** `required_schema` is read with them, so that noticing a migration of another process costs no statement. */
const VERSIONS = record<Versions & { required_schema: number }>({
  version: 'integer',
  users_version: 'integer',
  channels_version: { column: 'places_version' },
  readers_version: 'integer',
  push_version: 'integer',
  required_schema: 'integer',
});

const GET_ORGANIZATION = `SELECT ${ORGANIZATION.columns} FROM organization WHERE id = 1`;
const GET_VERSIONS = `SELECT ${VERSIONS.columns} FROM organization WHERE id = 1`;
const INSERT_ORGANIZATION = `
  INSERT INTO organization (id, version, users_version, required_schema, ${NEW_ORGANIZATION.columns})
  VALUES (1, 1, 1, (SELECT MAX(version) FROM migrations), ${NEW_ORGANIZATION.places})`;

/** The column of each version that caches compare; that of channels has its old name. */
const VERSION_COLUMNS = {
  organization: 'version',
  channels: 'places_version',
  readers: 'readers_version',
  push: 'push_version',
};

/** Call it with every change of data that the version counts. */
export async function raiseVersion(connection: Connection, of: keyof typeof VERSION_COLUMNS): Promise<void> {
  const column = VERSION_COLUMNS[of];
  await connection.run(`UPDATE organization SET ${column} = ${column} + 1 WHERE id = 1`);
}

/** A change of data that the version counts, which it raises unless nothing has changed. */
export function raising<P extends unknown[], R>(of: keyof typeof VERSION_COLUMNS, query: Query<P, R>): Query<P, R> {
  return after(query, async (result, connection) => {
    if (result !== 0 && result !== false) await raiseVersion(connection, of);
    return result;
  });
}

export const organization: Queries<OrganizationStore> = {
  async get(connection) {
    const organization = await connection.one(ORGANIZATION, GET_ORGANIZATION);
    if (!organization) return undefined;
    return {
      ...organization,
      linkifiers: await linkifiers.all(connection),
      profile_fields: await profileFields.all(connection),
    };
  },

  async versions(connection, answered) {
    const load = async () => connection.one(VERSIONS, GET_VERSIONS);
    const { foresee } = connection;
    const versions = await (foresee?.(load, answered) ?? load());
    if (!foresee) answered?.();
    if (versions) connection.keptWords?.check(versions.users_version);
    const [required, known] = [versions?.required_schema ?? 0, connection.knownSchema];
    if (required <= known) return versions;
    await checkNotMoved(connection, required);
    throw new StorageError(
      `A newer version of Parlance has migrated the database (schema ${required}, this process knows ${known}). Restart this process with the newer version.`,
      'outdated',
    );
  },

  async create(connection, fields) {
    await connection.run(INSERT_ORGANIZATION, NEW_ORGANIZATION.values(fields));
    // Another process may have migrated the database while it held none.
    await organization.versions(connection);
  },

  async update(connection, patch) {
    const { text, params } = ORGANIZATION.assignments(patch);
    await connection.run(`UPDATE organization SET ${text}${text && ', '}version = version + 1 WHERE id = 1`, params, {
      once: true,
    });
  },
};

/** The changes of an ordered list. */
export function orderedList<T extends { id: number }>(table: string, mapping: RecordMapping<T>) {
  const created = mapping.without('id');
  return {
    create: async (connection: Connection, entry: Omit<T, 'id'>) =>
      connection.insert(
        `INSERT INTO ${table} (${created.columns}, position)
         VALUES (${created.places}, (SELECT COALESCE(MAX(position), 0) + 1 FROM ${table})) RETURNING id`,
        created.values(entry),
      ),
    update: created.update(table),
    reorder: keyed(
      (ids: readonly number[]) => ids.map((id, at) => [id, at + 1]),
      run(`UPDATE ${table} SET position = p.b FROM PAIRS(?) AS p WHERE ${table}.id = p.a`),
    ),
  };
}

/** The methods of an ordered list that is part of the organization's record: every change raises its version. */
function ownList<T extends { id: number }>(table: string, mapping: RecordMapping<T>) {
  const { create, update, reorder } = orderedList(table, mapping);
  return {
    all: mapping.many(`SELECT ${mapping.columns} FROM ${table} ORDER BY position, id`),
    create: raising('organization', create),
    update: raising('organization', (connection: Connection, { id, ...fields }: T) => update(connection, id, fields)),
    remove: raising('organization', run(`DELETE FROM ${table} WHERE id = ?`)),
    reorder: raising('organization', reorder),
  };
}

export const linkifiers: Queries<OrderedListStore<Linkifier>> = ownList(
  'linkifiers',
  record<Linkifier>({ id: 'integer', pattern: 'text', url_template: 'text' }),
);

export const profileFields: Queries<OrderedListStore<ProfileField>> = ownList(
  'profile_fields',
  record<ProfileField>({
    id: 'integer',
    type: 'integer',
    name: 'text',
    hint: 'text',
    field_data: 'text',
    display_in_profile_summary: 'boolean',
    required: 'boolean',
    editable_by_user: 'boolean',
  }),
);

const PLAYGROUND = record<Playground>({ id: 'integer', name: 'text', pygments_language: 'text', url_template: 'text' });

export const playgrounds: Queries<PlaygroundStore> = {
  all: PLAYGROUND.many(`SELECT ${PLAYGROUND.columns} FROM playgrounds ORDER BY id`),
  create: PLAYGROUND.without('id').insert('playgrounds'),
  remove: changes('DELETE FROM playgrounds WHERE id = ?'),
};

const EMOJI = record<CustomEmoji>({
  id: 'integer',
  name: 'text',
  author_id: 'integer',
  source_url: 'text',
  still_url: 'text',
  deactivated: 'boolean',
});
const NEW_EMOJI = EMOJI.without('id', 'deactivated');
const IMAGE = record<StoredImage>({ file_name: 'text', content_type: 'text', bytes: 'bytes' });

const selectEmoji = (condition: string) => `SELECT ${EMOJI.columns} FROM custom_emoji WHERE ${condition} ORDER BY id`;
const INSERT_EMOJI = `
  INSERT INTO custom_emoji (${NEW_EMOJI.columns}, deactivated) VALUES (${NEW_EMOJI.places}, 0)
  ON CONFLICT (name) WHERE deactivated = 0 DO NOTHING RETURNING id`;

export const customEmoji: Queries<CustomEmojiStore> = {
  all: EMOJI.many(selectEmoji('true')),
  byId: EMOJI.one(selectEmoji('id = ?')),
  byName: EMOJI.one(selectEmoji('name = ? AND deactivated = 0')),
  create: (connection, emoji) => connection.value(INSERT_EMOJI, NEW_EMOJI.values(emoji)),
  deactivate: run('UPDATE custom_emoji SET deactivated = 1 WHERE id = ?'),
  count: count('SELECT COUNT(*) AS count FROM custom_emoji'),
  image: IMAGE.one(`SELECT ${IMAGE.columns} FROM emoji_images WHERE file_name = ?`),
  addImage: after(IMAGE.write(`INSERT INTO emoji_images (${IMAGE.columns}) VALUES (${IMAGE.places})`), () => undefined),
};

const removePictures = run('DELETE FROM organization_pictures WHERE file_name IN_TEXTS(?)');
const addPicture = IMAGE.write(`INSERT INTO organization_pictures (${IMAGE.columns}) VALUES (${IMAGE.places})`);

export const organizationPictures: Queries<OrganizationPictureStore> = {
  image: IMAGE.one(`SELECT ${IMAGE.columns} FROM organization_pictures WHERE file_name = ?`),

  async replace(connection, fileNames, images) {
    await removePictures(connection, fileNames);
    for (const image of images) await addPicture(connection, image);
  },
};
