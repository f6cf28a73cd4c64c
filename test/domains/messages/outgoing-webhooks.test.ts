import assert from 'node:assert/strict';
import dns from 'node:dns';
import { createServer, type IncomingMessage } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { describe, test as plainTest, type TestContext } from 'node:test';
import * as v from 'valibot';
import { callWebhook } from '../../../lib/adapters/webhook-calls.ts';
import { slackRequest, zulipRequest } from '../../../lib/domains/messages/outgoing-webhooks/webhook-calls.ts';
import { type Logger, openChat } from '../../../lib/index.ts';
import { isPublicAddress, reachableAddresses } from '../../../lib/rules/public-addresses.ts';
import { type TestChatOptions, testChat } from '../../../lib/testing/testing.ts';
import { featureEngines, testOn } from '../../support/engines.ts';
import { Gate } from '../../support/gate.ts';
import { until } from '../../support/until.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Longer than any call takes on a busy machine. A call that times out is retried later, and no test here waits for
 * that.
 */
const PATIENT = { allowPrivateAddresses: true, timeoutMs: 20_000 };

interface Received {
  type: string | undefined;
  body: string;
}

interface Answer {
  status?: number;
  text?: string;
  headers?: Record<string, string>;
  hangs?: boolean;
  /** Called on a request. The server waits for it. */
  after?: () => Promise<unknown>;
}

/** A web hook that returns the given responses, last to first, and then always the first. */
async function hookServer(t: TestContext) {
  const received: Received[] = [];
  const answers: Answer[] = [];
  const server = createServer(async (req: IncomingMessage, res) => {
    let body = '';
    for await (const chunk of req) body += chunk;
    received.push({ type: req.headers['content-type'], body });
    const { status = 200, text = '', headers = {}, hangs, after } = answers.shift() ?? {};
    await after?.();
    if (!hangs) res.writeHead(status, headers).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, answers };
}

const participantsOf = ({ display_recipient }: { display_recipient: string | { id: number }[] }) =>
  typeof display_recipient === 'string' ? [] : display_recipient.map(({ id }) => id);

for (const engine of featureEngines) {
  describe(`outgoing web hooks, on ${engine.name}`, () => {
    const test = testOn(engine);

    async function open(t: TestContext, interface_type: 1 | 2 = 1, options: TestChatOptions<never, never> = {}) {
      const place = await engine.open();
      const hook = await hookServer(t);
      const { people: _, channels: __, ...others } = options;
      const made = await testChat({ storage: place.storage, logger: silent, outgoingWebhooks: PATIENT, ...others });
      t.after(async () => {
        await made.close();
        await place.dispose();
      });
      const { people } = made;
      const bot = await people.dora.bots.create({
        full_name: 'Oracle',
        short_name: 'oracle',
        bot_type: 3,
        payload_url: hook.url,
        interface_type,
      });
      const toChannel = (content: string) =>
        people.emil.messages.send({ type: 'channel', to: 'general', topic: 'ask', content });
      const toBot = (content: string) => people.emil.messages.send({ type: 'direct', to: [bot.user_id], content });
      const newest = async (reader = people.emil) => {
        const { messages } = await reader.messages.list({ anchor: 'newest', num_before: 1, apply_markdown: false });
        const [message] = messages;
        return [message?.sender_full_name, message?.content, message?.subject];
      };
      return { ...made, ...hook, reopen: place.reopen, bot, toChannel, toBot, newest };
    }

    test('the reply of a bot notifies its reader: work that is added with the reply stays', async (t) => {
      const { chat, clock, answers, toBot, emails } = await open(t);
      const mailed = async () => {
        const before = emails.length;
        await chat.runDue();
        clock.advance({ minutes: 2 });
        await chat.runDue();
        return emails.slice(before).map(({ subject }) => subject);
      };
      await mailed();
      answers.push({ text: '{"content": "At eight."}' });
      await toBot('When?');
      assert.deepEqual(await mailed(), ['Oracle']);
    });

    test('a mention calls the web hook in the form of Zulip, and the bot sends its response to the topic', async (t) => {
      const { chat, bot, people, channels, received, answers, toChannel, newest } = await open(t);
      answers.push({ text: '{"content": "**42**"}' });
      const { id } = await toChannel('@**Oracle** what is the answer?');
      await chat.runDue();
      const body = JSON.parse(received[0]?.body ?? '');
      assert.deepEqual(v.parse(zulipRequest, body), body, 'the request is documented');
      const { message, ...rest } = body;
      assert.equal(received[0]?.type, 'application/json');
      assert.deepEqual(rest, {
        bot_email: bot.email,
        bot_full_name: 'Oracle',
        data: '@**Oracle** what is the answer?',
        token: bot.services[0]?.token,
        trigger: 'mention',
      });
      assert.match(String(rest.token), /^\w{32}$/);
      assert.notEqual(rest.token, bot.api_key);
      const { type, stream_id, display_recipient, subject, sender_id, sender_email, content, rendered_content } =
        message;
      assert.deepEqual(
        [message.id, type, stream_id, display_recipient, subject, sender_id, sender_email],
        [id, 'stream', channels.general, 'general', 'ask', people.emil.user_id, 'emil@example.com'],
      );
      assert.equal(content, rest.data);
      assert.match(rendered_content, /user-mention/);
      assert.deepEqual(await newest(), ['Oracle', '**42**', 'ask']);
      await chat.runDue();
      assert.equal(received.length, 1);
    });

    test('a direct message calls the web hook; silent mentions and messages of bots do not', async (t) => {
      const { chat, bot, people, received, answers, toBot, toChannel, newest } = await open(t);
      for (const text of ['', '""', '{}', '{"response_not_required": true, "content": "no"}', '{"content": " "}']) {
        answers.push({ text });
        await toBot('quiet?');
        await chat.runDue();
        assert.deepEqual(await newest(), ['Emil', 'quiet?', '']);
      }
      assert.equal(JSON.parse(received[0]?.body ?? '').trigger, 'direct_message');
      const { length } = received;
      await toChannel('@_**Oracle** is silent, `@**Oracle**` is code');
      const other = await people.ada.bots.create({ full_name: 'Parrot', short_name: 'parrot' });
      await chat.as(other.user_id).messages.send({ type: 'direct', to: [bot.user_id], content: 'Hello bot' });
      await chat.runDue();
      assert.equal(received.length, length);
      answers.push({ text: '{"content": "@**Oracle** talks to itself"}' });
      await toBot('loud?');
      await chat.runDue();
      await chat.runDue();
      assert.deepEqual([received.length, (await newest())[1]], [length + 1, '@**Oracle** talks to itself']);
    });

    test('POLL: a web hook gets the poll that the message starts', async (t) => {
      const { chat, received, answers, toBot } = await open(t);
      answers.push({ text: '{}' });
      await toBot('/poll Lunch?');
      await chat.runDue();
      const { submessages } = JSON.parse(received[0]?.body ?? '').message;
      assert.match(submessages[0].content, /"widget_type":"poll"/);
    });

    test('a web hook in the form of Slack is called for channel messages alone', async (t) => {
      const { chat, bot, people, channels, received, answers, toChannel, toBot, newest } = await open(t, 2);
      answers.push({ text: '{"text": "slack"}' });
      await toChannel('@**Oracle** hello');
      await chat.runDue();
      const fields = Object.fromEntries(new URLSearchParams(received[0]?.body));
      assert.deepEqual(v.parse(slackRequest, fields), fields, 'the request is documented');
      assert.deepEqual(
        [fields.token, fields.channel_id, fields.channel_name, fields.user_id, fields.user_name, fields.text],
        [
          bot.services[0]?.token,
          `C${channels.general}`,
          'general',
          `U${people.emil.user_id}`,
          'Emil',
          '@**Oracle** hello',
        ],
      );
      assert.deepEqual([fields.trigger_word, (await newest())[1]], ['mention', 'slack']);
      await toBot('hello');
      await chat.runDue();
      assert.match(String((await newest())[1]), /direct messages/);
      assert.equal(received.length, 1);
    });

    test("a refused web hook call is reported to the sender, and with its response to the bot's owner", async (t) => {
      const { chat, people, bot, answers, toChannel, newest } = await open(t);
      const { queue_id } = await people.dora.register({ event_types: ['message'], narrow: [['is', 'dm']] });
      answers.push({ status: 404, text: 'nothing ``` here' });
      await toChannel('@**Oracle** hello');
      await chat.runDue();
      const { events } = await people.dora.events.list({ queue_id, last_event_id: -1, dont_block: true });
      const { user_id } = await people.dora.users.me();
      assert.deepEqual(
        events.map((event) => event.type === 'message' && participantsOf(event.message)),
        [[user_id, bot.user_id]],
        'participants are in the order of their IDs',
      );
      assert.match(String((await newest())[1]), /could not answer.*404/);
      const [sender, content] = await newest(people.dora);
      assert.equal(sender, 'Oracle');
      assert.match(
        String(content),
        /#\*\*general>ask@\d+\*\* called your bot @_\*\*Oracle\|\d+\*\*[\s\S]*404[\s\S]*nothing ``` here/,
      );
      assert.equal((await chat.givenUp()).length, 1);
      // A redirect could avoid the check of the address, so it counts as a response.
      answers.push({ status: 302, headers: { location: 'http://127.0.0.1:1/' } });
      await toChannel('@**Oracle** again');
      await chat.runDue();
      assert.match(String((await newest())[1]), /302/);
      const nested = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
      const objects = ['{"content": {"toString": 1}}', '{"content": {"a": 1}}', `{"content": ${nested}}`];
      const long = `{"content": "${'y'.repeat(300_000)}"}`;
      for (const text of ['<html>', '[1]', ...objects, long]) {
        answers.push({ text });
        await toChannel('@**Oracle** nonsense');
        await chat.runDue();
        assert.match(String((await newest())[1]), /could not answer/);
      }
    });

    test('a failing web hook call is retried at growing intervals and given up after ten minutes', async (t) => {
      const outgoingWebhooks = { ...PATIENT, timeoutMs: 2_000 };
      const { chat, clock, people, received, answers, toBot, newest } = await open(t, 1, { outgoingWebhooks });
      answers.push({ status: 503 }, { hangs: true }, { text: '{"content": "at last"}' });
      await toBot('hello');
      for (const seconds of [0, 5, 30]) {
        clock.advance({ seconds });
        await chat.runDue();
      }
      assert.deepEqual([received.length, (await newest())[1]], [3, 'at last']);
      for (let at = 0; at < 20; at++) answers.push({ status: 500 });
      await toBot('hopeless');
      await chat.runDue();
      assert.equal((await newest())[1], 'hopeless');
      for (let minute = 0; minute < 12; minute++) {
        clock.advance({ minutes: 1 });
        await chat.runDue();
      }
      assert.match(String((await newest())[1]), /could not answer.*500/);
      assert.match(String((await newest(people.dora))[1]), /^A message called your bot/);
      const { length } = received;
      clock.advance({ days: 1 });
      await chat.runDue();
      assert.equal(received.length, length);
    });

    test("a bot's web hook gets only private channels it is in, and beforeSend hooks see its replies", async (t) => {
      const kinds: string[] = [];
      const { chat, bot, people, received, answers, toBot, newest } = await open(t, 1, {
        hooks: {
          beforeSend({ kind, content }) {
            kinds.push(kind);
            return content.includes('rude') ? { refuse: 'Be nice.' } : undefined;
          },
        },
      });
      const { id } = await people.emil.channels.create({
        name: 'secret',
        subscribers: [people.emil.user_id],
        invite_only: true,
      });
      const ask = () => people.emil.messages.send({ type: 'channel', to: id, topic: 'a', content: '@**Oracle** hi' });
      await ask();
      await chat.runDue();
      assert.equal(received.length, 0);
      await people.emil.subscriptions.add({ subscriptions: [{ name: 'secret' }], principals: [bot.user_id] });
      await ask();
      await chat.runDue();
      assert.equal(received.length, 1);
      answers.push({ text: '{"content": "rude"}' });
      await toBot('hello');
      await chat.runDue();
      assert.equal(kinds.at(-1), 'reply');
      assert.match(String((await newest())[1]), /Be nice/);
    });

    test('a message moved to a channel without the bot calls no web hook and gets no reply', async (t) => {
      const { chat, people, received, answers, toChannel, newest } = await open(t);
      const { id: stream_id } = await people.ada.channels.create({
        name: 'secret',
        subscribers: [people.ada.user_id],
        invite_only: true,
      });
      const asked = await toChannel('@**Oracle** hello');
      await people.ada.messages.edit({ message_id: asked.id, stream_id, send_notification_to_new_thread: false });
      await chat.runDue();
      assert.equal(received.length, 0);
      const { id: message_id } = await toChannel('@**Oracle** again');
      const after = () => people.ada.messages.edit({ message_id, stream_id, send_notification_to_new_thread: false });
      answers.push({ text: '{"content": "overheard"}', after });
      await chat.runDue();
      assert.deepEqual([received.length, (await newest(people.ada))[1]], [1, '@**Oracle** again']);
    });

    const says = (content: string): Answer => ({ text: JSON.stringify({ content }) });
    const refuses: Answer = { status: 404 };
    const outcomes: [string, Answer, Answer, RegExp][] = [
      ['both answer', says('late'), says('in time'), /^in time$/],
      ['both fail', refuses, refuses, /could not answer/],
      ['its late call gets a response', says('late'), refuses, /could not answer/],
      ['its late call fails', refuses, says('in time'), /^in time$/],
    ];
    for (const [name, late, inTime, expected] of outcomes) {
      test(`a web hook process that continues after its lease sends nothing: ${name}`, async (t) => {
        const { chat, clock, people, reopen, received, answers, toChannel } = await open(t);
        const other = await openChat({ storage: await reopen(), clock, logger: silent, outgoingWebhooks: PATIENT });
        t.after(() => other.close());
        const gate = new Gate();
        answers.push({ ...late, after: () => gate.opened }, inTime);
        await toChannel('@**Oracle** hello');
        const first = chat.runDue();
        await until('the web hook is called', () => received.length === 1);
        clock.advance({ minutes: 3 });
        await other.runDue();
        gate.open();
        await first;
        assert.equal(received.length, 2);
        const { messages } = await people.dora.messages.list({
          anchor: 'newest',
          num_before: 9,
          apply_markdown: false,
        });
        const said = messages.filter((message) => message.sender_full_name === 'Oracle');
        assert.match(said.find(({ type }) => type === 'stream')?.content ?? '', expected);
        assert.equal(said.length, inTime === refuses ? 2 : 1, 'the owner gets one notice');
        assert.equal((await chat.givenUp()).length, inTime === refuses ? 1 : 0);
      });
    }

    test('a message to a bot that is deactivated before the call does not call its web hook', async (t) => {
      const { chat, bot, people, received, toBot } = await open(t);
      await toBot('hello');
      await people.dora.bots.deactivate({ bot_id: bot.user_id });
      await chat.runDue();
      assert.deepEqual([received.length, await chat.givenUp()], [0, []]);
    });
  });
}

plainTest('G9: a web hook at a private address is refused by default, by number and by name', async (t) => {
  const { url, received } = await hookServer(t);
  const { port } = new URL(url);
  const body = { type: 'application/json', text: '{}' };
  const hosts = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1', '2130706433', 'localhost.'];
  for (const host of hosts) {
    await assert.rejects(callWebhook(`http://${host}:${port}/`, body, {}), /does not call/, host);
  }
  assert.equal((await callWebhook(url, body, { allowPrivateAddresses: true })).status, 200);
  assert.equal(received.length, 1);
  const { people, close } = await testChat({ logger: silent });
  t.after(close);
  const create = (payload_url?: string) =>
    people.dora.bots.create({
      full_name: 'Oracle',
      short_name: 'oracle',
      bot_type: 3,
      ...(payload_url ? { payload_url } : {}),
    });
  await assert.rejects(create(), /needs a payload_url/);
  for (const wrong of ['ftp://example.com', 'example.com', 'https://me:secret@example.com/']) {
    await assert.rejects(create(wrong), /http or https/);
  }
  await assert.rejects(create(url), /public internet/);
  const { user_id, services } = await create('"https://hooks.example.com/a"');
  assert.deepEqual([services[0]?.base_url, services[0]?.interface], ['https://hooks.example.com/a', 1]);
  const { realm_bots } = await people.dora.register({ fetch_event_types: ['realm_bot'] });
  assert.deepEqual(realm_bots.find((bot) => bot.user_id === user_id)?.services, [
    { base_url: 'https://hooks.example.com/a', interface: 1 },
  ]);
});

plainTest(
  'G9: a name whose address changes between look-ups reaches only the address that was checked',
  {
    skip: process.platform !== 'linux' && 'only Linux has 127.0.0.2 without set-up',
  },
  async (t) => {
    const { url, received } = await hookServer(t);
    const port = Number(new URL(url).port);
    const allowed: string[] = [];
    const other = createServer((req, res) => {
      allowed.push(req.headers.host ?? '');
      res.end('{}');
    });
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.2', resolve));
    t.after(() => other.close());
    const answers: string[][] = [];
    const lookUps: string[] = [];
    const original = dns.lookup;
    type Callback = (error: Error | null, addresses: object[]) => void;
    const changing = (name: string, options: unknown, callback: Callback) => {
      if (name !== 'hooks.example.com') return Reflect.apply(original, dns, [name, options, callback]);
      lookUps.push(name);
      const addresses = answers.shift() ?? ['127.0.0.1'];
      setImmediate(
        callback,
        null,
        addresses.map((address) => ({ address, family: 4 })),
      );
    };
    Object.assign(dns, { lookup: changing });
    syncBuiltinESMExports();
    t.after(() => {
      dns.lookup = original;
      syncBuiltinESMExports();
    });
    const body = { type: 'application/json', text: '{}' };
    const call = () => callWebhook(`http://hooks.example.com:${port}/`, body, { allowPrivateAddresses: ['127.0.0.2'] });
    answers.push(['127.0.0.2']);
    assert.equal((await call()).status, 200);
    assert.deepEqual([lookUps.length, allowed.length], [1, 1], 'each call makes one look-up');
    await assert.rejects(call(), /does not call/, 'the second look-up returns a private address');
    for (const mixed of [['127.0.0.2', '127.0.0.1'], ['127.0.0.1', '127.0.0.2'], []]) {
      answers.push(mixed);
      await assert.rejects(call(), /does not call/, mixed.join());
    }
    assert.deepEqual([lookUps.length, allowed.length, received.length], [5, 1, 0]);
  },
);

plainTest('G9: a redirect to another address is not followed', async (t) => {
  const { url, received } = await hookServer(t);
  const moved = createServer((_request, response) => response.writeHead(307, { location: url }).end());
  await new Promise<void>((resolve) => moved.listen(0, '127.0.0.1', resolve));
  t.after(() => moved.close());
  const { port } = moved.address() as AddressInfo;
  const body = { type: 'application/json', text: '{}' };
  const answer = await callWebhook(`http://127.0.0.1:${port}/`, body, { allowPrivateAddresses: true });
  assert.deepEqual([answer.status, received.length], [307, 0]);
});

plainTest('allowPrivateAddresses allows web hooks in the listed networks and no others', async (t) => {
  const { url, received } = await hookServer(t);
  const { port } = new URL(url);
  const body = { type: 'application/json', text: '{}' };
  const leave = { allowPrivateAddresses: ['10.0.0.0/8', '127.0.0.1', 'fd00::/8'] };
  assert.equal((await callWebhook(`http://127.0.0.1:${port}/`, body, leave)).status, 200);
  const mapped = reachableAddresses(leave.allowPrivateAddresses);
  assert.deepEqual([mapped('::ffff:127.0.0.1'), mapped('::ffff:127.0.0.2')], [true, false]);
  for (const host of ['127.0.0.2', '[::1]', '192.168.0.1', '169.254.169.254']) {
    await assert.rejects(callWebhook(`http://${host}:${port}/`, body, leave), /does not call/, host);
  }
  assert.equal(received.length, 1);
  const elsewhere = { allowPrivateAddresses: ['10.0.0.0/8'] };
  await assert.rejects(callWebhook(`http://localhost:${port}/`, body, elsewhere), /does not call/);
  const { people, close } = await testChat({ logger: silent, outgoingWebhooks: elsewhere });
  t.after(close);
  const oracle = { full_name: 'Oracle', short_name: 'oracle', bot_type: 3 } as const;
  await assert.rejects(people.dora.bots.create({ ...oracle, payload_url: url }), /public internet/);
  const { services } = await people.dora.bots.create({ ...oracle, payload_url: 'http://10.1.2.3/ask' });
  assert.equal(services[0]?.base_url, 'http://10.1.2.3/ask');
  for (const wrong of ['10.0.0.0/33', '10.0.0', 'example.com', '']) {
    await assert.rejects(testChat({ outgoingWebhooks: { allowPrivateAddresses: [wrong] } }), /is not a network/, wrong);
  }
});

plainTest('isPublicAddress accepts only addresses of the public internet', () => {
  for (const address of ['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::1']) {
    assert.equal(isPublicAddress(address), true, address);
  }
  const others = [
    ...[
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '127.9.9.9',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
    ],
    ...['10.255.255.255', '100.127.255.255', '169.254.255.255', '198.19.255.255', '224.0.0.1', '239.255.255.255'],
    ...['255.255.255.255', '::', '::1', 'fe80::1', 'fd00::1', 'ff02::1', '::ffff:1.1.1.1', '64:ff9b::a00:1'],
    ...['2002:a00:1::', '2001:db8::1', 'localhost', ''],
  ];
  for (const address of others) assert.equal(isPublicAddress(address), false, address);
});
