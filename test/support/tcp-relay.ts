import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** What stands between a program and a server: it can lose what goes through it without a word to either. */
export interface TcpRelay {
  /** The address of the server, through the relay. */
  url: string;
  /** Milliseconds by which each direction is delayed. */
  delay: number;
  /** From now on nothing goes through the connections there are; new ones work. */
  dropEstablished(): void;
  /** From now on new connections are accepted and nothing goes through them either. */
  dropAll(): void;
  /** Ends all connections and refuses new ones. */
  refuse(): void;
  /** New connections work again; those that were dropped stay so. */
  restore(): void;
  /** From now on new connections lead to this server. Those there are end, unless they were dropped. */
  lead(to: string): void;
  /** Pieces that the program has sent, each of which waits for an answer. */
  sent: number;
  /**
   * Round trips of the longest chain so far, over all connections: what is sent after an answer has arrived adds one,
   * what is sent together or beside it adds none. Give a delay, so that no answer overtakes what is sent together.
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
    restore() {
      isDown = false;
      if (!server.listening) server.listen(port, '127.0.0.1');
    },
    lead(to) {
      ({ hostname, port: serverPort } = new URL(to));
      for (const socket of near) if (!dropped.has(socket)) socket.destroy();
    },
  };
  /** Links of the chain whose answers the program has seen. */
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
