/** Client programs through which a person reads while writing; lower case. */
const FULL_CLIENTS: ReadonlySet<string> = new Set([
  'website',
  'zulipmobile',
  'zulipflutter',
  'zulipelectron',
  'zulipterminal',
  'zulipandroid',
  'zulipios',
  'zulipdesktop',
  'snipe',
  'ios',
  'android',
]);

/** Whether a message counts as read by its sender when the request does not say. */
export function isReadBySender(client: string): boolean {
  const name = client.toLowerCase();
  return FULL_CLIENTS.has(name) || name.includes('desktop app');
}
