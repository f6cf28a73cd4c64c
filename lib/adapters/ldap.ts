import { once } from 'node:events';
import { connect as connectSocket, isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Client, Entry } from 'ldapts';
import type { Directory, DirectoryPerson } from './directory.ts';

/** Options of `ldap`. */
export interface LdapOptions {
  /**
   * Address of the directory: `ldaps://ldap.example.com`. With `ldap://` the connection changes to TLS before it sends a
   * password (STARTTLS), except on this machine. Certificates must be valid: `NODE_EXTRA_CA_CERTS` names your own CA.
   */
  url: string;
  /** Where people are, such as `ou=people,dc=example,dc=com`. */
  base: string;
  /** Account that searches for people. Default: an anonymous search. */
  bindDn?: string;
  /** Its password. */
  bindPassword?: string;
  /**
   * Finds one person. `{login}` is what the person has entered. Only people that it finds can log in. Default:
   * `(mail={login})`.
   */
  filter?: string;
  /** Attribute with an ID that never changes. Default: `entryUUID`; for Active Directory, `objectGUID`. */
  idAttribute?: string;
  /** Attribute with the e-mail address. Default: `mail`. */
  emailAttribute?: string;
  /** Attribute with the display name. Default: `cn`. */
  nameAttribute?: string;
}

/** An entry of a directory: the values of each attribute, as texts. */
export type LdapEntry = ReadonlyMap<string, readonly string[]> & { readonly dn: string };

/** An LDAP directory. */
export interface LdapDirectory extends Directory {
  /** All entries below the base that a filter finds, in pages. */
  entries(filter: string, attributes: readonly string[]): AsyncIterable<LdapEntry>;
}

/** Milliseconds for a connection, and for each answer. */
const TIMEOUT_MS = 10_000;
const PAGE_SIZE = 500;
const BINARY = ['objectGUID', 'objectSid'];

/** Loaded when the directory is used. */
const library = () => import('ldapts');

/**
 * Logs in people with the passwords of an LDAP directory. The chat does not store them.
 * @throws TypeError if an option is invalid
 * @example
 * const directory = ldap({ url: 'ldaps://ldap.example.com', base: 'ou=people,dc=example,dc=com' });
 * const chat = await openChat({ storage: sqlite('chat.db'), directory });
 */
export function ldap(options: LdapOptions): LdapDirectory {
  const { filter = '(mail={login})', base, bindDn, bindPassword } = options;
  const address = addressOf(options.url);
  checkOptions({ ...options, filter });
  const { idAttribute = 'entryUUID', emailAttribute = 'mail', nameAttribute = 'cn' } = options;

  const asService = <T>(work: (client: Client) => Promise<T>) =>
    connected(address, async (client) => {
      if (bindDn !== undefined) await client.bind(bindDn, bindPassword);
      return work(client);
    });

  return {
    async check(login, password) {
      // To bind with an empty password is an anonymous bind, which succeeds.
      // Directories ignore invisible signs, but the counters of wrong passwords do not.
      if (password === '' || login.trim() === '' || /\p{C}/u.test(login)) return undefined;
      const found = await asService((client) =>
        onlyEntry(
          client,
          base,
          filter.replaceAll('{login}', () => escaped(login.trim())),
        ),
      );
      if (!found) return undefined;
      const entry = textsOf(found);
      if (await isPassword(address, found.dn, password))
        return personOf(entry, { idAttribute, emailAttribute, nameAttribute });
      // An error would show everyone that the login name exists.
      const id = firstOf(entry, idAttribute);
      return id === undefined ? undefined : { id, isWrong: true };
    },

    async *entries(filter, attributes) {
      const client = await clientFor(address);
      try {
        if (bindDn !== undefined) await client.bind(bindDn, bindPassword);
        const pages = client.searchPaginated(base, {
          ...searchFor(filter, attributes),
          paged: { pageSize: PAGE_SIZE },
        });
        for await (const { searchEntries } of pages) for (const entry of searchEntries) yield textsOf(entry);
      } finally {
        await client.unbind().catch(() => undefined);
      }
    },
  };

  async function onlyEntry(client: Client, base: string, filter: string): Promise<Entry | undefined> {
    const { SizeLimitExceededError } = await library();
    const attributes = [idAttribute, emailAttribute, nameAttribute];
    const search = { ...searchFor(filter, attributes), sizeLimit: 2 };
    const { searchEntries } = await client.search(base, search).catch((error: unknown) => {
      if (error instanceof SizeLimitExceededError) return { searchEntries: [] };
      throw error;
    });
    // One of two people with the same login name must not get the account of the other.
    return searchEntries.length === 1 ? searchEntries[0] : undefined;
  }
}

/** @throws TypeError */
function checkOptions({ base, filter = '', bindDn, bindPassword }: LdapOptions): void {
  if (base.trim() === '') throw new TypeError('The option base of ldap must name a part of the directory.');
  if (!/^\(.*\{login\}.*\)$/s.test(filter))
    throw new TypeError('The option filter of ldap must be in parentheses and contain {login}.');
  if ((bindDn === undefined) !== (bindPassword === undefined))
    throw new TypeError('ldap needs both bindDn and bindPassword, or neither.');
  if (bindPassword === '') throw new TypeError('The option bindPassword of ldap must not be empty.');
}

const searchFor = (filter: string, attributes: readonly string[]) => ({
  ...{ scope: 'sub' as const, filter, attributes: [...attributes], explicitBufferAttributes: BINARY },
});

interface Address {
  client: { url: string; timeout: number; connectTimeout: number };
  startsTls: boolean;
}

/** @throws TypeError */
function addressOf(url: string): Address {
  const { protocol, hostname, pathname, search }: Partial<URL> = URL.canParse(url) ? new URL(url) : {};
  if ((protocol !== 'ldap:' && protocol !== 'ldaps:') || !hostname || (pathname ?? '').length > 1 || search)
    throw new TypeError('The option url of ldap must be an address such as ldaps://ldap.example.com.');
  const isLocal =
    hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'));
  const client = { url, timeout: TIMEOUT_MS, connectTimeout: TIMEOUT_MS };
  return { client, startsTls: protocol === 'ldap:' && !isLocal };
}

async function connected<T>(address: Address, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await clientFor(address);
  try {
    return await work(client);
  } finally {
    await client.unbind().catch(() => undefined);
  }
}

async function clientFor({ client: options, startsTls }: Address): Promise<Client> {
  const { Client } = await library();
  if (!startsTls) return new Client(options);
  const socket = await changedToTls(options);
  return new Client({ ...options, createConnection: () => socket });
}

/** RFC 4511. */
const START_TLS = '1.3.6.1.4.1.1466.20037';

/**
 * A connection after STARTTLS. Another client than the one that asks for TLS goes on: that one keeps bytes from before the
 * change. An attacker in the network could answer later requests with them. It also compares the certificate with
 * "localhost".
 */
async function changedToTls(options: Address['client']): Promise<TLSSocket> {
  const [{ Client }, tls] = await Promise.all([library(), import('node:tls')]);
  let plain: Socket | undefined;
  const client = new Client({
    ...options,
    createConnection: (port, host) => {
      plain = connectSocket({ port: Number(port), host: String(host) });
      return plain;
    },
  });
  try {
    await client.exop(START_TLS);
    const socket = plain as Socket;
    socket.removeAllListeners('data');
    const secured = tls.connect({ socket, host: new URL(options.url).hostname.replace(/^\[|\]$/g, '') });
    await once(secured, 'secureConnect', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return secured;
  } catch (error) {
    plain?.destroy();
    throw error;
  }
}

async function isPassword(address: Address, dn: string, password: string): Promise<boolean> {
  const { InvalidCredentialsError } = await library();
  try {
    await connected(address, (client) => client.bind(dn, password));
    return true;
  } catch (error) {
    if (error instanceof InvalidCredentialsError) return false;
    throw error;
  }
}

/** RFC 4515: such characters would change the filter. */
const escaped = (text: string) =>
  text.replace(/[\\*()\0]/g, (sign) => `\\${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** Attribute names ignore case. Binary values become hexadecimal. */
function textsOf({ dn, ...attributes }: Entry): LdapEntry {
  const texts = Object.entries(attributes).map(([name, values]): [string, string[]] => [
    name.toLowerCase(),
    [values].flat().map((value) => (typeof value === 'string' ? value : value.toString('hex'))),
  ]);
  return Object.assign(new Map(texts), { dn });
}

function personOf(
  entry: LdapEntry,
  { idAttribute, emailAttribute, nameAttribute }: Required<Pick<LdapOptions, `${'id' | 'email' | 'name'}Attribute`>>,
): DirectoryPerson {
  const id = firstOf(entry, idAttribute);
  if (id === undefined) throw new Error(`The entry ${entry.dn} has no ${idAttribute}.`);
  return { id, email: firstOf(entry, emailAttribute), name: firstOf(entry, nameAttribute) ?? '' };
}

const firstOf = (entry: LdapEntry, attribute: string) =>
  entry.get(attribute.toLowerCase())?.find((text) => text !== '');
