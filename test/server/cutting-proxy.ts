import { createServer, request } from 'node:http';
import type { TestContext } from 'node:test';
import { listening } from './running.ts';

export interface CuttingProxy {
  url: string;
  /** Number of cuts. */
  cuts: number;
  /** Requests so far, as `PATCH 12345` with the offset, or only the method. */
  requests: string[];
}

/** A proxy that cuts connections in the middle of PATCH, after so many bytes, while it is enabled. */
export async function cuttingProxy(
  t: TestContext,
  port: number,
  cutAfter: (cuts: number) => number | undefined,
): Promise<CuttingProxy> {
  const proxy: CuttingProxy = { url: '', cuts: 0, requests: [] };
  const server = createServer((req, res) => {
    const { method, headers, url: path } = req;
    const offset = headers['upload-offset'];
    proxy.requests.push(offset === undefined ? String(method) : `${method} ${offset}`);
    const onward = request({ port, host: '127.0.0.1', method, path, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    let left = (method === 'PATCH' ? cutAfter(proxy.cuts) : undefined) ?? Number.POSITIVE_INFINITY;
    req.on('data', (piece: Buffer) => {
      if (left <= 0) return;
      const goesOn = onward.write(piece.subarray(0, left));
      left -= piece.length;
      if (left <= 0) {
        proxy.cuts++;
        req.socket.destroy();
        // All received bytes are forwarded.
        setTimeout(() => onward.destroy(), 20);
      } else if (!goesOn) {
        req.pause();
        onward.once('drain', () => req.resume());
      }
    });
    req.on('end', () => onward.end());
    req.on('error', () => undefined);
    req.on('close', () => {
      if (!req.complete && left > 0) onward.destroy();
    });
  });
  proxy.url = `http://127.0.0.1:${await listening(t, server)}`;
  return proxy;
}
