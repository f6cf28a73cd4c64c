/** A known site. A custom profile field for it has a fixed name and URL. */
export interface ExternalAccount {
  /** Name in the list from which administrators choose. */
  text: string;
  /** Name of the field. */
  name: string;
  hint: string;
  /** `%(username)s` is replaced with the value of the field. */
  url_pattern: string;
}

export const EXTERNAL_ACCOUNTS: Readonly<Record<string, ExternalAccount>> = {
  twitter: { text: 'Twitter', name: 'Twitter username', hint: '', url_pattern: 'https://twitter.com/%(username)s' },
  github: { text: 'GitHub', name: 'GitHub username', hint: '', url_pattern: 'https://github.com/%(username)s' },
};
