import assert from 'node:assert/strict';
import { inWorlds, message, say } from './in-worlds.ts';

inWorlds('a topic link leads to the newest message of the topic when the link was sent', async (world) => {
  const { channels } = world;
  const sends = async (content: string) => {
    const id = await say(world, 'hamlet', channels.public, 'links', content);
    const { content: html } = await message(world, 'cordelia', id);
    return [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
  };
  const place = `/#narrow/channel/${channels.public}-Denmark/topic`;
  assert.deepEqual(await sends('#**Denmark>acts** #**Denmark>**'), [`${place}/acts`, `${place}/`]);
  const first = await say(world, 'hamlet', channels.public, 'acts');
  const nameless = await say(world, 'hamlet', channels.public, '');
  assert.deepEqual(await sends('#**Denmark>acts** #**Denmark>**'), [
    `${place}/acts/with/${first}`,
    `${place}//with/${nameless}`,
  ]);
  const second = await say(world, 'cordelia', channels.public, 'Acts');
  assert.deepEqual(await sends('#**Denmark>acts**'), [`${place}/acts/with/${second}`]);
});

inWorlds('links to many topics add one statement to rendering', async (world) => {
  const { channels } = world;
  for (let n = 0; n < 5; n++) await say(world, 'hamlet', channels.public, `topic ${n}`);
  const counted = world.storage as unknown as { statements: number };
  const statements = async (content: string) => {
    const before = counted.statements;
    await world.as('hamlet').messages.render({ content });
    return counted.statements - before;
  };
  await statements('#**Denmark**');
  const channel = await statements('#**Denmark**');
  assert.equal(await statements('#**Denmark>topic 1**'), channel + 1);
  assert.equal(await statements([0, 1, 2, 3, 4].map((n) => `#**Denmark>topic ${n}**`).join(' ')), channel + 1);
});
