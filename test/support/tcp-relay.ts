import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** A relay between a program and a server. It can drop traffic without a message to either side. */
export interface TcpRelay {
  /** The address of the server, through the relay. */
  url: string;
  /** Delay of each direction, in milliseconds. */
  delay: number;
  /** Drops all further traffic of the open connections. New ones work. */
  dropEstablished(): void;
  /** Accepts new connections and drops their traffic too. */
  dropAll(): void;
  /** Ends all connections and refuses new ones. */
  refuse(): void;
  /** Refuses from the moment that the program sends this text. The server receives what comes before it. */
  refuseFrom(text: string): void;
  /** New connections work again. Dropped ones stay dropped. */
  restore(): void;
  /** Leads new connections to this server. Ends the open ones, unless they were dropped. */
  lead(to: string): void;
  /** Chunks from the program that wait for a response. */
  sent: number;
  /**
   * Round trips of the longest chain so far, over all connections. A request after a response adds one. Requests at the
   * same time add none. Set a delay, so that no response overtakes parallel requests.
   */
  roundTrips: number;
}

export async function tcpRelay(t: Pick<TestContext, 'after'>, url: string): Promise<TcpRelay> {
  const target = new URL(url);
  let { hostname, port: serverPort } = target;
  const dropped = new WeakSet<Socket>();
  const near = new Set<Socket>();
  const sockets = new Set<Socket>();
  let isDown = false;
  let refused: string | undefined;
  const relay: TcpRelay = {
    url: '',
    delay: 0,
    sent: 0,
    roundTrips: 0,
    dropEstablished() {
      for (const socket of near) dropped.add(socket);
    },
    dropAll() {
      isDown = true;
      relay.dropEstablished();
    },
    refuse() {
      server.close();
      for (const socket of near) socket.destroy();
    },
    refuseFrom(text) {
      refused = text;
    },
    restore() {
      isDown = false;
      if (!server.listening) server.listen(port, '127.0.0.1');
    },
    lead(to) {
      ({ hostname, port: serverPort } = new URL(to));
      for (const socket of near) if (!dropped.has(socket)) socket.destroy();
    },
  };
  /** Links of the chain whose responses have reached the program. */
  let seen = 0;
  const server = createServer((here) => {
    /** The newest link of the chain that has reached the server on this connection. */
    let reached = 0;
    if (isDown) dropped.add(here);
    const there = connect(Number(serverPort), hostname);
    near.add(here);
    for (const socket of [here, there]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
    }
    const pass = (to: Socket, what: () => void) => {
      if (dropped.has(here)) return;
      if (relay.delay === 0) what();
      else setTimeout(() => !to.destroyed && what(), relay.delay);
    };
    here.on('data', (data) => {
      const at = refused === undefined ? -1 : data.indexOf(refused);
      if (at >= 0) {
        dropped.add(here);
        there.end(data.subarray(0, at));
        relay.refuse();
        return;
      }
      relay.sent++;
      const link = seen + 1;
      relay.roundTrips = Math.max(relay.roundTrips, link);
      pass(there, () => {
        reached = link;
        there.write(data);
      });
    });
    there.on('data', (data) => {
      const link = reached;
      pass(here, () => {
        seen = Math.max(seen, link);
        here.write(data);
      });
    });
    here.on('close', () => {
      near.delete(here);
      pass(there, () => there.destroy());
    });
    there.on('close', () => pass(here, () => here.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  target.host = `127.0.0.1:${port}`;
  relay.url = target.href;
  return relay;
}
