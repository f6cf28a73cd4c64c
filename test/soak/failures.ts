import { setTimeout } from 'node:timers/promises';
import type { PostgresServer, PostgresStandby } from '../support/postgres-server.ts';
import type { TcpRelay } from '../support/tcp-relay.ts';

/** What a failure happens to. */
export interface Site {
  server: PostgresServer;
  standby: PostgresStandby;
  relay: TcpRelay;
  /** Resolves when so many more sends are acknowledged. */
  acknowledged(count: number): Promise<void>;
}

export interface Failure {
  name: string;
  isSynchronous: boolean;
  /** Acknowledged messages may be lost. */
  mayLose?: boolean;
  /** Resolves when a database can be reached again. Returns its address. */
  play(site: Site): Promise<string>;
}

/** Milliseconds that a host is gone. */
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
    name: 'asynchronous standby without the tail promoted',
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
    name: 'host vanished, its address is silent',
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
    name: 'host vanished, its address refuses',
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
