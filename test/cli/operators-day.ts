import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { withoutPassword } from '../../cli/database.ts';
import { PROXIES, type ReverseProxy, startProxy } from '../examples/proxies.ts';
import { withoutPostgres } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { type CompiledChatctl, compileChatctl } from './compiled-chatctl.ts';
import { playTranscript } from './transcript.ts';

const DAY = relative(
  process.cwd(),
  fileURLToPath(new URL('../transcripts/deployed/operators-day.txt', import.meta.url)),
);
const ADVICE =
  'Check the disk. If the database is damaged, move it and its -wal file away, then run `chatctl restore`.';
const nginx = PROXIES.nginx as ReverseProxy;
const withoutNginx = nginx.program === '' ? 'nginx is not installed' : undefined;

/** Plays it on an engine. `operators-day.txt` of the transcripts is a day without nginx on SQLite. */
export function playDay(engine: 'SQLite' | 'PostgreSQL'): void {
  describe("an operator's day behind nginx", () => {
    let chatctl: CompiledChatctl;
    before(async () => {
      chatctl = await compileChatctl();
    });
    after(() => chatctl.remove());

    /** A database, its names in messages, and the output of a check after damage. */
    const places = [
      {
        name: 'SQLite',
        skip: undefined,
        async start() {
          const broken = ['chatctl: chat.db is damaged: database disk image is malformed.', ADVICE];
          return { url: 'chat.db', stop: async () => undefined, named: 'chat.db', used: 'chat.db', broken, exit: '8' };
        },
      },
      {
        name: 'PostgreSQL',
        skip: withoutPostgres,
        async start() {
          const { url, stop } = await startPostgresServer();
          const used = `PostgreSQL at ${new URL(url).host}/postgres`;
          const broken = [
            '<LINES>',
            '1,2<ID> messages cannot be found by search.',
            '<LINES>',
            `chatctl: 2 of <ID> checks of ${withoutPassword(url)} found problems.`,
          ];
          return { url, stop, named: `${used}, schema "public",`, used, broken, exit: '1' };
        },
      },
    ];
    for (const { name, skip, start } of places.filter(({ name }) => name === engine)) {
      it(`upgrade, login, load, backup, restart, restore on ${name}`, { skip: withoutNginx ?? skip }, async (t) => {
        const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
        const port = await freePort();
        const { tls } = await startProxy(t, nginx, folder, port);
        const { url, stop, named, used, broken, exit } = await start();
        t.after(stop);
        const site = `https://localhost:${tls}`;
        await playTranscript(DAY, chatctl.bin, {
          env: {
            DB: url,
            SITE: site,
            PORT: String(port),
            NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem'),
            PARLANCE_UPLOADS: 'uploads',
          },
          words: {
            PLACE: withoutPassword(url),
            NAMED: named,
            USED: used,
            SITE: site,
            FOUND: broken.join('\n'),
            EXIT: exit,
          },
        });
      });
    }
  });
}
