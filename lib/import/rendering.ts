import { groupBy } from '../base/lists.ts';
import { present } from '../base/present.ts';
import { type RenderedContent, renderContents } from '../domains/messages/message-content.ts';
import type { User } from '../model/users.ts';
import type { AccountContext } from '../viewer/context.ts';
import type { Known } from './run.ts';
import type { ImportedMessage } from './source.ts';

/** Links lead to channels that the author can see. The importer sees all channels. */
export async function renderedAll(
  context: AccountContext,
  messages: readonly ImportedMessage[],
  contents: readonly string[],
  known: Known,
): Promise<RenderedContent[]> {
  const { tx, actor } = context;
  const authorAt = (at: number) => present(known.id('user', present(messages[at]).author));
  const linking: number[] = [];
  const others: number[] = [];
  for (const [at, content] of contents.entries()) (content.includes('#**') ? linking : others).push(at);
  const rendered: RenderedContent[] = [];
  const render = async (places: readonly number[], linksAs: User) => {
    const texts = places.map((at) => present(contents[at]));
    const found = await renderContents(context, actor, texts, actor, { linksAs });
    for (const at of places) rendered[at] = present(found.get(present(contents[at])));
  };
  await render(others, actor);
  const byAuthor = groupBy(linking, authorAt);
  for (const author of await tx.users.byIds([...byAuthor.keys()])) await render(byAuthor.get(author.id) ?? [], author);
  return rendered;
}
