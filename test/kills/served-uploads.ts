import assert from 'node:assert/strict';
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../lib/adapters/clock.ts';
import { localFiles, openChat } from '../../lib/index.ts';
import { until } from '../support/until.ts';
import { ENGINES, killedProgram, type Place, Victim } from './victims.ts';

/** Maximum lifetime of a process after it listens. */
const LIFE_MS = 1_500;
const SENDERS = 6;
/** After this time, abandoned uploads are collected. Complete ones are not. */
const LATER_MS = 2 * 86_400_000;

export function servedUploads(kills: number, engines = ENGINES): void {
  describe('servers that receive uploads are killed', () => {
    for (const { name, place: makePlace, skip } of engines) {
      const title = `each acknowledged upload is stored after kills of the server, and nothing of others, on ${name}`;
      test(title, { ...(skip ? { skip } : {}), timeout: 60_000 + kills * 20_000 }, async (t) => {
        const place = await makePlace();
        const files = await mkdtemp(join(tmpdir(), 'killed-files-'));
        t.after(async () => {
          await place.remove();
          await rm(files, { recursive: true, force: true });
        });
        const people = await found(place);
        const senders = Array.from({ length: SENDERS }, (_, at) => new Sender(people.auth, at % 3 > 0));
        const faults: string[] = [];
        let url: string | undefined;
        let isOver = false;
        const sending = senders.map(async (sender) => {
          while (!isOver || sender.isUnderWay) {
            if (url === undefined) await sleep(10);
            else await sender.goOn(url, isOver);
          }
        });
        for (let life = 0; life <= kills; life++) {
          const server = new Victim(await killedProgram('upload-server'), { ...place.options, files });
          await server.acknowledges;
          url = server.lines.find((line) => line.startsWith('= '))?.slice(2);
          if (life === kills) {
            // The last server lives until all uploads are complete.
            isOver = true;
            await Promise.all(sending);
          } else {
            await until('an upload has begun', () => senders.some(({ isUnderWay }) => isUnderWay), { every: 5 });
            await sleep(Math.random() * LIFE_MS);
          }
          url = undefined;
          await server.kill();
          faults.push(...server.lines.filter((line) => line.startsWith('! ')));
        }
        const sent = senders.flatMap((sender) => sender.acknowledged);
        const resumed = senders.reduce((sum, sender) => sum + sender.resumed, 0);
        const broken = senders.reduce((sum, sender) => sum + sender.broken, 0);
        t.diagnostic(`${kills} kills: ${sent.length} acknowledged, ${broken} broken off, ${resumed} resumed`);
        assert.deepEqual(faults, []);
        for (const sender of senders) assert.deepEqual(sender.faults, []);
        const kept = await finish(place, files, people.user);
        for (const { url: address, digest } of sent) assert.equal(kept.digests.get(address), digest, address);
        // Uploads whose response was lost are stored too, complete.
        assert.deepEqual(kept.onDisk, kept.digests.size, 'only complete uploads are stored');
        assert.equal(kept.pending, 0, 'no incomplete upload is left');
        assert.deepEqual(kept.told, kept.complete, 'each upload has one event');
        assert.ok(broken >= kills / 2, 'kills left work undone');
      });
    }
  });
}

async function found(place: Place): Promise<{ user: number; auth: string }> {
  const chat = await openChat({ storage: place.storage() });
  const {
    user_id: user,
    email,
    api_key,
  } = await chat.createOrganization({
    name: 'Kills',
    owner: { email: 'ada@example.com', full_name: 'Ada' },
  });
  // The report says which events clients received.
  await chat.as(user).register({ event_types: ['attachment'], idle_queue_timeout: 604_800 });
  await chat.close();
  return { user, auth: `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}` };
}

/** Collects abandoned uploads with a later clock and returns what is stored. */
async function finish(place: Place, folder: string, user: number) {
  const storage = place.storage();
  const clock: Clock = {
    now: () => Date.now() + LATER_MS,
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  };
  const chat = await openChat({ storage, clock, files: localFiles(folder) });
  try {
    await chat.runDue();
    const session = chat.as(user);
    const digests = new Map<string, string>();
    const complete: number[] = [];
    for (let before_id: number | undefined; ; ) {
      const { attachments } = await session.uploads.list(before_id === undefined ? {} : { before_id });
      for (const { id, path_id } of attachments) {
        const hash = createHash('sha256');
        for await (const piece of (await session.download(path_id)).content) hash.update(piece);
        digests.set(`/user_uploads/${path_id}`, hash.digest('hex'));
        complete.push(id);
      }
      before_id = attachments.at(-1)?.id;
      if (before_id === undefined) break;
    }
    const events = await storage.read((tx) => tx.events.since(0, 1_000_000));
    const told = events.flatMap(({ event }) =>
      event.type === 'attachment' && event.op === 'add' ? [(event.attachment as { id: number }).id] : [],
    );
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const ids = Array.from({ length: Math.max(0, ...complete, ...told) + 200 }, (_, at) => at + 1);
    const rows = await storage.read((tx) => Promise.all(ids.map((id) => tx.uploads.byId(id))));
    return {
      digests,
      complete: complete.sort((a, b) => a - b),
      told: told.sort((a, b) => a - b),
      pending: rows.filter((row) => row && !row.is_complete).length,
      onDisk: entries.filter((entry) => entry.isFile()).length,
    };
  } finally {
    await chat.close();
  }
}

/** Sends one file after another, complete or resumed, to the current server. */
class Sender {
  readonly acknowledged: { url: string; digest: string }[] = [];
  readonly faults: string[] = [];
  broken = 0;
  resumed = 0;
  #bytes = Buffer.alloc(0);
  #path: string | undefined;

  constructor(
    private readonly auth: string,
    private readonly isResumable: boolean,
  ) {}

  /** An upload is created and not complete. */
  get isUnderWay(): boolean {
    return this.#path !== undefined;
  }

  /** Sends a file, or the rest of one. */
  async goOn(site: string, isLast: boolean): Promise<void> {
    try {
      if (this.isResumable) await this.#sendResumably(site, isLast);
      else if (!isLast) await this.#sendWhole(site);
    } catch (error) {
      // Only a broken connection is expected. Other errors are faults.
      if (!(error as NodeJS.ErrnoException).code) this.faults.push(String(error));
      this.broken++;
      await sleep(20);
    }
  }

  async #sendWhole(site: string): Promise<void> {
    const bytes = randomBytes(randomInt(10, 2_000_000));
    const head = Buffer.from('--x\r\nContent-Disposition: form-data; name="f"; filename="a.bin"\r\n\r\n');
    const body = Buffer.concat([head, bytes, Buffer.from('\r\n--x--\r\n')]);
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const answer = await this.#ask(site, 'POST', '/api/v1/user_uploads', headers, body);
    assert.equal(answer.status, 200, answer.text);
    this.#acknowledge(answer.text, bytes);
  }

  async #sendResumably(site: string, isLast: boolean): Promise<void> {
    if (this.#path === undefined) {
      if (isLast) return;
      this.#bytes = randomBytes(randomInt(10, 4_000_000));
      const begun = await this.#ask(site, 'POST', '/api/v1/tus', { 'upload-length': this.#bytes.length });
      assert.equal(begun.status, 201, begun.text);
      this.#path = new URL(String(begun.headers.location), `${site}/api/v1/tus`).pathname;
    }
    const look = await this.#ask(site, 'HEAD', this.#path, {});
    // The process may have died between the row and the file.
    if (look.status === 404) this.#path = undefined;
    // The lease of a dead process expires first.
    if (look.status !== 200) return void assert.ok([404, 423].includes(look.status), `HEAD: ${look.status}`);
    const offset = Number(look.headers['upload-offset']);
    assert.ok(offset <= this.#bytes.length, `${offset} of ${this.#bytes.length}`);
    if (offset > 0) this.resumed++;
    const headers = { 'upload-offset': offset, 'content-type': 'application/offset+octet-stream' };
    const answer = await this.#ask(site, 'PATCH', this.#path as string, headers, this.#bytes.subarray(offset));
    assert.equal(answer.status, 200, answer.text);
    this.#acknowledge(answer.text, this.#bytes);
    this.#path = undefined;
  }

  #acknowledge(text: string, bytes: Buffer): void {
    const { url } = JSON.parse(text) as { url: string };
    this.acknowledged.push({ url, digest: createHash('sha256').update(bytes).digest('hex') });
  }

  /** Limits the rate to some megabytes per second, so that kills interrupt uploads at any byte. */
  async #ask(site: string, method: string, path: string, headers: OutgoingHttpHeaders, body = Buffer.alloc(0)) {
    const { hostname, port } = new URL(site);
    const all = { authorization: this.auth, 'tus-resumable': '1.0.0', 'content-length': body.length, ...headers };
    const req = request({ host: hostname, port, method, path, headers: all, agent: false });
    const answering = new Promise<{ status: number; text: string; headers: OutgoingHttpHeaders }>((resolve, reject) => {
      req.on('error', reject).on('response', (res) => {
        let text = '';
        res.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        res.on('end', () => resolve({ status: res.statusCode ?? 0, text, headers: res.headers }));
        res.on('error', reject);
      });
    });
    answering.catch(() => undefined);
    for (let at = 0; at < body.length && !req.destroyed; at += 64 * 1024) {
      if (!req.write(body.subarray(at, at + 64 * 1024))) await sleep(8);
    }
    req.end();
    return answering;
  }
}
