/** Clients that show messages to the sender, in lower case. */
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

/** Default of `read_by_sender`. */
export function isReadBySender(client: string): boolean {
  const name = client.toLowerCase();
  return FULL_CLIENTS.has(name) || name.includes('desktop app');
}
