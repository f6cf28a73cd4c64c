import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { openChat, type Session } from '../../../lib/index.ts';
import { postgres } from '../../../lib/storage/postgres/postgres.ts';
import { answer } from './answering.ts';

/** Organizations in schemas of one database, over one pool. */

const ADA = 'ada@example.com';
/** Callers of each organization, each of which waits for its message. */
const CALLERS = 4;

const sessions: { session: Session; channel: number }[] = [];

async function start({ database, count }: { database: string; count: number }) {
  const pool = new pg.Pool({ connectionString: database, max: 8 * count, pipeline: true } as pg.PoolConfig);
  for (let n = 0; n < count; n++) {
    const chat = await openChat({ storage: postgres({ pool }, { schema: `tenant_${n}` }) });
    const { user_id } = await chat.createOrganization({ name: 'Bench', owner: { email: ADA, full_name: 'Ada' } });
    const session = chat.as(ADA);
    const { id } = await session.channels.create({ name: 'general', subscribers: [user_id] });
    sessions.push({ session, channel: id });
  }
}

/** Messages a second that the first organizations send together. */
async function send({ count, milliseconds }: { count: number; milliseconds: number }): Promise<number> {
  let sent = 0;
  const begin = performance.now();
  const caller = async ({ session, channel: to }: { session: Session; channel: number }) => {
    while (performance.now() - begin < milliseconds) {
      await session.messages.send({ type: 'channel', to, topic: 'the lamp', content: 'Lit at dusk, all is well.' });
      sent++;
    }
  };
  const callers = sessions.slice(0, count).flatMap((one) => Array.from({ length: CALLERS }, () => caller(one)));
  await Promise.all(callers);
  return (sent * 1_000) / (performance.now() - begin);
}

answer({ start, send });
