import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { freePort } from '../support/free-port.ts';

const DEPLOY = new URL('../../examples/deploy/', import.meta.url);

export interface ReverseProxy {
  program: string;
  /** Writes the configuration into the folder. Returns the arguments. */
  prepare(folder: string, ports: { chat: number; tls: number; plain: number }): Promise<string[]>;
}

export const PROXIES: Readonly<Record<string, ReverseProxy>> = {
  nginx: {
    program: ['/usr/sbin/nginx', '/usr/bin/nginx', '/opt/homebrew/bin/nginx'].find(existsSync) ?? '',
    async prepare(folder, { chat, tls, plain }) {
      const site = (await readFile(new URL('nginx.conf', DEPLOY), 'utf8'))
        .replace('127.0.0.1:9991', `127.0.0.1:${chat}`)
        .replaceAll(/ +listen \[::\].*\n/g, '')
        .replace('listen 80;', `listen 127.0.0.1:${plain};`)
        .replace('listen 443', `listen 127.0.0.1:${tls}`)
        .replace(/ssl_certificate \S+;/, `ssl_certificate ${folder}/cert.pem;`)
        .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${folder}/key.pem;`);
      await writeFile(join(folder, 'site.conf'), site);
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const conf = `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; ${process.getuid?.() === 0 ? 'user root;' : ''}
        events {} http { access_log off; ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')} include ${folder}/site.conf; }`;
      await writeFile(join(folder, 'main.conf'), conf);
      return ['-p', folder, '-e', `${folder}/error.log`, '-c', join(folder, 'main.conf')];
    },
  },
  caddy: {
    program: ['/usr/bin/caddy', '/usr/local/bin/caddy', '/opt/homebrew/bin/caddy'].find(existsSync) ?? '',
    async prepare(folder, { chat, tls, plain }) {
      const site = (await readFile(new URL('Caddyfile', DEPLOY), 'utf8'))
        .replace('127.0.0.1:9991', `127.0.0.1:${chat}`)
        .replace(
          'chat.example.com {',
          `https://localhost:${tls} {\n\tbind 127.0.0.1\n\ttls ${folder}/cert.pem ${folder}/key.pem`,
        );
      const global = `{\n\tadmin off\n\tauto_https disable_redirects\n\thttp_port ${plain}\n}\n`;
      const path = join(folder, 'Caddyfile');
      await writeFile(path, global + site);
      return ['run', '--config', path, '--adapter', 'caddyfile'];
    },
  },
};

export interface RunningProxy {
  /** Its ports. */
  tls: number;
  plain: number;
  /** Throws the program's output unless it runs and the condition is true. */
  check(isWell: boolean): void;
}

/**
 * Runs a proxy in front of a chat's port until the test ends. `cert.pem` in the folder has a certificate for localhost.
 * The folder is removed then.
 */
export async function startProxy(
  t: TestContext,
  proxy: ReverseProxy,
  folder: string,
  chat: number,
): Promise<RunningProxy> {
  const [tls, plain] = [await freePort(), await freePort()];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const key = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem'), '-days', '1'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...key, ...subject], { stdio: 'ignore' });
  const args = await proxy.prepare(folder, { chat, tls, plain });
  const env = { PATH: process.env.PATH ?? '', HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(proxy.program, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      said += part;
    });
  }
  const ended = new Promise((resolve) => child.once('close', resolve));
  t.after(async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  const check = (isWell: boolean) => assert.ok(child.exitCode === null && isWell, said);
  return { tls, plain, check };
}
