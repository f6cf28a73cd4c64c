/** The pages that an operator needs on the worst day. Their commands are typed on both storages. */
export const OPERATORS_PAGES: readonly string[] = [
  'docs/upgrading.md',
  'docs/backup.md',
  'docs/storage.md',
  'docs/accounts.md',
];
