import type { Benchmark } from './benchmark.ts';
import { CONNECTIONS, compareLoads, sendRequests } from './http-send.ts';
import type { Kit } from './kit.ts';
import { basicAuth, requestText } from './requests.ts';

interface Started {
  port: number;
  people: number[];
  channels: number[];
}

/** A server that logs and counts each request, compared with one that does neither, by CPU time. */
async function compare(kit: Kit, name: string, channels: readonly number[], write: boolean) {
  const start = async (isLogged: boolean) => {
    const server = kit.start('chat-server');
    const given = { database: kit.newDatabase(), people: 1_000, channels, isLogged };
    return [server, await server.ask<Started>('start', given)] as const;
  };
  const silent = await start(false);
  const [server, made] = await start(true);
  const people = await server.ask<{ email: string; key: string }[]>('keys', { count: 50 });
  // Keys depend on a secret of each organization, so each server has its own.
  const silentPeople = await silent[0].ask<{ email: string; key: string }[]>('keys', { count: 50 });
  const reads = (from: Started, who: typeof people) =>
    Array.from({ length: 500 }, (_, n) =>
      requestText('GET', `/api/v1/users/${from.people[(n * 7) % from.people.length]}`, {
        auth: basicAuth(who[n % who.length] as { email: string; key: string }),
      }),
    );
  const requests = write ? await sendRequests(server, made.channels) : reads(made, people);
  const silentRequests = write ? await sendRequests(silent[0], silent[1].channels) : reads(silent[1], silentPeople);
  const { cpu, subject, floor, cost } = await compareLoads(kit, [...silent], [server, made], {
    requests,
    floorRequests: silentRequests,
  });
  return {
    name,
    subject,
    floor,
    unit: 'req/s',
    cpu,
    ratios: [cpu.floor / cpu.subject],
    bound: { atLeast: 0.95 },
    note: `a log line and metrics for each request, ${CONNECTIONS} connections, compared with none, by CPU; ${cost}`,
  };
}

export const httpLogged: Benchmark = {
  names: ['http_read_logged', 'http_send_logged'],
  async run(kit) {
    return [
      await compare(kit, 'http_read_logged', [], false),
      await compare(kit, 'http_send_logged', Array(10).fill(100), true),
    ];
  },
};
