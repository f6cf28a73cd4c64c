/** Sites where people have accounts: a custom profile field for one of them brings its name and address along. */
export interface ExternalAccount {
  /** What administrators choose by. */
  text: string;
  /** Name of the field. */
  name: string;
  hint: string;
  /** `%(username)s` stands for what people fill in. */
  url_pattern: string;
}

export const EXTERNAL_ACCOUNTS: Readonly<Record<string, ExternalAccount>> = {
  twitter: {
    text: 'Twitter',
    name: 'Twitter username',
    hint: '',
    url_pattern: 'https://twitter.com/%(username)s',
  },
  github: {
    text: 'GitHub',
    name: 'GitHub username',
    hint: '',
    url_pattern: 'https://github.com/%(username)s',
  },
};
