import { performance } from 'node:perf_hooks';
import { openChat, sqlite } from '../../../lib/index.ts';
import { answer } from './answering.ts';

function* users(people: number) {
  for (let at = 0; at < people; at++) {
    const place = { channels: ['all', `team-${at % 50}`], groups: [`team-${at % 50}`] };
    yield { external_id: `u${at}`, name: `Person ${at}`, email: `p${at}@example.com`, ...place };
  }
}

/** Milliseconds of a sync of an empty chat, and of the same sync again, which must change nothing. */
async function sync({ database, people }: { database: string; people: number }) {
  const chat = await openChat({ storage: sqlite(database) });
  await chat.createOrganization({ name: 'Bench', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  const teams = Array.from({ length: 50 }, (_, at) => ({ external_id: `team-${at}`, name: `Team ${at}` }));
  const times: number[] = [];
  for (const changed of [people, 0]) {
    const lists = { channels: [{ external_id: 'all', name: 'All' }, ...teams], groups: teams, users: users(people) };
    const start = performance.now();
    const { counts } = await chat.sync(lists, { onChange: () => undefined });
    times.push(performance.now() - start);
    if (counts.failed > 0 || counts.created < changed || (changed === 0 && counts.created + counts.changed > 0))
      throw new Error(`The sync has other counts: ${JSON.stringify(counts)}`);
  }
  await chat.close();
  return times;
}

answer({ sync });
