import type { Benchmark, Bound, Finding } from './benchmark.ts';
import { basicAuth, requestText } from './requests.ts';
import { alternate, median, summary } from './rounds.ts';

/** The request of the client store: it loads other users and channels when it needs them. */
const SLIM = {
  fetch_event_types: JSON.stringify([
    ...['realm', 'realm_emoji', 'realm_user_groups', 'custom_profile_fields', 'subscription', 'user_topic'],
    ...['message', 'update_message_flags', 'starred_messages', 'recent_private_conversations', 'drafts'],
    ...['user_settings', 'muted_users'],
  ]),
  include_subscribers: 'false',
  include_never_subscribed: 'false',
};

const ROUNDS = 9;
const WARM_UPS = 2;

interface Exchanged {
  milliseconds: number;
  length: number;
  /** Of the server. */
  cpuMicroseconds: number;
}

export const registerSlim: Benchmark = {
  names: ['register_slim', 'register_br', 'register_gzip', 'users_br', 'users_gzip'],
  async run(kit) {
    const server = kit.start('chat-server');
    const channels = [10_000, ...Array(39).fill(100), ...Array(960).fill(0)];
    const given = { database: kit.newDatabase(), people: 10_000, channels };
    const { port } = await server.ask<{ port: number }>('start', given);
    const generator = kit.start('generator');
    const [person] = await server.ask<[{ email: string; key: string }]>('keys', { count: 1 });
    const auth = basicAuth(person);

    const exchange = async (request: string): Promise<Exchanged> => {
      const before = await server.ask<number>('cpu');
      const got = await generator.ask<{ milliseconds: number; length: number }>('exchange', { port, request });
      return { ...got, cpuMicroseconds: (await server.ask<number>('cpu')) - before };
    };
    const several = async (request: string): Promise<Exchanged[]> => {
      for (let n = 0; n < WARM_UPS; n++) await exchange(request);
      const all: Exchanged[] = [];
      for (let n = 0; n < ROUNDS; n++) all.push(await exchange(request));
      return all;
    };
    const register = (accepts?: string, form = {}) =>
      requestText('POST', '/api/v1/register', { auth, ...(accepts && { accepts }), form });
    const users = (accepts?: string) => requestText('GET', '/api/v1/users', { auth, ...(accepts && { accepts }) });

    const compressed = async (
      name: string,
      plain: Exchanged[],
      request: string,
      floor: () => Promise<number>,
      bound: Bound,
    ): Promise<Finding> => {
      const all: Exchanged[] = [];
      const subject = async () => {
        const got = await exchange(request);
        all.push(got);
        return got.milliseconds;
      };
      const pairs = await alternate(ROUNDS, WARM_UPS, floor, subject);
      return {
        name,
        ...summary(pairs),
        bound,
        unit: 'ms',
        note: `${described(all)}; uncompressed ${described(plain)}`,
      };
    };

    const plainRegister = await several(register());
    const plainUsers = await several(users());
    const uncompressed = async () => (await exchange(register())).milliseconds;
    const written = () => server.ask<number>('stringify', { what: 'users' });
    const findings = [
      await compressed('register_br', plainRegister, register('br'), uncompressed, { atMost: 2 }),
      await compressed('register_gzip', plainRegister, register('gzip'), uncompressed, { atMost: 2 }),
      await compressed('users_br', plainUsers, users('br'), written, { atMost: 2 }),
      await compressed('users_gzip', plainUsers, users('gzip'), written, { atMost: 3 }),
    ];
    const full = await several(register('br'));
    const slim = await several(register('br', SLIM));
    const [slimKilobytes, fullKilobytes] = [kilobytesOf(slim), kilobytesOf(full)];
    const slimFinding: Finding = {
      name: 'register_slim',
      ratios: [slimKilobytes / fullKilobytes],
      bound: { atMost: 0.15 },
      subject: slimKilobytes,
      floor: fullKilobytes,
      unit: 'kB',
      note: `the register of the client store, ${described(slim)}; everything ${described(full)}; uncompressed ${described(await several(register(undefined, SLIM)))}`,
    };
    return [slimFinding, ...findings];
  },
};

const kilobytesOf = (all: readonly Exchanged[]) => Math.round((all.at(-1)?.length ?? 0) / 1_000);

function described(all: readonly Exchanged[]): string {
  const cpu = median(all.map(({ cpuMicroseconds }) => cpuMicroseconds)) / 1_000;
  return `${kilobytesOf(all)} kB with ${cpu.toFixed(1)} ms of CPU`;
}
