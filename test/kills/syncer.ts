import { openChat, sqlite } from '../../lib/index.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { say } from './telling.ts';

/** A process that syncs users until it is killed. It writes a line after each committed batch. */
export interface SyncerOptions {
  database: string;
  schema?: string;
  people: number;
}

export function* mirrored(people: number) {
  for (let at = 0; at < people; at++)
    yield { external_id: `u${at}`, name: `Person ${at}`, email: `p${at}@example.com`, channels: ['team'] };
}

if (process.argv[2]) {
  const { database, schema, people } = JSON.parse(process.argv[2]) as SyncerOptions;
  const chat = await openChat({
    storage: schema === undefined ? sqlite(database) : postgres(database, { schema, poolSize: 4 }),
  });
  const channels = [{ external_id: 'team', name: 'Team' }];
  let done = 0;
  await chat.sync({ channels, users: mirrored(people) }, { onChange: () => void (++done % 500 === 0 && say('+ 500')) });
  say('= all');
}
