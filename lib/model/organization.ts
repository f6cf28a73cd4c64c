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
  /** How often the keys for Web Push were replaced. */
  web_push_generation: number;
  /** In the order in which they are applied. */
  linkifiers: readonly Linkifier[];
  /** In display order. */
  profile_fields: readonly ProfileField[];
  /** Path of the chat on its host, empty at the root. Not stored: each process sets it. */
  site_path?: string;
}

/** `night_logo` is for dark backgrounds. */
export type OrganizationPicture = 'icon' | 'logo' | 'night_logo';

export type OrganizationFields = Omit<
  Organization,
  'version' | 'users_version' | 'web_push_generation' | 'linkifiers' | 'profile_fields' | 'site_path'
>;

/** Versions for caches. Each rises with every change of its data. */
export interface Versions extends Pick<Organization, 'version' | 'users_version'> {
  /**
   * Channels (except changes by messages), subscriptions, muted channels, whose messages notify, and names and channels
   * of topics.
   */
  channels_version: number;
  /** Muted users and alert words. 0: there never were any. */
  readers_version: number;
  /** Users with devices for push notifications. 0: there never were any. */
  push_version: number;
}

/** A pattern whose matches become links. */
export interface Linkifier {
  id: number;
  /** RE2 syntax with named groups `(?P<id>…)`. Unique. */
  pattern: string;
  /** URI template (RFC 6570) with the groups of the pattern as variables. */
  url_template: string;
}

/** 1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 people, 7 external account, 8 pronouns. */
export type ProfileFieldType = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** A custom profile field of the organization. */
export interface ProfileField {
  id: number;
  type: ProfileFieldType;
  /** Unique without regard to case. */
  name: string;
  hint: string;
  /** JSON object for lists of options and external accounts. Empty for other types. */
  field_data: string;
  display_in_profile_summary: boolean;
  required: boolean;
  /** Whether users may edit it in their own profile. Administrators always may. */
  editable_by_user: boolean;
}

/** A code playground: a site that runs code of a language. */
export interface Playground {
  id: number;
  /** Unique for the language. */
  name: string;
  pygments_language: string;
  /** URI template (RFC 6570) with the variable `code`. */
  url_template: string;
}
