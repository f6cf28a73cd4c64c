import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';

const program = ['/usr/bin/openssl', '/usr/local/bin/openssl', '/opt/homebrew/bin/openssl'].find(existsSync) ?? '';

/** Why this machine cannot create certificates, if so. */
export const withoutOpenssl = program === '' ? 'no openssl on this machine' : undefined;

const openssl = (...args: string[]) => execFileSync(program, args, { stdio: 'ignore' });
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** A certificate authority. Returns the file with its certificate. */
export function authority(folder: string, name: string): string {
  const [cert, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  openssl('req', '-x509', ...NEW_KEY, '-keyout', key, '-out', cert, '-days', '1', '-subj', `/CN=${name}`);
  return cert;
}

/** A key and a certificate for a host name or an IPv4 address, signed by the authority with this certificate. */
export function certificateFor(folder: string, host: string, signer: string): { cert: string; key: string } {
  const [cert, key, request] = [join(folder, 'host.crt'), join(folder, 'host.key'), join(folder, 'host.csr')];
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=${isIP(host) ? 'IP' : 'DNS'}:${host}`];
  openssl('req', ...NEW_KEY, '-keyout', key, '-out', request, ...subject);
  const signing = ['-CA', signer, '-CAkey', signer.replace(/crt$/, 'key'), '-CAcreateserial', '-days', '1'];
  openssl('x509', '-req', '-in', request, ...signing, '-copy_extensions', 'copy', '-out', cert);
  return { cert, key };
}
