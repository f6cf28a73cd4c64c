import { request } from 'node:http';
import { join } from 'node:path';
import type { Benchmark } from './benchmark.ts';
import type { Child } from './child.ts';
import { basicAuth } from './requests.ts';
import { alternate, summary } from './rounds.ts';

const MEBIBYTE = 1024 * 1024;
const BYTES = 96 * MEBIBYTE;
const ROUNDS = 7;
const PIECE = Buffer.alloc(MEBIBYTE, 'lighthouse ');

const HEAD = Buffer.from(
  '--edge\r\nContent-Disposition: form-data; name="f"; filename="chart.bin"\r\nContent-Type: application/x-chart\r\n\r\n',
);
const TAIL = Buffer.from('\r\n--edge--\r\n');

interface Place {
  port: number;
  path: string;
  auth?: string;
}

/** MiB per second. */
const rate = (ms: number) => BYTES / MEBIBYTE / (ms / 1000);

/** The same form to both. */
async function upload({ port, path, auth }: Place): Promise<{ perSecond: number; text: string }> {
  const start = performance.now();
  const text = await new Promise<string>((resolve, reject) => {
    const headers = {
      'content-type': 'multipart/form-data; boundary=edge',
      'content-length': HEAD.length + BYTES + TAIL.length,
      ...(auth === undefined ? {} : { authorization: auth }),
    };
    const req = request({ port, host: '127.0.0.1', path, method: 'POST', headers }, (res) => {
      let body = '';
      res.setEncoding('utf8').on('data', (piece: string) => {
        body += piece;
      });
      res.on('end', () => (res.statusCode === 200 ? resolve(body) : reject(new Error(body))));
    });
    req.on('error', reject);
    req.write(HEAD);
    let left = BYTES / MEBIBYTE;
    const more = () => {
      while (left-- > 0) if (!req.write(PIECE)) return void req.once('drain', more);
      req.end(TAIL);
    };
    more();
  });
  return { perSecond: rate(performance.now() - start), text };
}

async function download({ port, path, auth }: Place): Promise<number> {
  const start = performance.now();
  const got = await new Promise<number>((resolve, reject) => {
    const headers = auth === undefined ? {} : { authorization: auth };
    request({ port, host: '127.0.0.1', path, headers }, (res) => {
      let bytes = 0;
      res.on('data', (piece: Buffer) => {
        bytes += piece.length;
      });
      res.on('end', () => resolve(bytes)).on('error', reject);
    })
      .on('error', reject)
      .end();
  });
  if (got !== BYTES) throw new Error(`${got} bytes were received, not ${BYTES}.`);
  return rate(performance.now() - start);
}

export const files: Benchmark = {
  names: ['upload', 'download'],
  async run(kit) {
    const server = kit.start('chat-server');
    const made = await server.ask<{ port: number }>('start', {
      database: kit.newDatabase(),
      people: 10,
      channels: [],
    });
    const [person] = await server.ask<{ email: string; key: string }[]>('keys', { count: 1 });
    const auth = `Basic ${basicAuth(person as { email: string; key: string })}`;
    const bare: Child = kit.start('bare-files');
    const floor = await bare.ask<{ port: number }>('start', { path: join(kit.folder, 'bare.bin'), bytes: BYTES });
    const bareFile = { port: floor.port, path: '/file' };
    const place = { port: made.port, path: '/api/v1/user_uploads', auth };
    let url = '';
    const sent = await alternate(
      ROUNDS,
      2,
      async () => (await upload(bareFile)).perSecond,
      async () => {
        const { perSecond, text } = await upload(place);
        ({ url } = JSON.parse(text) as { url: string });
        return perSecond;
      },
    );
    const stored = { port: made.port, path: url, auth };
    const got = await alternate(
      ROUNDS,
      2,
      () => download(bareFile),
      () => download(stored),
    );
    const size = `${BYTES / MEBIBYTE} MiB`;
    return [
      {
        name: 'upload',
        ...summary(sent),
        bound: { atLeast: 0.6 },
        unit: 'MiB/s',
        note: `${size} durably to the disk, compared with node:http piping into a file and flushing it`,
      },
      {
        name: 'download',
        ...summary(got),
        bound: { atLeast: 0.6 },
        unit: 'MiB/s',
        note: `${size} from the disk, compared with node:http piping out of a file`,
      },
    ];
  },
};
