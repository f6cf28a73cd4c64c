import { createReadStream, createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { answer, cpuTime, residentBytes } from './answering.ts';

/** The minimum cost of a transfer: from the socket to the disk, durably, and from the disk to the socket. */
async function start({ path, bytes }: { path: string; bytes: number }) {
  const server = createServer(async (req, res) => {
    if (req.method === 'POST') {
      await pipeline(req, createWriteStream(path, { flush: true }));
      res.end('{}');
      return;
    }
    res.writeHead(200, { 'Content-Length': bytes });
    await pipeline(createReadStream(path, { start: 0, end: bytes - 1 }), res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port };
}

answer({ start, cpu: cpuTime, memory: residentBytes });
