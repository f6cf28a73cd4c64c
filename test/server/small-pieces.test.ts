import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { getDefaultHighWaterMark, PassThrough, setDefaultHighWaterMark } from 'node:stream';
import { test } from 'node:test';
import { openChat, type StreamedFile, sqlite } from '../../lib/index.ts';
import { arrivingBody } from '../../server/body.ts';
import { ChatServer } from '../../server/chat-server.ts';
import { joined, readMultipart } from '../../server/multipart.ts';
import { until } from '../support/until.ts';

const SIZE = 30_000;
const TEXT = 'abcdefghij'.repeat(SIZE / 10);
const MULTIPART = { 'content-type': 'multipart/form-data; boundary=edge' };

const part = (name: string, value: string, filename = '') =>
  `--edge\r\nContent-Disposition: form-data; name="${name}"${filename}\r\n\r\n${value}\r\n`;
const FIELD = `${part('content', TEXT)}--edge--\r\n`;
const FILE = `${part('content', TEXT)}${part('file', TEXT, '; filename="a.bin"')}--edge--\r\n`;

/** A request whose body arrives in pieces of one byte. */
function trickling(body: string) {
  const pieces = new PassThrough();
  const bytes = Buffer.from(body);
  const req = Object.assign(pieces, { headers: {}, complete: false });
  void (async () => {
    for (let at = 0; at < bytes.length; at++) {
      if (!pieces.write(bytes.subarray(at, at + 1))) await new Promise((done) => pieces.once('drain', done));
    }
    req.complete = true;
    pieces.end();
  })();
  return req;
}

async function handedOver(req: Parameters<typeof arrivingBody>[0]): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of joined(arrivingBody(req))) pieces.push(piece);
  return pieces;
}

test('a body of one-byte chunks is joined into few chunks', async () => {
  const pieces = await handedOver(trickling(TEXT));
  assert.equal(Buffer.concat(pieces).toString(), TEXT);
  assert.ok(pieces.length < 30, `${pieces.length} pieces`);
});

test('fields and files of a form in one-byte chunks are read unchanged', async () => {
  const { fields } = await readMultipart(MULTIPART, arrivingBody(trickling(FIELD)), 2 * SIZE);
  assert.equal(fields.content, TEXT);
  const takes = { name: 'file', maxBytes: SIZE, isStreamed: false, others: [] };
  const form = await readMultipart(MULTIPART, arrivingBody(trickling(FILE)), 2 * SIZE, takes);
  assert.equal(form.fields.content, TEXT);
  assert.equal(await (form.file as File).text(), TEXT);
});

test('a streamed file in one-byte chunks is joined into few chunks', async () => {
  const takes = { name: 'file', maxBytes: SIZE, isStreamed: true, others: [] };
  const { fields, file } = await readMultipart(MULTIPART, arrivingBody(trickling(FILE)), 3 * SIZE, takes);
  assert.equal(fields.content, TEXT);
  const pieces: Uint8Array[] = [];
  for await (const piece of (file as StreamedFile).content as AsyncIterable<Uint8Array>) pieces.push(piece);
  assert.equal(Buffer.concat(pieces).toString(), TEXT);
  assert.ok(pieces.length < 30, `${pieces.length} pieces`);
});

test('less than 32 KiB of an unread body is buffered, on every Node version', async (t) => {
  const usual = getDefaultHighWaterMark(false);
  setDefaultHighWaterMark(false, 64 * 1024);
  t.after(() => setDefaultHighWaterMark(false, usual));
  const chat = await openChat({ storage: sqlite(':memory:') });
  const server = new ChatServer(chat);
  const listening = { port: 0, host: '127.0.0.1' };
  await new Promise<void>((resolve) => server.listen(listening, resolve));
  t.after(async () => {
    server.closeAllConnections();
    server.close();
    await chat.close();
  });
  const arrived = new Promise<IncomingMessage>((resolve) => {
    server.removeAllListeners('request').on('request', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  t.after(() => socket.destroy());
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  socket.write('1\r\nx\r\n'.repeat(100_000));
  const req = await arrived;
  await until('some of the body is there', () => req.readableLength > 0);
  let length = 0;
  while (req.readableLength > length) {
    length = req.readableLength;
    await new Promise((done) => setTimeout(done, 50));
  }
  // One read from the socket is buffered completely.
  assert.ok(length > 0 && length < 32 * 1024, `${length} bytes`);
});
