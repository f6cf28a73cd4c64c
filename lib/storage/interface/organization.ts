import type { Linkifier } from './linkifiers.ts';
import type { ProfileField } from './profile-fields.ts';

export interface Organization {
  /** Rises with every change of this record; caches compare it. */
  version: number;
  /** Rises with every change of any user; caches compare it. */
  users_version: number;
  name: string;
  description: string;
  /** Host for placeholder e-mail addresses. */
  host: string;
  created_ms: number;
  /** Root of every API key: 32 random bytes, hex. */
  secret: string;
  uuid: string;
  /** Only the settings that differ from their default; read through `rules/organization-settings.ts`. */
  settings: Record<string, unknown>;
  /** In the order in which they are tried. */
  linkifiers: readonly Linkifier[];
  /** In the order in which they are shown. */
  profile_fields: readonly ProfileField[];
  /** Path that the chat is mounted at, empty at the root: what a process knows of itself, in no storage. */
  site_path?: string;
}

export type OrganizationFields = Omit<
  Organization,
  'version' | 'users_version' | 'linkifiers' | 'profile_fields' | 'site_path'
>;

/** Each rises with every change of what it counts, so that what was read before it rose can be told from the present. */
export interface Versions extends Pick<Organization, 'version' | 'users_version'> {
  /** Of channels (but for what their messages change), of who is subscribed or has muted one, and of the names and places of topics. */
  channels_version: number;
  /** Of muted users and alert words: what people have asked for messages that reach them. 0: nobody ever did. */
  readers_version: number;
  /** Of whose push devices can be notified. 0: nobody's ever could. */
  push_version: number;
}

export interface OrganizationStore {
  /** Undefined until an organization has been created in this database. */
  get(): Promise<Organization | undefined>;
  /**
   * What caches compare, without the rest. Throws where the database has been changed so that this process cannot go on.
   * @param answered called when the database has answered. A write may go on earlier with what it expects: then it is
   *   done again if the answer is another one.
   */
  versions(answered?: () => void): Promise<Versions | undefined>;
  create(organization: OrganizationFields): Promise<void>;
  update(patch: Partial<Pick<Organization, 'name' | 'description' | 'settings'>>): Promise<void>;
}
