import { test } from 'node:test';
import { startApplication } from '../../examples/fastify.ts';
import { databasePath } from './folder.ts';
import { checkMounted, logIn } from './mounted.ts';

test('a chat in Fastify accepts its login, forms, JSON, files and polls', async (t) => {
  const application = await startApplication({ database: await databasePath(t), port: 0 });
  t.after(application.close);
  await checkMounted(application.url, await logIn(application.url));
});
