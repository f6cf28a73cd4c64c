import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';

const SLAPD = '/usr/sbin/slapd';
const SLAPADD = '/usr/sbin/slapadd';

/** Why tests are skipped. False if there is a directory server. */
export const NO_SLAPD = existsSync(SLAPD) ? false : 'there is no slapd';

export const BASE = 'dc=example,dc=com';
export const SERVICE = { bindDn: `cn=chat,${BASE}`, bindPassword: 'the secret of the service' };

/** Attributes of an entry. Lists are several values. */
export type SlapdEntry = { dn: string } & Record<string, string | readonly string[]>;

export const person = (uid: string, attributes: Record<string, string | readonly string[]> = {}): SlapdEntry => ({
  ...{ dn: `uid=${uid},ou=people,${BASE}`, objectClass: ['inetOrgPerson'], uid, cn: uid, sn: uid },
  ...{ mail: `${uid}@example.com`, userPassword: `password of ${uid}` },
  ...attributes,
});

export const group = (cn: string, ...members: string[]): SlapdEntry => ({
  ...{ dn: `cn=${cn},ou=groups,${BASE}`, objectClass: 'groupOfNames', cn },
  member: members.map((uid) => `uid=${uid},ou=people,${BASE}`),
});

const ldif = (entries: readonly SlapdEntry[]) =>
  entries
    .map((entry) =>
      Object.entries(entry)
        .flatMap(([name, values]) =>
          [values].flat().map((value) => `${name}:: ${Buffer.from(value).toString('base64')}`),
        )
        .join('\n'),
    )
    .join('\n\n');

export interface Slapd {
  port: number;
  url: string;
  stop(): Promise<void>;
}

/** Debian's slapd on a free port, with these people and groups. Passwords need a login of the service to be found. */
export async function startSlapd(
  entries: readonly SlapdEntry[],
  { host = '127.0.0.1', tls }: { host?: string; tls?: { cert: string; key: string } } = {},
): Promise<Slapd> {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-slapd-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'data'));
  const config = join(folder, 'slapd.conf');
  const schemas = ['core', 'cosine', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`);
  await writeFile(
    config,
    [
      ...schemas,
      'modulepath /usr/lib/ldap',
      'moduleload back_mdb',
      'disallow bind_anon',
      ...(tls ? [`TLSCertificateFile ${tls.cert}`, `TLSCertificateKeyFile ${tls.key}`] : []),
      'database mdb',
      `suffix "${BASE}"`,
      `directory ${join(folder, 'data')}`,
      'dbnosync',
      // More than a page at once is refused, as by default.
      `limits dn.exact="${SERVICE.bindDn}" size.soft=500 size.hard=500 size.pr=500 size.prtotal=unlimited`,
      'access to attrs=userPassword by anonymous auth by * none',
      `access to * by dn.exact="${SERVICE.bindDn}" read by * none`,
      '',
    ].join('\n'),
  );
  const root: SlapdEntry[] = [
    { dn: BASE, objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' },
    { dn: `ou=people,${BASE}`, objectClass: 'organizationalUnit', ou: 'people' },
    { dn: `ou=groups,${BASE}`, objectClass: 'organizationalUnit', ou: 'groups' },
    {
      ...{ dn: SERVICE.bindDn, objectClass: ['organizationalRole', 'simpleSecurityObject'], cn: 'chat' },
      userPassword: SERVICE.bindPassword,
    },
  ];
  const file = join(folder, 'entries.ldif');
  await writeFile(file, `${ldif([...root, ...entries])}\n`);
  await promisify(execFile)(SLAPADD, ['-q', '-f', config, '-l', file]);
  const port = await freePort();
  const server = spawn(SLAPD, ['-f', config, '-h', `ldap://${host}:${port}`, '-d', '0'], { stdio: 'ignore' });
  const exit = once(server, 'exit');
  const answers = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, host, () => resolve(true)).on('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  await until('slapd answers', answers);
  return {
    port,
    url: `ldap://${host}:${port}`,
    stop: async () => {
      if (server.exitCode === null && server.signalCode === null) server.kill();
      await exit;
      await remove();
    },
  };
}
