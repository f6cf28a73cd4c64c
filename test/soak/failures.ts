import { setTimeout } from 'node:timers/promises';
import type { PostgresServer, PostgresStandby } from '../support/postgres-server.ts';
import type { TcpRelay } from '../support/tcp-relay.ts';

/** The servers and connections that a failure affects. */
export interface Site {
  server: PostgresServer;
  standby: PostgresStandby;
  relay: TcpRelay;
  /** Resolves after a given number of further acknowledged sends. */
  acknowledged(count: number): Promise<void>;
}

export interface Failure {
  name: string;
  isSynchronous: boolean;
  /** The failure may lose acknowledged messages. */
  mayLose?: boolean;
  /** Resolves when a database is reachable again. Returns its address. */
  play(site: Site): Promise<string>;
}

/** Milliseconds for which a host is unreachable. */
const GONE_MS = 3_000;

/** The primary crashes and the standby takes over. */
async function takeOver({ server, standby, relay }: Site): Promise<string> {
  await server.halt({ isCrash: true });
  await standby.promote();
  relay.lead(standby.url);
  return standby.url;
}

export const FAILURES: readonly Failure[] = [
  {
    name: 'synchronous standby promoted',
    isSynchronous: true,
    play: takeOver,
  },
  {
    name: 'asynchronous standby promoted without the last commits',
    isSynchronous: false,
    mayLose: true,
    async play(site) {
      await site.standby.caughtUp();
      await site.standby.cutOff();
      await site.acknowledged(50);
      return takeOver(site);
    },
  },
  {
    name: 'host vanished, its address does not respond',
    isSynchronous: true,
    async play(site) {
      site.relay.dropAll();
      const url = await takeOver(site);
      await setTimeout(GONE_MS);
      site.relay.restore();
      return url;
    },
  },
  {
    name: 'host vanished, its address refuses connections',
    isSynchronous: true,
    async play(site) {
      site.relay.refuse();
      const url = await takeOver(site);
      await setTimeout(GONE_MS);
      site.relay.restore();
      return url;
    },
  },
  {
    name: 'connections hang, new ones work',
    isSynchronous: true,
    async play({ server, relay }) {
      relay.dropEstablished();
      return server.url;
    },
  },
  {
    name: 'synchronous standby gone for 12 s',
    isSynchronous: true,
    async play({ server, standby }) {
      await standby.halt();
      await setTimeout(12_000);
      await standby.resume();
      return server.url;
    },
  },
];
