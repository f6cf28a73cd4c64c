import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openChat, sqlite } from '../../lib/index.ts';
import { serve } from '../../server/index.ts';
import { listening } from '../server/running.ts';
import { organization, type Ran } from './organization.ts';

export const TOKEN = 'a token of the metrics of this server';

export const quiet = { debug() {}, info() {}, warn() {}, error() {} };

export type Run = Awaited<ReturnType<typeof organization>>['run'];

export interface Diagnosis {
  exitCode: number;
  checks: string[];
  /** Each as `check: says advice`. */
  findings: string[];
  skipped: string[];
  fixed: string[];
}

export async function diagnose(run: Run, ...words: string[]): Promise<Diagnosis> {
  const { exitCode, out, err }: Ran = await run('doctor', ...words, '--json');
  assert.notEqual(out, '', err);
  const { checks, findings, not_checked, fixed = [] } = JSON.parse(out);
  return {
    exitCode,
    checks,
    findings: findings.map((each: Record<string, string>) => `${each.check}: ${each.says} ${each.advice}`),
    skipped: not_checked.map(({ check }: { check: string }) => check),
    fixed: fixed.map(({ says }: { says: string }) => says),
  };
}

/** An organization, without settings and logins of this machine. */
export async function madeChat(t: TestContext) {
  const made = await organization(t);
  setVariables(t, { HOME: made.folder, XDG_CONFIG_HOME: made.folder, ZULIP_CONFIG: '' });
  return made;
}

export function setVariables(t: TestContext, variables: Record<string, string>): void {
  for (const [name, value] of Object.entries(variables)) {
    const before = process.env[name];
    process.env[name] = value;
    t.after(() => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    });
  }
}

/** A server on the database, and the port. */
export async function serving(
  t: TestContext,
  path: string,
  options: Parameters<typeof serve>[1] = {},
): Promise<number> {
  const chat = await openChat({ storage: sqlite(path), logger: quiet });
  const { url, close } = await serve(chat, { port: 0, inspectionToken: TOKEN, logger: quiet, ...options });
  t.after(async () => {
    await close();
    await chat.close();
  });
  return Number(new URL(url).port);
}

interface KeyPair {
  key: Buffer;
  cert: Buffer;
}

interface ProxyOptions {
  tls?: KeyPair;
  /** The Date header of all responses. */
  date?: Date;
  /** Requests this path instead. */
  path?: string;
  /** The X-Forwarded-Proto header. Default: the protocol of the proxy. */
  proto?: string;
  onRequest?: (req: IncomingMessage) => void;
}

/** A reverse proxy in front of a server. Returns its address. */
export async function proxyTo(t: TestContext, port: number, options: ProxyOptions = {}): Promise<string> {
  const { tls, date, path, proto = tls ? 'https' : 'http', onRequest } = options;
  const pass = (req: IncomingMessage, res: ServerResponse) => {
    onRequest?.(req);
    const before = req.headers['x-forwarded-for'];
    const own = String(req.socket.remoteAddress);
    const headers = {
      ...req.headers,
      'x-forwarded-for': before === undefined ? own : `${before}, ${own}`,
      'x-forwarded-proto': proto,
    };
    request({ port, host: '127.0.0.1', method: req.method, path: path ?? req.url, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...(date ? { date: date.toUTCString() } : {}) });
      answer.pipe(res);
    }).end();
  };
  const own = await listening(t, tls ? createTlsServer(tls, pass) : createServer(pass));
  return tls ? `https://localhost:${own}` : `http://localhost:${own}`;
}

/** A certificate for `localhost` that expires in some days, of a number of days. */
export function selfSigned(folder: string, { days, of }: { days: number; of: number }): KeyPair {
  const [key, request, cert, index, config] = ['own.key', 'own.csr', 'own.crt', 'index', 'ca.conf'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string, string];
  const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: 'ignore' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key];
  openssl('req', ...newKey, '-out', request, '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost');
  writeFileSync(index, '');
  const own = `database=${index}\nnew_certs_dir=${folder}\nrand_serial=yes\ndefault_md=sha256\npolicy=p`;
  writeFileSync(config, `[ca]\ndefault_ca=own\n[own]\n${own}\ncopy_extensions=copy\n[p]\ncommonName=supplied\n`);
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().replace(/[-:T]|\.\d+/g, '');
  const period = ['-startdate', day(days - of), '-enddate', day(days)];
  openssl('ca', '-batch', '-selfsign', '-config', config, '-keyfile', key, '-in', request, '-out', cert, ...period);
  return { key: readFileSync(key), cert: readFileSync(cert) };
}
