import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { TestContext } from 'node:test';
import { until } from '../support/until.ts';

export interface Frame {
  /** The field `id`; undefined if there is none. */
  id: string | undefined;
  /** The field `event`. */
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of the data
  data: any;
}

export interface Stream {
  req: ClientRequest;
  res: IncomingMessage;
  status: number;
  headers: IncomingHttpHeaders;
  /** The frames so far. */
  text(): string;
  frames(): Frame[];
  /** Number of comments so far. */
  comments(): number;
  isEnded(): boolean;
  /** Waits for so many frames. */
  next(count: number): Promise<Frame[]>;
}

export interface StreamOptions {
  port: number;
  path: string;
  headers?: Record<string, string>;
  method?: string;
}

/** Opens a stream over its own socket, which closes with the test. */
export async function openStream(t: TestContext, { port, path, headers, method }: StreamOptions): Promise<Stream> {
  const req = request({ port, host: '127.0.0.1', path, headers, method, agent: false });
  t.after(() => req.destroy());
  const res = await new Promise<IncomingMessage>((resolve, reject) => {
    req.on('error', reject);
    req.on('response', resolve);
    req.end();
  });
  let text = '';
  let isEnded = false;
  res.setEncoding('utf8');
  res.on('data', (piece: string) => {
    text += piece;
  });
  res.on('error', () => undefined);
  res.on('close', () => {
    isEnded = true;
  });
  const parts = () => text.split('\n\n').slice(0, -1);
  const frames = () => framesIn(text);
  return {
    req,
    res,
    status: res.statusCode ?? 0,
    headers: res.headers,
    text: () => text,
    frames,
    comments: () => parts().filter((part) => part === ':').length,
    isEnded: () => isEnded,
    next: (count) => until(`${count} events have come`, () => (frames().length >= count ? frames() : undefined)),
  };
}

export function framesIn(text: string): Frame[] {
  const frames: Frame[] = [];
  for (const part of text.split('\n\n').slice(0, -1)) {
    if (part === ':') continue;
    const fields = new Map(
      part.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
    );
    frames.push({
      id: fields.get('id'),
      name: fields.get('event') ?? 'message',
      data: JSON.parse(fields.get('data') ?? 'null'),
    });
  }
  return frames;
}
