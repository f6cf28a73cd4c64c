import assert from 'node:assert/strict';
import { STRICT, violations } from '../../markdown/allowed.ts';
import { type AnyEvent, inWorlds, say } from './in-worlds.ts';

const FORMULA = 'so $$\\fcolorbox{red}{blue}{x}$$';
const TABLE = '|supper|\n|:-:|\n|gruel|';
const CHANGED = `${TABLE}\n\n$$y$$`;

const isStrict = (html: string) => violations(html, STRICT).length === 0;

inWorlds('only clients with strict_content get events whose HTML has no style', async (world) => {
  const options = { fetch_event_types: [], event_types: ['message', 'update_message'], apply_markdown: true };
  const queueOf = async (client_capabilities: Record<string, boolean>) =>
    (await world.as('hamlet').register({ ...options, client_capabilities })).queue_id;
  const queues = { strict: await queueOf({ strict_content: true }), other: await queueOf({}) };
  const message_id = await say(world, 'hamlet', world.channels.public, 'acts', FORMULA);
  await world.as('hamlet').messages.edit({ message_id, content: CHANGED });
  const received = async (queue_id: string): Promise<string[]> => {
    const { events } = await world.as('hamlet').events.list({ queue_id, last_event_id: -1, dont_block: true });
    return events.flatMap((event: AnyEvent) =>
      event.type === 'message' ? [event.message.content] : [event.orig_rendered_content, event.rendered_content],
    );
  };
  const [strict, other] = [await received(queues.strict), await received(queues.other)];
  assert.deepEqual([strict.length, strict.filter(isStrict).length], [3, 3]);
  assert.deepEqual([other.length, other.filter(isStrict).length], [3, 0]);
  assert.match(strict[2] ?? '', /<th class="align-center">supper<\/th>[\s\S]*<math /);
  assert.match(other[2] ?? '', /<th style="text-align: center;">supper<\/th>[\s\S]*katex-html/);
});

inWorlds('strict_content removes styles from fetched messages, hits, history and previews', async (world) => {
  const session = world.as('hamlet');
  const message_id = await say(world, 'hamlet', world.channels.public, 'acts', FORMULA);
  await session.messages.edit({ message_id, content: CHANGED });
  const narrow = [{ operator: 'search', operand: 'gruel' }];
  const fetched = async (strict_content: boolean): Promise<string[]> => {
    const { messages } = await session.messages.list({ message_ids: [message_id], strict_content });
    const { message } = await session.messages.get({ message_id, strict_content });
    const found = await session.messages.list({
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow,
      strict_content,
    });
    const matches = await session.messages.matchesNarrow({ msg_ids: [message_id], narrow, strict_content });
    const { message_history } = await session.messages.history({ message_id, strict_content });
    const { rendered } = await session.messages.render({ content: FORMULA, strict_content });
    return [
      ...[...messages, message].flatMap(({ content, edit_history = [] }) => [
        content,
        ...edit_history.map(({ prev_rendered_content = '' }) => prev_rendered_content),
      ]),
      found.messages[0]?.match_content ?? '',
      matches.messages[message_id]?.match_content ?? '',
      ...message_history.map(({ rendered_content }) => rendered_content),
      ...message_history.flatMap(({ prev_rendered_content }) => prev_rendered_content ?? []),
      ...message_history.flatMap(({ content_html_diff }) => content_html_diff ?? []),
      rendered,
    ];
  };
  const [strict, other] = [await fetched(true), await fetched(false)];
  assert.equal(strict.length, 11);
  for (const html of strict) assert.doesNotMatch(html, / style="|katex-html/);
  for (const html of other) assert.match(html, / style="/);
});
