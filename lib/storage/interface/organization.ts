import type { Linkifier } from './linkifiers.ts';
import type { ProfileField } from './profile-fields.ts';

export interface Organization {
  /** Rises with every change of this record. */
  version: number;
  /** Rises with every change of a user. */
  users_version: number;
  name: string;
  description: string;
  /** Host for placeholder e-mail addresses. */
  host: string;
  created_ms: number;
  /** Root of every API key: 32 random bytes, hex. */
  secret: string;
  uuid: string;
  /** Settings that differ from their default. Read them with `rules/organization-settings.ts`. */
  settings: Record<string, unknown>;
  /** In the order in which they are applied. */
  linkifiers: readonly Linkifier[];
  /** In display order. */
  profile_fields: readonly ProfileField[];
  /** Path of the chat on its host, empty at the root. Not stored: each process sets it. */
  site_path?: string;
}

export type OrganizationFields = Omit<
  Organization,
  'version' | 'users_version' | 'linkifiers' | 'profile_fields' | 'site_path'
>;

/** Versions for caches. Each rises with every change of its data. */
export interface Versions extends Pick<Organization, 'version' | 'users_version'> {
  /** Channels (except changes by messages), subscriptions, muted channels, and names and channels of topics. */
  channels_version: number;
  /** Muted users and alert words. 0: there never were any. */
  readers_version: number;
  /** Users with devices for push notifications. 0: there never were any. */
  push_version: number;
}

export interface OrganizationStore {
  /** undefined until an organization has been created. */
  get(): Promise<Organization | undefined>;
  /**
   * The current versions. Throws if a newer process has applied a breaking migration.
   * @param answered called when the database has answered. A write may continue earlier with expected versions. If the
   *   answer differs, it runs again.
   */
  versions(answered?: () => void): Promise<Versions | undefined>;
  create(organization: OrganizationFields): Promise<void>;
  update(patch: Partial<Pick<Organization, 'name' | 'description' | 'settings'>>): Promise<void>;
}
